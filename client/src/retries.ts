/** When a refused request is sent again. */
export interface Retries {
  /** Sends in all; 1 never repeats. */
  readonly attempts: number
  /** Pause before the second send; it doubles with each further one. */
  readonly firstPauseMs: number
  /** No longer than this is ever waited: a spent daily quota is reported at once. */
  readonly maxPauseMs: number
}

export const defaultRetries: Retries = { attempts: 4, firstPauseMs: 500, maxPauseMs: 60_000 }

/** The service did nothing with the request: it can be sent again whatever it asks for. */
const untouched = new Set([425, 429, 503])
/** The service may have acted on the request: only what does no more twice than once is sent again. */
const isPassing = (status: number): boolean => status === 0 || status === 408 || status >= 500

export interface WaitFor {
  /** Sends so far. */
  readonly sent: number
  /** 0 when there was no answer. */
  readonly status: number
  readonly retryAfterSeconds: number | null
  /** Sending it twice does no more than sending it once. */
  readonly isRepeatable: boolean
  /** 0 to 1. */
  readonly random: number
}

/**
 * Milliseconds to wait before sending again, or `undefined` when it should not be sent again. Never earlier than `Retry-After`; the rest is
 * exponential backoff with full jitter, so that clients that were refused together do not come back together.
 */
export function waitBefore(
  { attempts, firstPauseMs, maxPauseMs }: Retries,
  { sent, status, retryAfterSeconds, isRepeatable, random }: WaitFor,
): number | undefined {
  if (sent >= attempts || !isWorthRepeating(status, retryAfterSeconds, isRepeatable)) return undefined
  const requestedMs = (retryAfterSeconds ?? 0) * 1000
  if (requestedMs > maxPauseMs) return undefined
  const jitter = Math.min(maxPauseMs, firstPauseMs * 2 ** (sent - 1)) * random
  return Math.min(maxPauseMs, requestedMs + jitter)
}

function isWorthRepeating(status: number, retryAfterSeconds: number | null, isRepeatable: boolean): boolean {
  if (untouched.has(status)) return true
  // The first send of the same Idempotency-Key is still being worked on; any other conflict stays one.
  if (status === 409) return isRepeatable && retryAfterSeconds !== null
  return isRepeatable && isPassing(status)
}

/** `Retry-After` in seconds from now: a number, or a date. */
export function readRetryAfter(value: string | null, now: number): number | null {
  if (value === null || value.trim() === '') return null
  const seconds = Number(value)
  if (Number.isFinite(seconds)) return Math.max(0, seconds)
  const date = Date.parse(value)
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - now) / 1000))
}
