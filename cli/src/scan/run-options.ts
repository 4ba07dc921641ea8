/** What the result of a program depends on, beside its files. */
export interface RunOptions {
  readonly suppressions: 'honour' | 'ignore'
  /** Modules with rules of the user's own, absolute. */
  readonly rules?: readonly string[]
}
