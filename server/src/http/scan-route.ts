import type { RefusalName } from '../core/errors.ts'

/** What the endpoints of a standard scan have in common. */
export const scanRoute = {
  method: 'POST',
  tag: 'Scans',
  access: 'key-or-session',
  bodyKind: 'upload',
  upload: [
    { name: 'file', kind: 'file', required: true, description: 'A .sol file of at most the size the plan allows.' },
  ],
} as const

/** In the order in which they are checked; `more` are refusals of one endpoint alone, about what was uploaded. */
export const scanRefusals = (...more: readonly RefusalName[]): readonly RefusalName[] => [
  'keyMissing',
  'keyInvalid',
  'crossSite',
  'hourSpent',
  'invalid',
  'idempotencyInFlight',
  'idempotencyMismatch',
  'quotaSpent',
  'noFile',
  'notSol',
  'emptyFile',
  'notText',
  'fileTooLarge',
  ...more,
  'contractTooLarge',
  'notSolidity',
  'scanFailed',
  'scanQueueFull',
]
