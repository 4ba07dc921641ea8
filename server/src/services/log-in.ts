import type { Background } from '../core/background.ts'
import type { Config } from '../core/config.ts'
import { refuse } from '../core/errors.ts'
import { type AccountRow, createAccountStore } from '../stores/accounts.ts'
import { createRegistrationStore } from '../stores/registrations.ts'
import type { Client } from './caller.ts'
import { markDevice, readDevice } from './known-device.ts'
import { networkOf, siteOf } from './network.ts'
import type { Passwords } from './passwords.ts'
import { requireSecondFactor, type SecondFactorDue } from './second-factor-due.ts'
import { noteSecurityEvent } from './security-log.ts'
import { type SessionDeps, type StartedSession, startSession } from './sessions.ts'
import { clearCount, count, giveBack, type ThrottleDeps, throttle, throttleClient } from './throttle.ts'

export interface LogInDeps extends SessionDeps, ThrottleDeps {
  config: Pick<Config, 'publicUrl'>
  passwords: Passwords
  background: Background
  /** Waits; handed in, so that tests need not. */
  pause(ms: number): Promise<void>
}

export interface Credentials {
  email: string
  password: string
  /** What this browser kept from an earlier log-in. */
  device?: string | undefined
}

export interface LoggedIn extends StartedSession {
  kind: 'done'
  userId: string
  device: string
}

export type LogInOutcome = LoggedIn | SecondFactorDue

/**
 * Known or unknown address, right or wrong password: the same queries and one password hash. A failure is counted
 * before the password is looked at, so that parallel guesses cannot outrun the limit.
 */
export async function logIn(deps: LogInDeps, credentials: Credentials, client: Client): Promise<LogInOutcome> {
  const { email, password, device } = credentials
  await throttleClient(deps, 'logins', client.address)
  const known = readDevice(deps, email, device)
  const place = known === undefined ? networkOf(client.address) : `device:${known}`
  await throttle(deps, 'failedLogins', failuresAt(email, place))
  const failure = known === undefined ? await slowDown(deps, email) : undefined
  const account = await createAccountStore(deps.db).findByEmail(email)
  const passwordHash = await findPasswordHash(deps, account, email, client)
  const lane = siteOf(client.address)
  const isRight = passwordHash
    ? await deps.passwords.verify(passwordHash, password, lane)
    : await deps.passwords.verifyNothing(password, lane)
  if (!isRight) return refuseLogin(deps, account, client)
  await clearCount(deps, 'failedLogins', failuresAt(email, place))
  if (failure !== undefined) await giveBack(deps, 'failedLoginsAnywhere', email, failure)
  if (!account) return refuse('emailUnverified')
  return (await requireSecondFactor(deps, account.id)) ?? welcome(deps, account, device, client)
}

/** Starts the session, once the account's second factor was given. */
export async function welcome(
  deps: SessionDeps,
  { id, email }: Pick<AccountRow, 'id' | 'email'>,
  device: string | undefined,
  client: Client,
  detail?: Record<string, string>,
): Promise<LoggedIn> {
  const session = await startSession(deps, id, client)
  await noteSecurityEvent(deps, id, 'login.succeeded', client, detail)
  const isKnown = readDevice(deps, email, device) !== undefined
  return { kind: 'done', userId: id, ...session, device: isKnown ? (device ?? '') : markDevice(deps, email) }
}

/** Outsiders' attempts are counted where they are made: they never lock the owner out. */
const failuresAt = (email: string, place: string): string => `${email}:${place}`

/** After a reset: the owner is back, whatever was tried before. */
export async function forgetFailures(deps: ThrottleDeps, email: string, client: Client): Promise<void> {
  await clearCount(deps, 'failedLogins', failuresAt(email, networkOf(client.address)))
  await clearCount(deps, 'failedLoginsAnywhere', email)
}

const FREE_FAILURES = 100
const STEP_MS = 250
const LONGEST_MS = 10_000

/** Many networks guessing at one account: each further try costs more time, for known and unknown addresses alike. */
async function slowDown(deps: LogInDeps, email: string): Promise<number | undefined> {
  const stamp = deps.clock.now().getTime()
  const outcome = await count(deps, 'failedLoginsAnywhere', email)
  const ms = outcome.isAdmitted ? Math.min((outcome.count - FREE_FAILURES) * STEP_MS, LONGEST_MS) : LONGEST_MS
  if (ms > 0) await deps.pause(ms)
  return outcome.isAdmitted ? stamp : undefined
}

/** A pending registration answers to its own password; the newest one counts, of this network if there is one. */
async function findPasswordHash(deps: LogInDeps, account: AccountRow | undefined, email: string, client: Client) {
  const pending = await createRegistrationStore(deps.db).findNewest(email, networkOf(client.address))
  return account?.password_hash ?? pending?.password_hash
}

function refuseLogin(deps: LogInDeps, account: AccountRow | undefined, client: Client): never {
  // After the answer: a note for known accounts alone would make them slower than unknown ones.
  if (account)
    deps.background.run('note failed login', () => noteSecurityEvent(deps, account.id, 'login.failed', client))
  return refuse('loginFailed')
}
