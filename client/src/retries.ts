/** When a refused request is sent again. */
export interface Retries {
  /** Sends in all; 1 never repeats. */
  readonly attempts: number
  /** Pause before the second send; it doubles with each further one. */
  readonly firstPauseMs: number
  /** No longer than this is ever waited: a day's quota that is spent is told at once. */
  readonly maxPauseMs: number
}

export const defaultRetries: Retries = { attempts: 4, firstPauseMs: 500, maxPauseMs: 60_000 }

/** Limits and restarts pass; any other refusal is final. */
const passing = new Set([429, 503])

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
  const isWorthIt = passing.has(status) || (status === 0 && isRepeatable)
  if (!isWorthIt || sent >= attempts) return undefined
  const asked = (retryAfterSeconds ?? 0) * 1000
  if (asked > maxPauseMs) return undefined
  const jitter = Math.min(maxPauseMs, firstPauseMs * 2 ** (sent - 1)) * random
  return Math.min(maxPauseMs, asked + jitter)
}
