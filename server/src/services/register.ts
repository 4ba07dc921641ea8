import type { Clock } from '../core/clock.ts'
import { refuse } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import { createAccountStore } from '../stores/accounts.ts'
import { type Db, transaction } from '../stores/database.ts'
import { createRegistrationStore } from '../stores/registrations.ts'
import type { Client } from './caller.ts'
import type { CommonPasswords } from './common-passwords.ts'
import { refuseWeakPassword } from './guessable-passwords.ts'
import { networkOf, siteOf } from './network.ts'
import type { Passwords } from './passwords.ts'
import { type ThrottleDeps, throttleClient, throttleCodes } from './throttle.ts'
import { type CodeDeps, sendCode } from './verification-codes.ts'

export interface RegisterDeps extends ThrottleDeps, CodeDeps {
  db: Db
  clock: Clock
  passwords: Passwords
  commonPasswords: CommonPasswords
}

export interface Registration {
  email: string
  password: string
  name: string
}

/**
 * Notes a registration and mails its code. Each has its own userId, password, name and code, so that nobody can slip a
 * password under a pending account, and who registers another person's address learns nothing of the account that comes to be.
 */
export async function register(deps: RegisterDeps, { email, password, name }: Registration, client: Client) {
  refuseWeakPassword(deps, 'password', password, { email, name })
  await throttleClient(deps, 'registrations', client.address)
  if (await createAccountStore(deps.db).findByEmail(email)) refuse('emailTaken')
  await throttleCodes(deps, email, client.address)
  const passwordHash = await deps.passwords.hash(password, siteOf(client.address))
  const registration = {
    id: newId('registration', deps.randomness),
    user_id: newId('user', deps.randomness),
    email,
    network: networkOf(client.address),
    name,
    password_hash: passwordHash,
    created_at: deps.clock.now().getTime(),
  }
  await transaction(deps.db, async (tx) => {
    const noCode = { code_hash: null, code_expires_at: null, tries_left: 0, foreign_tries_left: 0 }
    await createRegistrationStore(tx).add({ ...registration, ...noCode })
    await sendCode(deps, tx, registration)
  })
  return { userId: registration.user_id, verificationSent: true }
}
