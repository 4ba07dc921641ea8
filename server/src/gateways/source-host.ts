import type { DownloadOutcome } from './download.ts'

/** Why a host of sources gave none. */
export type NoSource =
  | { readonly kind: 'not-found' }
  /** There is one, in another language. */
  | { readonly kind: 'not-solidity' }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'busy'; readonly retryAfterSeconds: number }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'failed'; readonly reason: string }

/** Verified source as the document that a client could have uploaded. */
export interface VerifiedSource {
  readonly kind: 'source'
  readonly document: Buffer
  /** How the compiled source compares with what is deployed. */
  readonly match: 'exact' | 'partial' | 'unknown'
  readonly contract: string
  /** Of a proxy: where the code that runs lies. */
  readonly implementations: readonly string[]
}

export interface ContractAddress {
  readonly chain: number
  /** Lower case, with 0x. */
  readonly address: string
}

/** One party that keeps verified sources. */
export interface SourceHost {
  readonly name: 'sourcify' | 'etherscan'
  findSource(
    at: ContractAddress,
    options: { readonly maxBytes: number; readonly signal?: AbortSignal },
  ): Promise<VerifiedSource | NoSource>
}

const USUAL_WAIT_SECONDS = 10
const LONGEST_WAIT_SECONDS = 3600

/** An answer that is no source: what its status means everywhere. */
export function toNoSource(outcome: DownloadOutcome, now: Date): NoSource {
  if (outcome.kind !== 'answered') return outcome
  const { status, headers } = outcome
  const isSpent = headers['x-ratelimit-remaining'] === '0'
  if (status === 429 || (status === 403 && (isSpent || headers['retry-after'] !== undefined)))
    return { kind: 'busy', retryAfterSeconds: waitOf(headers, now) }
  if (status === 404 || status === 410 || status === 451) return { kind: 'not-found' }
  return { kind: 'failed', reason: `status ${status}` }
}

/** `Retry-After` in seconds, or the moment at which GitHub's count starts anew. */
function waitOf(headers: Readonly<Record<string, string | string[] | undefined>>, now: Date): number {
  const after = Number(headers['retry-after'])
  const until = Number(headers['x-ratelimit-reset']) - now.getTime() / 1000
  const seconds = [after, until].find((value) => Number.isFinite(value) && value > 0) ?? USUAL_WAIT_SECONDS
  return Math.min(Math.ceil(seconds), LONGEST_WAIT_SECONDS)
}

/** What a JSON answer holds; undefined when it is none. */
export function parseJson(bytes: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString())
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An address as it is compared; undefined for anything else. */
export const toAddress = (value: unknown): string | undefined =>
  typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value) ? value.toLowerCase() : undefined
