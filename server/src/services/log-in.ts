import type { Background } from '../core/background.ts'
import { refuse } from '../core/errors.ts'
import { type AccountRow, createAccountStore } from '../stores/accounts.ts'
import { createRegistrationStore } from '../stores/registrations.ts'
import type { Client } from './caller.ts'
import type { Passwords } from './passwords.ts'
import { noteSecurityEvent } from './security-log.ts'
import { type SessionDeps, type StartedSession, startSession } from './sessions.ts'
import { giveBack, networkOf, type ThrottleDeps, throttle } from './throttle.ts'

export interface LogInDeps extends SessionDeps, ThrottleDeps {
  passwords: Passwords
  background: Background
}

export interface LoggedIn extends StartedSession {
  userId: string
}

/**
 * Known or unknown address, right or wrong password: the same queries and one password hash. A failure is counted
 * before the password is looked at, so that parallel guesses cannot outrun the limit.
 */
export async function logIn(
  deps: LogInDeps,
  { email, password }: { email: string; password: string },
  client: Client,
): Promise<LoggedIn> {
  await throttle(deps, 'logins', networkOf(client.address))
  const failure = await throttle(deps, 'failedLogins', email)
  const account = await createAccountStore(deps.db).findByEmail(email)
  const passwordHash = await findPasswordHash(deps, account)
  const isRight = passwordHash
    ? await deps.passwords.verify(passwordHash, password)
    : await deps.passwords.verifyNothing(password)
  if (!account || !isRight) return refuseLogin(deps, account, client)
  await giveBack(deps, 'failedLogins', email, failure)
  if (account.verified_at === null) return refuse('emailUnverified')
  const session = await startSession(deps, account.id, client)
  await noteSecurityEvent(deps, account.id, 'login.succeeded', client)
  return { userId: account.id, ...session }
}

/** A pending account answers to the password of its newest registration. */
async function findPasswordHash(deps: LogInDeps, account: AccountRow | undefined): Promise<string | undefined> {
  const [pending] = await createRegistrationStore(deps.db).list(account?.id ?? '', 1)
  return account?.password_hash ?? pending?.password_hash
}

function refuseLogin(deps: LogInDeps, account: AccountRow | undefined, client: Client): never {
  // After the answer: a note for known accounts alone would make them slower than unknown ones.
  if (account)
    deps.background.run('note failed login', () => noteSecurityEvent(deps, account.id, 'login.failed', client))
  return refuse('loginFailed')
}
