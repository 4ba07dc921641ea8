import type { Clock } from '../core/clock.ts'
import type { Config } from '../core/config.ts'
import { refuse } from '../core/errors.ts'
import { looksLikeId } from '../core/ids.ts'
import type { PlanName } from '../core/plans.ts'
import type { Secrets } from '../core/secrets.ts'
import { createAccountStore } from '../stores/accounts.ts'
import type { Db } from '../stores/database.ts'
import { createRegistrationStore } from '../stores/registrations.ts'
import { createSecondFactorStore } from '../stores/second-factors.ts'
import { createSessionStore } from '../stores/sessions.ts'
import type { Client, SessionCaller, UserIdCaller } from './caller.ts'
import { noteSecurityEvent } from './security-log.ts'
import { throttleClient } from './throttle.ts'

export interface AccountDeps {
  db: Db
  clock: Clock
  secrets: Secrets
}

export interface AccountView {
  userId: string
  email: string
  name: string
  verified: boolean
  plan: PlanName
  createdAt: string
}

export async function describeAccount(deps: Pick<AccountDeps, 'db'>, accountId: string): Promise<AccountView> {
  const account = await createAccountStore(deps.db).find(accountId)
  if (!account) return refuse('sessionMissing')
  return {
    userId: account.id,
    email: account.email,
    name: account.name,
    verified: true,
    plan: account.plan,
    createdAt: new Date(account.created_at).toISOString(),
  }
}

/**
 * Accepts a bare userId: always where the operator chose that, else shortly after a log-in from the same address. Throttled, and
 * noted for the owner.
 */
export async function admitUserId(
  deps: AccountDeps & { config: Pick<Config, 'accountAccess'> },
  userId: string,
  client: Client,
  action: string,
): Promise<SessionCaller | UserIdCaller> {
  await throttleClient(deps, 'userIdRequests', client.address)
  const caller =
    deps.config.accountAccess === 'user-id'
      ? await findOwner(deps, userId)
      : await findRecentSession(deps, userId, client)
  await noteSecurityEvent(deps, caller.accountId, 'user-id.used', client, { action })
  return caller
}

async function findOwner({ db }: AccountDeps, userId: string): Promise<UserIdCaller> {
  if (!looksLikeId('user', userId)) return refuse('sessionMissing')
  const account = await createAccountStore(db).find(userId)
  if (account) return { via: 'user-id', accountId: account.id }
  return refuse((await createRegistrationStore(db).isWaiting(userId)) ? 'emailUnverified' : 'sessionMissing')
}

const RECENT_MS = 15 * 60_000

/**
 * The session that this address began within the last fifteen minutes; log-out and a new password end it with all others. Accounts with
 * a second factor have no such window.
 */
async function findRecentSession(deps: AccountDeps, userId: string, client: Client): Promise<SessionCaller> {
  if (!looksLikeId('user', userId)) return refuse('sessionMissing')
  if ((await createSecondFactorStore(deps.db).listConfirmed(userId)).length > 0) return refuse('sessionMissing')
  const now = deps.clock.now().getTime()
  const row = await createSessionStore(deps.db).findBegun(userId, client.address, { from: now - RECENT_MS, until: now })
  return row ? { via: 'session', accountId: row.account_id, sessionId: row.id } : refuse('sessionMissing')
}
