export interface RequestOptions {
  /** Further headers, `Accept` or `Prefer` say. */
  readonly headers?: Readonly<Record<string, string>>
  /** Chosen by the client when absent, where the operation takes one: a retry is never charged twice. */
  readonly idempotencyKey?: string
  readonly signal?: AbortSignal
  /** Instead of the client's; 0: none. */
  readonly timeoutMs?: number
}
