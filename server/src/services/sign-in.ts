import type { Config } from '../core/config.ts'
import { refuse } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import type { Log } from '../core/log.ts'
import { type Randomness, randomHex } from '../core/randomness.ts'
import type { Secrets } from '../core/secrets.ts'
import type { ProviderFailure, SignInParameters, SignInProvider, SignInSecrets } from '../gateways/sign-in-provider.ts'
import { type AccountRow, createAccountStore } from '../stores/accounts.ts'
import { transaction } from '../stores/database.ts'
import { createRegistrationStore } from '../stores/registrations.ts'
import type { Client } from './caller.ts'
import { type LogInDeps, type LogInOutcome, welcome } from './log-in.ts'
import { siteOf } from './network.ts'
import type { Passwords } from './passwords.ts'
import { requireSecondFactor } from './second-factor-due.ts'
import { noteSecurityEvent } from './security-log.ts'
import { throttleClient } from './throttle.ts'

export interface SignInDeps extends LogInDeps {
  config: Pick<Config, 'publicUrl'>
  secrets: Secrets
  randomness: Randomness
  passwords: Passwords
  log: Log
  signInProviders: readonly SignInProvider[]
}

const LIFETIME_MS = 10 * 60_000
const SECRET_BYTES = 32

/** Where to send the browser, and what it keeps until it comes back: sealed, so that only this service reads it. */
export async function startSignIn(
  deps: SignInDeps,
  providerId: string,
  client: Client,
): Promise<{ url: string; kept: string; lifetimeSeconds: number }> {
  await throttleClient(deps, 'logins', client.address)
  const provider = findProvider(deps, providerId)
  const draw = (): string => randomHex(deps.randomness, SECRET_BYTES)
  const secrets: SignInSecrets = { state: draw(), nonce: draw(), verifier: draw() }
  const outcome = await provider.begin(secrets)
  if (outcome.kind !== 'started') return refuseFailure(deps, provider, outcome)
  const expiresAt = deps.clock.now().getTime() + LIFETIME_MS
  const kept = deps.secrets.seal('sign-in', JSON.stringify({ ...secrets, expiresAt }), provider.id)
  return { url: outcome.url, kept, lifetimeSeconds: LIFETIME_MS / 1000 }
}

export interface ReturnedSignIn {
  provider: string
  /** What the provider appended to the redirect address. */
  parameters: SignInParameters
  /** What the browser kept since the start. */
  kept: string | undefined
  device: string | undefined
}

/**
 * Ends a sign-in. A person is an account by the email address that the provider verified and by nothing else; an account that asks for a
 * second factor asks for it here too.
 */
export async function completeSignIn(deps: SignInDeps, given: ReturnedSignIn, client: Client): Promise<LogInOutcome> {
  await throttleClient(deps, 'logins', client.address)
  const provider = findProvider(deps, given.provider)
  const secrets = openKept(deps, provider.id, given.kept)
  const answer = await provider.finish(given.parameters, secrets)
  if (answer.kind === 'unverified') return refuse('providerEmailUnverified')
  if (answer.kind !== 'person') return refuseFailure(deps, provider, answer)
  const email = answer.email.trim().toLowerCase()
  const account = await createAccountStore(deps.db).findByEmail(email)
  const detail = { provider: provider.id }
  if (account)
    return (await requireSecondFactor(deps, account.id)) ?? welcome(deps, account, given.device, client, detail)
  const made = await createAccount(deps, { email, name: nameOf(answer.name, email) }, provider, client)
  return welcome(deps, made, given.device, client, detail)
}

const findProvider = ({ signInProviders }: SignInDeps, id: string): SignInProvider =>
  signInProviders.find((provider) => provider.id === id) ?? refuse('providerNotFound')

function openKept(deps: SignInDeps, providerId: string, kept: string | undefined): SignInSecrets {
  if (kept === undefined) return refuse('signInExpired')
  try {
    const { expiresAt, ...secrets } = JSON.parse(deps.secrets.open('sign-in', kept, providerId))
    if (expiresAt > deps.clock.now().getTime()) return secrets
  } catch {
    // Changed, of another provider, or made under a secret that is gone.
  }
  return refuse('signInExpired')
}

function refuseFailure({ log }: SignInDeps, { id }: SignInProvider, { kind, reason }: ProviderFailure): never {
  log.warn({ provider: id, reason }, kind === 'away' ? 'a sign-in provider is away' : 'a sign-in was not confirmed')
  return refuse(kind === 'away' ? 'providerAway' : 'signInRefused')
}

const MAX_NAME = 100

const nameOf = (name: string | undefined, email: string): string =>
  [...(name?.trim() || email.replace(/@.*/, ''))].slice(0, MAX_NAME).join('')

/** Its password is one that nobody knows: the owner can choose one by way of a reset. */
async function createAccount(
  deps: SignInDeps,
  { email, name }: Pick<AccountRow, 'email' | 'name'>,
  provider: SignInProvider,
  client: Client,
): Promise<Pick<AccountRow, 'id' | 'email'>> {
  await throttleClient(deps, 'registrations', client.address)
  const id = newId('user', deps.randomness)
  const password_hash = await deps.passwords.hash(randomHex(deps.randomness, SECRET_BYTES), siteOf(client.address))
  await transaction(deps.db, async (tx) => {
    await createRegistrationStore(tx).discardAll(email, '')
    const row = { id, email, name, password_hash, verified_at: deps.clock.now().getTime() }
    if (!(await createAccountStore(tx).add(row))) refuse('signInExpired')
    await noteSecurityEvent({ ...deps, db: tx }, id, 'account.verified', client, { provider: provider.id })
  })
  return { id, email }
}
