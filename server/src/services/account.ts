import type { Clock } from '../core/clock.ts'
import { refuse } from '../core/errors.ts'
import { looksLikeId } from '../core/ids.ts'
import type { PlanName } from '../core/plans.ts'
import type { Secrets } from '../core/secrets.ts'
import { createAccountStore } from '../stores/accounts.ts'
import type { Db } from '../stores/database.ts'
import type { Client, UserIdCaller } from './caller.ts'
import { noteSecurityEvent } from './security-log.ts'
import { networkOf, throttle } from './throttle.ts'

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
    name: account.name ?? '',
    verified: account.verified_at !== null,
    plan: account.plan,
    createdAt: new Date(account.created_at).toISOString(),
  }
}

/** Accepts a bare userId, where the operator chose that: throttled, and noted for the owner. */
export async function admitUserId(
  deps: AccountDeps,
  userId: string,
  client: Client,
  action: string,
): Promise<UserIdCaller> {
  await throttle(deps, 'userIdRequests', networkOf(client.address))
  const account = looksLikeId('user', userId) ? await createAccountStore(deps.db).find(userId) : undefined
  if (!account) return refuse('userIdForeign')
  await noteSecurityEvent(deps, account.id, 'user-id.used', client, { action })
  return { via: 'user-id', accountId: account.id }
}
