import type { Clock } from '../core/clock.ts'
import { refuse } from '../core/errors.ts'
import type { Secrets } from '../core/secrets.ts'
import { createAccountStore } from '../stores/accounts.ts'
import { type Db, transaction } from '../stores/database.ts'
import { createRegistrationStore } from '../stores/registrations.ts'
import { createThrottleStore } from '../stores/throttles.ts'
import type { Client } from './caller.ts'
import { networkOf } from './network.ts'
import { noteSecurityEvent } from './security-log.ts'
import { throttleClient } from './throttle.ts'
import { isCodeOf } from './verification-codes.ts'

export interface VerifyEmailDeps {
  db: Db
  clock: Clock
  secrets: Secrets
}

/** Makes the registration whose code this is an account, and discards the others. One refusal for everything that is wrong. */
export async function verifyEmail(
  deps: VerifyEmailDeps,
  { email, code }: { email: string; code: string },
  client: Client,
): Promise<{ userId: string }> {
  await throttleClient(deps, 'verifications', client.address)
  const now = deps.clock.now().getTime()
  const alive = await createRegistrationStore(deps.db).spendTry(email, networkOf(client.address), now)
  if (alive.length === 0) await writeSomething(deps, email, now)
  const [match] = alive.filter((registration) => isCodeOf(deps, registration, code))
  if (!match) return refuse('codeInvalid')
  const { user_id: id, name, password_hash } = match
  await transaction(deps.db, async (tx) => {
    const isMine = await createRegistrationStore(tx).discardAll(email, match.id)
    const account = { id, email, name, password_hash, verified_at: now }
    if (!isMine || !(await createAccountStore(tx).add(account))) refuse('codeInvalid')
    const registeredAt = new Date(match.created_at).toISOString()
    await noteSecurityEvent({ ...deps, db: tx }, id, 'account.verified', client, { registeredAt })
  })
  return { userId: id }
}

/** A spent try is a write to disk: an address without one must not be revealed by its faster answer. */
async function writeSomething({ db, secrets }: VerifyEmailDeps, email: string, now: number): Promise<void> {
  await createThrottleStore(db).spend(secrets.index('throttle', `no-code:${email}`), [{ limit: 1, seconds: 0 }], now)
}
