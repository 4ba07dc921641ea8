import type { Clock } from '../core/clock.ts'
import { refuse } from '../core/errors.ts'
import type { Secrets } from '../core/secrets.ts'
import { createAccountStore } from '../stores/accounts.ts'
import { type Db, transaction } from '../stores/database.ts'
import { createRegistrationStore } from '../stores/registrations.ts'
import { createThrottleStore } from '../stores/throttles.ts'
import type { Client } from './caller.ts'
import { noteSecurityEvent } from './security-log.ts'
import { isCodeOf } from './verification-codes.ts'

export interface VerifyEmailDeps {
  db: Db
  clock: Clock
  secrets: Secrets
}

/** Activates the registration whose code this is, and discards the others. One refusal for everything that is wrong. */
export async function verifyEmail(
  deps: VerifyEmailDeps,
  { email, code }: { email: string; code: string },
  client: Client,
): Promise<{ userId: string }> {
  const account = await createAccountStore(deps.db).findByEmail(email)
  const accountId = account?.id ?? ''
  const now = deps.clock.now().getTime()
  const alive = await createRegistrationStore(deps.db).spendTry(accountId, now)
  if (alive.length === 0) await writeSomething(deps, email, now)
  const [match] = alive.filter((registration) => isCodeOf(deps, registration, code))
  if (!match) return refuse('codeInvalid')
  await transaction(deps.db, async (tx) => {
    const isMine = await createRegistrationStore(tx).discardAll(accountId, match.id)
    const identity = { name: match.name, passwordHash: match.password_hash, at: now }
    if (!isMine || !(await createAccountStore(tx).activate(accountId, identity))) refuse('codeInvalid')
    await noteSecurityEvent({ ...deps, db: tx }, accountId, 'account.verified', client)
  })
  return { userId: accountId }
}

/** A spent try is a write to disk: an address without one must not be told by its faster answer. */
async function writeSomething({ db, secrets }: VerifyEmailDeps, email: string, now: number): Promise<void> {
  await createThrottleStore(db).spend(secrets.index('throttle', `no-code:${email}`), [{ limit: 1, seconds: 0 }], now)
}
