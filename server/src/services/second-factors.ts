import { addDays, type Clock } from '../core/clock.ts'
import type { Config } from '../core/config.ts'
import { refuse } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import type { Randomness } from '../core/randomness.ts'
import type { Secrets } from '../core/secrets.ts'
import { createAccountStore } from '../stores/accounts.ts'
import { type Db, transaction } from '../stores/database.ts'
import { createLoginChallengeStore } from '../stores/login-challenges.ts'
import { createRecoveryCodeStore } from '../stores/recovery-codes.ts'
import { createSecondFactorStore, type FactorKind, type SecondFactorRow } from '../stores/second-factors.ts'
import { createSessionStore } from '../stores/sessions.ts'
import type { Client, SessionCaller, UserIdCaller } from './caller.ts'
import { type ConfirmPasswordDeps, confirmPassword } from './confirm-password.ts'
import { type MailDeps, queueMail } from './mail.ts'
import { makeRecoveryCodes } from './recovery-codes.ts'
import { noteSecurityEvent, type SecurityEventKind, securityEvents } from './security-log.ts'
import { throttle } from './throttle.ts'
import { findStep, toBase32, totpUri } from './totp.ts'

export interface SecondFactorDeps extends MailDeps, ConfirmPasswordDeps {
  db: Db
  clock: Clock
  secrets: Secrets
  randomness: Randomness
  config: Pick<Config, 'publicUrl'>
}

export interface SecondFactorView {
  id: string
  kind: FactorKind
  name: string
  createdAt: string
  lastUsedAt: string | null
}

const MAX_FACTORS = 10
const SECRET_BYTES = 20

export async function listSecondFactors({ db }: Pick<SecondFactorDeps, 'db'>, accountId: string) {
  const rows = await createSecondFactorStore(db).listConfirmed(accountId)
  return { factors: rows.map(describe), recoveryCodesLeft: await createRecoveryCodeStore(db).count(accountId) }
}

const describe = (row: SecondFactorRow): SecondFactorView => ({
  id: row.id,
  kind: row.kind,
  name: row.name,
  createdAt: new Date(row.created_at).toISOString(),
  lastUsedAt: row.last_used_at === null ? null : new Date(row.last_used_at).toISOString(),
})

export async function refuseTooManyFactors({ db }: Pick<SecondFactorDeps, 'db'>, accountId: string): Promise<void> {
  const { length } = await createSecondFactorStore(db).listConfirmed(accountId)
  if (length >= MAX_FACTORS) refuse('tooManyFactors', MAX_FACTORS)
}

/** A secret for an authenticator app. It asks for nothing until a code of it was entered. */
export async function enrolTotp(
  deps: SecondFactorDeps,
  accountId: string,
  { name, password }: { name: string; password: string },
  client: Client,
): Promise<{ id: string; secret: string; uri: string }> {
  const account = await confirmPassword(deps, accountId, password, client)
  await refuseTooManyFactors(deps, accountId)
  const id = newId('factor', deps.randomness)
  const secret = deps.randomness.bytes(SECRET_BYTES)
  const row = newFactor(deps, { id, accountId, kind: 'totp', name })
  await createSecondFactorStore(deps.db).add({ ...row, secret: sealSecret(deps, id, secret) })
  return { id, secret: toBase32(secret), uri: totpUri(secret, account.email) }
}

const sealSecret = ({ secrets }: SecondFactorDeps, id: string, secret: Buffer): string =>
  secrets.seal('totp', secret.toString('base64url'), id)

export const openSecret = ({ secrets }: { secrets: Secrets }, row: SecondFactorRow): Buffer =>
  Buffer.from(secrets.open('totp', row.secret ?? '', row.id), 'base64url')

export const newFactor = (
  { clock }: Pick<SecondFactorDeps, 'clock'>,
  { id, accountId, kind, name }: { id: string; accountId: string; kind: FactorKind; name: string },
): SecondFactorRow => ({
  id,
  account_id: accountId,
  kind,
  name,
  secret: null,
  credential_id: null,
  public_key: null,
  transports: '',
  last_count: 0,
  created_at: clock.now().getTime(),
  confirmed_at: null,
  last_used_at: null,
})

export interface Added {
  /** Made with the first factor, and shown this once. */
  recoveryCodes: string[] | undefined
}

export async function confirmTotp(
  deps: SecondFactorDeps,
  accountId: string,
  { id, code, ending }: { id: string; code: string; ending: Ending },
  client: Client,
): Promise<Added> {
  const row = await createSecondFactorStore(deps.db).find(accountId, id)
  const isWaiting = row?.kind === 'totp' && row.confirmed_at === null && deps.secrets.isSealedHere(row.secret ?? '')
  if (!isWaiting) return refuse('factorNotFound')
  await throttle(deps, 'secondFactors', `confirm:${id}`)
  const now = deps.clock.now()
  const step = findStep(openSecret(deps, row), code, now)
  if (step === undefined) return refuse('factorCodeWrong')
  return transaction(deps.db, async (tx) => {
    await createAccountStore(tx).lock(accountId)
    await refuseTooManyFactors({ db: tx }, accountId)
    if (!(await createSecondFactorStore(tx).confirm(id, step, now.getTime()))) refuse('factorNotFound')
    return noteAdded({ ...deps, db: tx }, accountId, row, client, ending)
  })
}

/** Which sessions end with a new factor: none, or all but one. */
export type Ending = { readonly but: string } | undefined

export const endingOf = (caller: SessionCaller | UserIdCaller, isWished: boolean): Ending =>
  isWished ? { but: caller.via === 'session' ? caller.sessionId : '' } : undefined

/** In the transaction that added it: the first factor brings recovery codes with it. */
export async function noteAdded(
  deps: SecondFactorDeps,
  accountId: string,
  { kind, name }: Pick<SecondFactorRow, 'kind' | 'name'>,
  client: Client,
  ending: Ending,
): Promise<Added> {
  await recordAndNotify(deps, accountId, 'second-factor.added', client, { kind, name })
  if (ending) {
    await createSessionStore(deps.db).removeOthers(accountId, ending.but)
    await noteSecurityEvent(deps, accountId, 'sessions.ended', client)
  }
  const { length } = await createSecondFactorStore(deps.db).listConfirmed(accountId)
  const isFirst = length === 1
  return { recoveryCodes: isFirst ? await makeRecoveryCodes(deps.db, deps.randomness, accountId) : undefined }
}

/** The last one takes the recovery codes with it. Log-ins that wait for a second factor are void. */
export async function removeSecondFactor(
  deps: SecondFactorDeps,
  accountId: string,
  { id, password }: { id: string; password: string },
  client: Client,
): Promise<void> {
  await confirmPassword(deps, accountId, password, client)
  await transaction(deps.db, async (tx) => {
    const store = createSecondFactorStore(tx)
    await createAccountStore(tx).lock(accountId)
    const row = await store.find(accountId, id)
    if (!row || !(await store.remove(accountId, id))) return refuse('factorNotFound')
    await createLoginChallengeStore(tx).removeAll(accountId)
    const { length } = await store.listConfirmed(accountId)
    if (length === 0) await createRecoveryCodeStore(tx).removeAll(accountId)
    if (row.confirmed_at === null) return
    await recordAndNotify({ ...deps, db: tx }, accountId, 'second-factor.removed', client, {
      kind: row.kind,
      name: row.name,
    })
  })
}

/** By the operator, for anyone who lost them all. */
export async function removeAllSecondFactors(
  deps: MailDeps & Pick<SecondFactorDeps, 'db' | 'clock' | 'config'>,
  accountId: string,
  client: Client,
): Promise<number> {
  return transaction(deps.db, async (tx) => {
    const removed = await createSecondFactorStore(tx).removeAll(accountId)
    await createRecoveryCodeStore(tx).removeAll(accountId)
    await createLoginChallengeStore(tx).removeAll(accountId)
    if (removed > 0) await recordAndNotify({ ...deps, db: tx }, accountId, 'second-factor.removed', client)
    return removed
  })
}

export async function renewRecoveryCodes(
  deps: SecondFactorDeps,
  accountId: string,
  password: string,
  client: Client,
): Promise<string[]> {
  await confirmPassword(deps, accountId, password, client)
  return transaction(deps.db, async (tx) => {
    await createAccountStore(tx).lock(accountId)
    const { length } = await createSecondFactorStore(tx).listConfirmed(accountId)
    if (length === 0) return refuse('noSecondFactor')
    await recordAndNotify({ ...deps, db: tx }, accountId, 'recovery-codes.made', client)
    return makeRecoveryCodes(tx, deps.randomness, accountId)
  })
}

/** In the owner's log and by mail, in the caller's transaction. */
export async function recordAndNotify(
  deps: MailDeps & Pick<SecondFactorDeps, 'db' | 'clock' | 'config'>,
  accountId: string,
  kind: SecurityEventKind,
  client: Client,
  detail?: Record<string, string>,
): Promise<void> {
  await noteSecurityEvent(deps, accountId, kind, client, detail)
  const account = await createAccountStore(deps.db).find(accountId)
  const facts = { publicUrl: deps.config.publicUrl, change: securityEvents[kind], at: deps.clock.now() }
  if (account) await queueMail(deps, deps.db, account.email, 'secondFactorChanged', facts)
}

const KEEP_UNCONFIRMED_DAYS = 1

/** Deletes what was begun and never ended. */
export async function sweepSecondFactors(db: Db, now: Date): Promise<void> {
  await createLoginChallengeStore(db).deleteExpired(now.getTime())
  await createSecondFactorStore(db).deleteUnconfirmed(addDays(now, -KEEP_UNCONFIRMED_DAYS).getTime())
}
