import { addDays, addMonths, addSeconds, type Clock } from '../core/clock.ts'
import type { Config } from '../core/config.ts'
import { refuse } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import { type KeyType, keyLifetimeMonths, maxActiveKeys } from '../core/plans.ts'
import type { Randomness } from '../core/randomness.ts'
import type { Scope } from '../core/scopes.ts'
import type { Secrets } from '../core/secrets.ts'
import { type AccountRow, createAccountStore } from '../stores/accounts.ts'
import { type ApiKeyRow, createApiKeyStore, type KeyChanges } from '../stores/api-keys.ts'
import { afterCommit, type Db, transaction } from '../stores/database.ts'
import { allShows, createShareLinkStore } from '../stores/share-links.ts'
import { createWebhookStore } from '../stores/webhooks.ts'
import type { KeyAuthenticator } from './authenticate-key.ts'
import type { Client } from './caller.ts'
import { makeKeyValue } from './key-format.ts'
import { scopesOf, writeScopes } from './key-scopes.ts'
import { getLimits, requestsPerHour as hourlyLimit } from './limits.ts'
import { type MailDeps, queueMail } from './mail.ts'
import { recipientsOf } from './recipients.ts'
import { noteSecurityEvent } from './security-log.ts'
import { throttle } from './throttle.ts'

export interface KeyDeps extends MailDeps {
  db: Db
  clock: Clock
  secrets: Secrets
  randomness: Randomness
  config: Pick<Config, 'publicUrl'>
  keyAuthenticator: Pick<KeyAuthenticator, 'forget' | 'flushUses'>
}

export type KeyStatus = 'ACTIVE' | 'EXPIRED' | 'REVOKED'

export interface NewKey {
  id: string
  keyValue: string
  type: KeyType
  expiresAt: string
}

export interface KeyView extends NewKey {
  name: string
  status: KeyStatus
  scopes: readonly Scope[]
  requestsPerHour: number | null
  scansPerDay: number | null
  createdAt: string
  lastUsedAt: string | null
}

export interface KeyWish {
  type: KeyType
  name: string
  /** Absent: as long as keys of the type usually live. */
  expiresInDays?: number | undefined
  /** Absent: all. */
  scopes?: readonly Scope[] | undefined
  /** Below those of the account; absent or null: those of the account alone. */
  requestsPerHour?: number | null | undefined
  scansPerDay?: number | null | undefined
}

/** What is not given stays as it is. */
export interface KeyPatch extends Pick<KeyWish, 'scopes' | 'requestsPerHour' | 'scansPerDay'> {
  name?: string | undefined
}

/** Makes a key in the caller's transaction, if there is one; `afterwards` runs in the same transaction. */
export async function generateKey(
  deps: KeyDeps,
  accountId: string,
  wish: KeyWish,
  client: Client,
  afterwards: (tx: Db, key: NewKey) => Promise<void> = async () => {},
): Promise<NewKey> {
  return transaction(deps.db, async (tx) => {
    const account = await lockVerified(tx, accountId)
    await refuseTooMany(deps, tx, accountId, maxActiveKeys)
    await throttle({ ...deps, db: tx }, 'keyChanges', accountId)
    await assertLower(tx, accountId, wish.type, wish)
    const key = await addKey(deps, tx, account, { ...wish, maker: client.member ?? accountId })
    const { name, type } = wish
    await noteSecurityEvent({ ...deps, db: tx }, accountId, 'key.created', client, { keyId: key.id, name, type })
    await afterwards(tx, key)
    return key
  })
}

/** The new key works now; the old one ends after the overlap. */
export async function rotateKey(
  deps: KeyDeps,
  accountId: string,
  id: string,
  overlapSeconds: number,
  client: Client,
): Promise<{ key: NewKey; previous: { id: string; expiresAt: string } }> {
  return transaction(deps.db, async (tx) => {
    const account = await lockVerified(tx, accountId)
    const keys = createApiKeyStore(tx)
    const old = await keys.find(accountId, id)
    if (!old) return refuse('keyNotFound')
    const now = deps.clock.now()
    if (statusOf(old, now) !== 'ACTIVE') return refuse('keyNotActive')
    // The old key leaves: only the others count.
    await refuseTooMany(deps, tx, accountId, maxActiveKeys + 1)
    const endsAt = Math.min(old.expires_at, addSeconds(now, overlapSeconds).getTime())
    if (overlapSeconds === 0) await keys.revoke(accountId, id, now.getTime())
    else await keys.setExpiry(accountId, id, endsAt)
    await throttle({ ...deps, db: tx }, 'keyChanges', accountId)
    const key = await addKey(deps, tx, account, {
      type: old.type,
      name: old.name,
      scopes: scopesOf(old),
      requestsPerHour: old.requests_per_hour,
      scansPerDay: old.scans_per_day,
      replaces: id,
      maker: client.member ?? accountId,
    })
    // What the old one made goes on with the new one.
    await createShareLinkStore(tx).setMaker(accountId, [id], allShows, key.id)
    await createWebhookStore(tx).setMaker(accountId, [id], key.id)
    await noteSecurityEvent({ ...deps, db: tx }, accountId, 'key.rotated', client, { keyId: id, newKeyId: key.id })
    afterCommit(tx, () => deps.keyAuthenticator.forget(id))
    return { key, previous: { id, expiresAt: new Date(endsAt).toISOString() } }
  })
}

/** Another name, other scopes or limits; they hold from the next request on, on other replicas within seconds. */
export async function changeKey(
  deps: KeyDeps,
  accountId: string,
  id: string,
  patch: KeyPatch,
  client: Client,
): Promise<KeyView> {
  const changed = await transaction(deps.db, async (tx) => {
    const keys = createApiKeyStore(tx)
    const old = await keys.find(accountId, id)
    if (!old) return refuse('keyNotFound')
    await assertLower(tx, accountId, old.type, patch)
    await throttle({ ...deps, db: tx }, 'keyChanges', accountId)
    const changes = toChanges(patch)
    // What nothing is said of is not changed, and a statement that sets nothing is none.
    const row = Object.keys(changes).length === 0 ? old : await keys.change(accountId, id, changes)
    const detail = { keyId: id, changed: Object.keys(patch).join(', ') }
    await noteSecurityEvent({ ...deps, db: tx }, accountId, 'key.changed', client, detail)
    afterCommit(tx, () => deps.keyAuthenticator.forget(id))
    return row ?? refuse('keyNotFound')
  })
  return toView(deps, changed, deps.clock.now())
}

const toChanges = ({ name, scopes, requestsPerHour, scansPerDay }: KeyPatch): KeyChanges => ({
  ...(name !== undefined && { name }),
  ...(scopes !== undefined && { scopes: writeScopes(scopes) }),
  ...(requestsPerHour !== undefined && { requests_per_hour: requestsPerHour }),
  ...(scansPerDay !== undefined && { scans_per_day: scansPerDay }),
})

/** A limit above the account's would promise what it cannot keep. */
async function assertLower(tx: Db, accountId: string, type: KeyType, wish: KeyPatch): Promise<void> {
  const { requestsPerHour = null, scansPerDay = null } = wish
  if (requestsPerHour === null && scansPerDay === null) return
  const limits = await getLimits({ db: tx }, accountId)
  const most = hourlyLimit(limits, type)
  if (requestsPerHour !== null && requestsPerHour > most)
    refuse('invalid', `requestsPerHour must be at most ${most}, the limit of the account.`)
  if (scansPerDay !== null && scansPerDay > limits.scansPerDay)
    refuse('invalid', `scansPerDay must be at most ${limits.scansPerDay}, the limit of the account.`)
}

export async function revokeKey(deps: KeyDeps, accountId: string, id: string, client: Client): Promise<void> {
  await transaction(deps.db, async (tx) => {
    const keys = createApiKeyStore(tx)
    if (!(await keys.find(accountId, id))) return refuse('keyNotFound')
    afterCommit(tx, () => deps.keyAuthenticator.forget(id))
    // Revoking twice is the same wish granted twice.
    if (!(await keys.revoke(accountId, id, deps.clock.now().getTime()))) return
    await throttle({ ...deps, db: tx }, 'keyChanges', accountId)
    await noteSecurityEvent({ ...deps, db: tx }, accountId, 'key.revoked', client, { keyId: id })
  })
}

/**
 * All keys of the account with their values: the one place where they are opened. A key sealed by a master secret that is no longer
 * given cannot be shown and opens nothing; it is listed with an empty value, so that its owner can see, revoke and replace it.
 */
export async function listKeys(deps: KeyDeps, accountId: string): Promise<KeyView[]> {
  await deps.keyAuthenticator.flushUses()
  const rows = await createApiKeyStore(deps.db).list(accountId)
  const now = deps.clock.now()
  return rows.map((row) => toView(deps, row, now))
}

const toView = ({ secrets }: Pick<KeyDeps, 'secrets'>, row: ApiKeyRow, now: Date): KeyView => ({
  id: row.id,
  name: row.name,
  keyValue: secrets.isSealedHere(row.sealed) ? secrets.open('api-key', row.sealed, row.id) : '',
  type: row.type,
  expiresAt: new Date(row.expires_at).toISOString(),
  status: statusOf(row, now),
  scopes: scopesOf(row),
  requestsPerHour: row.requests_per_hour,
  scansPerDay: row.scans_per_day,
  createdAt: new Date(row.created_at).toISOString(),
  lastUsedAt: row.last_used_at === null ? null : new Date(row.last_used_at).toISOString(),
})

/** How many living keys nobody can open, because the master secret was changed without naming the one before. */
export const countLostKeys = ({ db, clock, secrets }: Pick<KeyDeps, 'db' | 'clock' | 'secrets'>): Promise<number> =>
  createApiKeyStore(db).countSealedByOthers(secrets.sealedStarts, clock.now().getTime())

const statusOf = (row: Pick<ApiKeyRow, 'revoked_at' | 'expires_at'>, now: Date): KeyStatus =>
  row.revoked_at !== null ? 'REVOKED' : row.expires_at <= now.getTime() ? 'EXPIRED' : 'ACTIVE'

/** Holds the account, so that two requests cannot both take the last place. */
async function lockVerified(tx: Db, accountId: string): Promise<AccountRow> {
  const accounts = createAccountStore(tx)
  await accounts.lock(accountId)
  const account = await accounts.find(accountId)
  return account ?? refuse('emailUnverified')
}

async function refuseTooMany(deps: KeyDeps, tx: Db, accountId: string, max: number): Promise<void> {
  const active = await createApiKeyStore(tx).countActive(accountId, deps.clock.now().getTime())
  if (active >= max) refuse('tooManyKeys')
}

function expiryOf(type: KeyType, now: Date, days: number | undefined): Date {
  const { usual, longest } = keyLifetimeMonths[type]
  if (days === undefined) return addMonths(now, usual)
  const [chosen, latest] = [addDays(now, days), addMonths(now, longest)]
  if (chosen <= latest) return chosen
  const most = Math.floor((latest.getTime() - now.getTime()) / 86_400_000)
  return refuse('invalid', `expiresInDays must be at most ${most} for a ${type} key.`)
}

async function addKey(
  deps: KeyDeps,
  tx: Db,
  account: AccountRow,
  { type, name, expiresInDays, replaces, maker, ...wish }: KeyWish & { replaces?: string; maker: string },
): Promise<NewKey> {
  const id = newId('key', deps.randomness)
  const keyValue = makeKeyValue(type, deps.randomness)
  const now = deps.clock.now()
  const expiresAt = expiryOf(type, now, expiresInDays)
  await createApiKeyStore(tx).add({
    id,
    account_id: account.id,
    name,
    type,
    key_index: deps.secrets.index('api-key', keyValue),
    sealed: deps.secrets.seal('api-key', keyValue, id),
    created_at: now.getTime(),
    expires_at: expiresAt.getTime(),
    revoked_at: null,
    last_used_at: null,
    expiry_noticed_at: null,
    scopes: writeScopes(wish.scopes),
    requests_per_hour: wish.requestsPerHour ?? null,
    scans_per_day: wish.scansPerDay ?? null,
    maker,
  })
  const facts = {
    publicUrl: deps.config.publicUrl,
    keyName: name,
    keyType: type,
    at: now,
    ...(replaces && { replaces }),
  }
  for (const address of await recipientsOf(tx, account)) await queueMail(deps, tx, address, 'newKey', facts)
  return { id, keyValue, type, expiresAt: expiresAt.toISOString() }
}
