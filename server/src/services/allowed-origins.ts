import type { Clock } from '../core/clock.ts'
import { refuse } from '../core/errors.ts'
import { createAllowedOriginStore } from '../stores/allowed-origins.ts'
import { type Db, transaction } from '../stores/database.ts'
import type { Client } from './caller.ts'
import { noteSecurityEvent } from './security-log.ts'

export interface AllowedOriginDeps {
  readonly db: Db
  readonly clock: Clock
}

export const listAllowedOrigins = ({ db }: Pick<AllowedOriginDeps, 'db'>, accountId: string): Promise<string[]> =>
  createAllowedOriginStore(db).list(accountId)

/** From then on pages of these sites, and of no others, can read what the account's keys are answered. */
export async function setAllowedOrigins(
  deps: AllowedOriginDeps,
  accountId: string,
  given: readonly string[],
  client: Client,
): Promise<string[]> {
  const origins = [...new Set(given.map(toOrigin))].sort()
  await transaction(deps.db, async (tx) => {
    await createAllowedOriginStore(tx).replace(accountId, origins)
    await noteSecurityEvent({ ...deps, db: tx }, accountId, 'origins.changed', client, { origins: origins.join(' ') })
  })
  return origins
}

/** As browsers send it. Plain http is only for a page on the reader's own machine. */
function toOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isBare = url !== undefined && [url.origin, `${url.origin}/`].includes(text.toLowerCase())
  const isLoopback = url !== undefined && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)
  if (!isBare || !(url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback)))
    return refuse(
      'invalid',
      'origins must be such as https://remix.ethereum.org: a scheme and a host, https or loopback.',
    )
  return url.origin
}

/** Whether a page of this origin may read what a key of this account is answered. */
export const allowsOrigin = ({ db }: Pick<AllowedOriginDeps, 'db'>, accountId: string, origin: string) =>
  createAllowedOriginStore(db).has(origin, accountId)

/** Whether any account allows it: a browser asks before it sends a key. */
export const isAllowedBySome = ({ db }: Pick<AllowedOriginDeps, 'db'>, origin: string): Promise<boolean> =>
  createAllowedOriginStore(db).has(origin)
