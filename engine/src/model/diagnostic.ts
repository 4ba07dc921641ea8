import type { Span } from '../syntax/index.ts'

/** Something about the input that the reader should know and that is not a finding. */
export interface ModelDiagnostic extends Span {
  readonly code:
    | 'cyclic-inheritance'
    | 'impossible-linearization'
    | 'duplicate-declaration'
    | 'recursive-struct'
    | 'import-not-found'
    | 'base-not-found'
    | 'budget'
  readonly message: string
}
