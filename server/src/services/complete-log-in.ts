import { refuse } from '../core/errors.ts'
import { type AccountRow, createAccountStore } from '../stores/accounts.ts'
import type { LoginChallengeRow } from '../stores/login-challenges.ts'
import { createSecondFactorStore } from '../stores/second-factors.ts'
import type { Client } from './caller.ts'
import { readDevice } from './known-device.ts'
import { type LoggedIn, type LogInDeps, welcome } from './log-in.ts'
import { beginChallenge, endChallenge, findChallenge, spendTry } from './login-challenge.ts'
import { type MailDeps, queueMail } from './mail.ts'
import { networkOf } from './network.ts'
import { canHavePasskeys, checkPasskey, type PasskeyQuestion, passkeyOptions } from './passkeys.ts'
import { spendRecoveryCode } from './recovery-codes.ts'
import type { FactorName } from './second-factor-due.ts'
import { openSecret, recordAndNotify } from './second-factors.ts'
import { noteSecurityEvent } from './security-log.ts'
import { clearCount, count, throttle, throttleClient } from './throttle.ts'
import { findStep } from './totp.ts'

export interface CompleteLogInDeps extends LogInDeps, MailDeps {}

/** One of three; the first that is given counts. */
export interface Proof {
  challenge: string
  code?: string | undefined
  recoveryCode?: string | undefined
  passkey?: object | undefined
}

/** Ends a log-in whose password was right. A try is counted before it is looked at, here and at the challenge. */
export async function completeLogIn(
  deps: CompleteLogInDeps,
  proof: Proof,
  device: string | undefined,
  client: Client,
): Promise<LoggedIn> {
  await throttleClient(deps, 'logins', client.address)
  const challengeRow = await findChallenge(deps, proof.challenge, 'second-factor')
  const account = await createAccountStore(deps.db).find(challengeRow.account_id ?? '')
  if (!account) return refuse('loginExpired')
  const place = await throttleTries(deps, account, device, client)
  await spendTry(deps, challengeRow)
  const factor = await findProven(deps, account, challengeRow, proof)
  if (!factor) return refuseFactor(deps, account, challengeRow, client)
  await endChallenge(deps, challengeRow)
  await clearCount(deps, 'secondFactors', place)
  if (factor === 'recovery-code') await recordAndNotify(deps, account.id, 'recovery-code.used', client)
  return welcome(deps, account, device, client, { secondFactor: factor })
}

/** Anyone who guesses knows the password already. The owner's own browsers are counted apart, so that nobody locks them out. */
async function throttleTries(
  deps: CompleteLogInDeps,
  { id, email }: AccountRow,
  device: string | undefined,
  client: Client,
): Promise<string> {
  const known = readDevice(deps, email, device)
  const place = `${id}:${known === undefined ? networkOf(client.address) : `device:${known}`}`
  await throttle(deps, 'secondFactors', place)
  if (known === undefined) await throttle(deps, 'secondFactorsAnywhere', id)
  return place
}

async function findProven(
  deps: CompleteLogInDeps,
  { id }: AccountRow,
  challengeRow: LoginChallengeRow,
  { code, recoveryCode, passkey }: Proof,
): Promise<FactorName | undefined> {
  if (code !== undefined) return (await isCodeRight(deps, id, code)) ? 'totp' : undefined
  if (recoveryCode !== undefined)
    return (await spendRecoveryCode(deps.db, id, recoveryCode)) ? 'recovery-code' : undefined
  if (passkey === undefined || challengeRow.passkey_challenge === null) return undefined
  const question = { challenge: challengeRow.passkey_challenge, response: passkey, isAlone: false }
  return (await findPasskeyOwner(deps, question)) === id ? 'passkey' : undefined
}

async function isCodeRight(deps: CompleteLogInDeps, accountId: string, code: string): Promise<boolean> {
  const store = createSecondFactorStore(deps.db)
  const now = deps.clock.now()
  for (const row of await store.listConfirmed(accountId)) {
    // One whose master secret is gone cannot be read: a recovery code is what is left.
    const isReadable = row.secret !== null && deps.secrets.isSealedHere(row.secret)
    const step = isReadable ? findStep(openSecret(deps, row), code, now) : undefined
    if (step !== undefined && (await store.use(row.id, step, now.getTime()))) return true
  }
  return false
}

/** Whose passkey signed the challenge, if one did. */
async function findPasskeyOwner(
  deps: CompleteLogInDeps,
  question: { challenge: string; response: object; isAlone: boolean },
): Promise<string | undefined> {
  const store = createSecondFactorStore(deps.db)
  const row = await store.findCredential(String((question.response as { id?: unknown }).id))
  if (!row) return undefined
  const signed = await checkPasskey(deps.config, row, question)
  if (signed === undefined || !(await store.use(row.id, signed, deps.clock.now().getTime()))) return undefined
  return row.account_id
}

async function refuseFactor(
  deps: CompleteLogInDeps,
  { id, email }: AccountRow,
  challengeRow: LoginChallengeRow,
  client: Client,
): Promise<never> {
  await noteSecurityEvent(deps, id, 'second-factor.failed', client)
  const isLastTry = challengeRow.tries_left <= 1
  if (isLastTry && (await count(deps, 'changeMails', `${id}:second-factor.failed`)).isAdmitted) {
    const facts = { publicUrl: deps.config.publicUrl, at: deps.clock.now(), address: client.address }
    await queueMail(deps, deps.db, email, 'secondFactorFailed', facts)
  }
  return refuse('secondFactorFailed')
}

/** A log-in by passkey alone: the authenticator holds the key and makes sure of its owner, which is two factors in one. */
export async function startPasskeyLogIn(deps: CompleteLogInDeps, client: Client): Promise<PasskeyQuestion> {
  if (!canHavePasskeys(deps.config)) return refuse('passkeysUnavailable')
  await throttleClient(deps, 'logins', client.address)
  const options = await passkeyOptions(deps.config, undefined)
  const question = { purpose: 'passkey-login', accountId: null, passkeyChallenge: options.challenge } as const
  const { token, expiresAt } = await beginChallenge(deps, question)
  return { challenge: token, options, expiresAt }
}

export async function logInWithPasskey(
  deps: CompleteLogInDeps,
  { challenge, response }: { challenge: string; response: object },
  device: string | undefined,
  client: Client,
): Promise<LoggedIn> {
  await throttleClient(deps, 'logins', client.address)
  const challengeRow = await findChallenge(deps, challenge, 'passkey-login')
  await spendTry(deps, challengeRow)
  const question = { challenge: challengeRow.passkey_challenge ?? '', response, isAlone: true }
  const accountId = await findPasskeyOwner(deps, question)
  const account = accountId === undefined ? undefined : await createAccountStore(deps.db).find(accountId)
  if (!account) return refuse('passkeyRefused')
  await endChallenge(deps, challengeRow)
  return welcome(deps, account, device, client, { secondFactor: 'passkey' })
}
