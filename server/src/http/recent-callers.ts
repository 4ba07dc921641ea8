import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'

/**
 * Whose credential this was of late: enough to be fair about who is refused before a credential has been looked at. It lets nobody in, and
 * keeps no credential, only its digest.
 */
export interface RecentCallers {
  /** The account, or `STRANGER` when the credential has not been seen working. */
  find(request: FastifyRequest): string
  note(request: FastifyRequest, account: string): void
}

export const UNKNOWN_CALLER = ''

const MAX_KNOWN = 10_000

export function createRecentCallers(maxKnown = MAX_KNOWN): RecentCallers {
  /** The one that was seen longest ago comes first. */
  const accounts = new Map<string, string>()
  const keep = (digest: string, account: string): void => {
    accounts.delete(digest)
    accounts.set(digest, account)
    const [oldest] = accounts.keys()
    if (accounts.size > maxKnown && oldest !== undefined) accounts.delete(oldest)
  }
  return {
    find: (request) => accounts.get(digestOf(request)) ?? UNKNOWN_CALLER,
    note: (request, account) => keep(digestOf(request), account),
  }
}

/** Of everything that may say who is asking; what it says is not this file's to decide. */
function digestOf({ headers }: FastifyRequest): string {
  const parts = [headers['x-api-key'], headers.authorization, headers.cookie, headers['x-organisation']]
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64')
}
