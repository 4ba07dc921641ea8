/** What the service was asked, for whoever reads the error. */
export interface Attempt {
  readonly operation: string
  readonly attempts: number
}

/** The service refused, or could not be reached: `status` 0 says the latter. */
export class AssayError extends Error {
  readonly status: number
  /** The request as the service's log names it. */
  readonly requestId: string | null
  readonly retryAfterSeconds: number | null
  readonly operation: string
  readonly attempts: number

  constructor(
    message: string,
    { status = 0, requestId = null, retryAfterSeconds = null, cause }: Partial<Refused> & { cause?: unknown },
    { operation, attempts }: Attempt,
  ) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'AssayError'
    this.status = status
    this.requestId = requestId
    this.retryAfterSeconds = retryAfterSeconds
    this.operation = operation
    this.attempts = attempts
  }
}

export interface Refused {
  readonly status: number
  readonly requestId: string | null
  readonly retryAfterSeconds: number | null
}
