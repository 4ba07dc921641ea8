import type { Clock } from '../core/clock.ts'
import { refuse } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import { createAccountStore } from '../stores/accounts.ts'
import { type Db, transaction } from '../stores/database.ts'
import { createRegistrationStore } from '../stores/registrations.ts'
import type { Client } from './caller.ts'
import { isCommonPassword } from './common-passwords.ts'
import type { Passwords } from './passwords.ts'
import { noteSecurityEvent } from './security-log.ts'
import { networkOf, type ThrottleDeps, throttle } from './throttle.ts'
import { type CodeDeps, sendCode } from './verification-codes.ts'

export interface RegisterDeps extends ThrottleDeps, CodeDeps {
  db: Db
  clock: Clock
  passwords: Passwords
}

export interface Registration {
  email: string
  password: string
  name: string
}

/**
 * Notes a registration and mails its code. Each registration of an unverified address keeps its own password, name and
 * code, so that nobody can slip a password under a pending account.
 */
export async function register(deps: RegisterDeps, { email, password, name }: Registration, client: Client) {
  if (isCommonPassword(password)) refuse('passwordCommon', 'password')
  await throttle(deps, 'registrations', networkOf(client.address))
  await refuseTaken(deps, email)
  await throttle(deps, 'firstCodes', email)
  const passwordHash = await deps.passwords.hash(password)
  const userId = await transaction(deps.db, async (tx) => {
    const now = deps.clock.now().getTime()
    const account = await createAccountStore(tx).addOrFind({
      id: newId('user', deps.randomness),
      email,
      created_at: now,
    })
    if (account.verified_at !== null) return refuse('emailTaken')
    const id = newId('registration', deps.randomness)
    const registration = { id, account_id: account.id, name, password_hash: passwordHash, created_at: now }
    await createRegistrationStore(tx).add({ ...registration, code_hash: null, code_expires_at: null, tries_left: 0 })
    await sendCode(deps, tx, email, registration)
    await noteSecurityEvent({ ...deps, db: tx }, account.id, 'account.registered', client)
    return account.id
  })
  return { userId, verificationSent: true }
}

async function refuseTaken(deps: RegisterDeps, email: string): Promise<void> {
  const account = await createAccountStore(deps.db).findByEmail(email)
  if (account?.verified_at) refuse('emailTaken')
}
