import type { RefusalName } from '../core/errors.ts'

/** What every endpoint that takes sources has in common. */
export const uploadRoute = {
  method: 'POST',
  tag: 'Scans',
  access: 'key-or-session',
  organisation: 'member',
  scope: 'scan',
  bodyKind: 'upload',
} as const

/** Where a scan belongs. */
export const labelParts = [
  {
    name: 'project',
    kind: 'text',
    required: false,
    description: 'The scan belongs to it; without one nothing is carried over from earlier scans, and nothing closed.',
  },
  { name: 'ref', kind: 'text', required: false, description: 'Branch or tag; findings have a state on each.' },
  { name: 'commit', kind: 'text', required: false, description: 'Commit that was scanned.' },
] as const

/** What the endpoints of a standard scan have in common. */
export const scanRoute = {
  ...uploadRoute,
  upload: [
    {
      name: 'file',
      kind: 'file',
      required: true,
      isList: true,
      description:
        'A .sol file; or a project: several parts of this name with their paths as file names, or one .zip or .tar.gz. All sources together have at most the size the plan allows.',
    },
    ...labelParts,
    {
      name: 'allFiles',
      kind: 'text',
      required: false,
      values: ['true', 'false'],
      description:
        '`true`: the upload holds every file of the project, so findings in files that it does not hold are fixed.',
    },
  ],
} as const

/** What can be said against a request for scans before any of its sources is looked at, in the order of the checks. */
const admissionRefusals = (ofCaller: readonly RefusalName[]): readonly RefusalName[] => [
  'keyMissing',
  'keyInvalid',
  'crossSite',
  'hourSpent',
  ...ofCaller,
  'invalid',
  'idempotencyInFlight',
  'idempotencyMismatch',
  'quotaSpent',
  'keyQuotaSpent',
  'tooManyOverruns',
  'workSpent',
  'noFile',
]

/** What many scans in one call can be refused for, in the order of the checks. */
export const batchRefusals: readonly RefusalName[] = [
  ...admissionRefusals(['batchNotOnPlan']),
  'emptyFile',
  'brokenJson',
  'repeatedName',
  'pathRefused',
  'archiveUnreadable',
  'batchEntryRefused',
  'batchTooLong',
  'fileTooLarge',
  'scanFailed',
  'scanQueueFull',
]

const projectRefusals = [
  'noSources',
  'sourceNotText',
  'pathRefused',
  'archiveUnreadable',
  'tooManyFiles',
  'sourcesTooLarge',
  'archiveTooLarge',
] as const

/** What can go wrong with sources that are fetched. */
export const fetchRefusals = [
  'addressScansOff',
  'repositoryScansOff',
  'sourceNotVerified',
  'sourceOtherLanguage',
  'forgeUnknown',
  'repositoryNotFound',
  'repositoryTooLarge',
  'sourceHostBusy',
  'sourceHostTimeout',
  'sourceHostFailed',
] as const

/** What one endpoint refuses beyond the others, by the step at which it does. */
interface MoreRefusals {
  readonly ofCaller?: readonly RefusalName[]
  readonly ofForm?: readonly RefusalName[]
  readonly ofUpload?: readonly RefusalName[]
  readonly ofSource?: readonly RefusalName[]
}

/** In the order in which they are checked. */
export const scanRefusals = ({
  ofCaller = [],
  ofForm = projectRefusals,
  ofUpload = [],
  ofSource = [],
}: MoreRefusals = {}): readonly RefusalName[] => [
  ...admissionRefusals(ofCaller),
  'notSol',
  'emptyFile',
  'notText',
  ...ofForm,
  'fileTooLarge',
  ...ofUpload,
  'contractTooLarge',
  'notSolidity',
  ...ofSource,
  'scanFailed',
  'scanQueueFull',
]
