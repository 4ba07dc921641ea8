import type { RefusalName } from '../core/errors.ts'

/** What the endpoints of a standard scan have in common. */
export const scanRoute = {
  method: 'POST',
  tag: 'Scans',
  access: 'key-or-session',
  organisation: 'member',
  scope: 'scan',
  bodyKind: 'upload',
  upload: [
    {
      name: 'file',
      kind: 'file',
      required: true,
      description:
        'A .sol file; or a project: several parts of this name with their paths as file names, or one .zip or .tar.gz. All sources together have at most the size the plan allows.',
    },
    { name: 'project', kind: 'text', required: false, description: 'Groups scans; else the name of the file does.' },
    { name: 'ref', kind: 'text', required: false, description: 'Branch or tag.' },
    { name: 'commit', kind: 'text', required: false, description: 'Commit that was scanned.' },
  ],
} as const

const projectRefusals = ['noSources', 'sourceNotText', 'pathRefused', 'archiveUnreadable', 'tooManyFiles'] as const

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
  'noFile',
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
