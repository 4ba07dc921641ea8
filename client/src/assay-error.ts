import type { ErrorCode } from './generated.ts'

/** What the service was asked, for anyone who reads the error. */
export interface Attempt {
  readonly operation: string
  readonly attempts: number
}

export interface Refused {
  /** 0 when there was no answer. */
  readonly status: number
  /** Stable name of the refusal, such as `quota-spent`; null when there was no answer or it names none. */
  readonly code: ErrorCode | null
  /** The request as the service's log names it. */
  readonly requestId: string | null
  readonly retryAfterSeconds: number | null
  /** The field that is wrong, as a JSON pointer, where the service names one. */
  readonly pointer: string | null
}

/** The service refused the request. `code` never changes between releases; `message` is for people. */
export class AssayError extends Error {
  readonly status: number
  readonly code: ErrorCode | null
  readonly requestId: string | null
  readonly retryAfterSeconds: number | null
  readonly pointer: string | null
  readonly operation: string
  readonly attempts: number

  constructor(message: string, refused: Partial<Refused> & { cause?: unknown }, { operation, attempts }: Attempt) {
    super(message, refused.cause === undefined ? undefined : { cause: refused.cause })
    this.name = 'AssayError'
    this.status = refused.status ?? 0
    this.code = refused.code ?? null
    this.requestId = refused.requestId ?? null
    this.retryAfterSeconds = refused.retryAfterSeconds ?? null
    this.pointer = refused.pointer ?? null
    this.operation = operation
    this.attempts = attempts
  }
}

/** There was no answer: no connection, or none that held. `status` is 0. */
export class AssayConnectionError extends AssayError {
  override readonly name: string = 'AssayConnectionError'
}

/** There was no answer within `timeoutMs`. */
export class AssayTimeoutError extends AssayConnectionError {
  override readonly name: string = 'AssayTimeoutError'
}
