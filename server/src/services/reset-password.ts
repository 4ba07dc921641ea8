import { z } from 'zod'
import { addSeconds, type Clock } from '../core/clock.ts'
import type { Config } from '../core/config.ts'
import { refuse } from '../core/errors.ts'
import { type Randomness, randomHex } from '../core/randomness.ts'
import type { Secrets } from '../core/secrets.ts'
import { defineJobKind } from '../queue/job.ts'
import { createAccountStore } from '../stores/accounts.ts'
import { createApiKeyStore } from '../stores/api-keys.ts'
import { type Db, transaction } from '../stores/database.ts'
import { createLoginChallengeStore } from '../stores/login-challenges.ts'
import { createPasswordResetStore } from '../stores/password-resets.ts'
import { createSessionStore } from '../stores/sessions.ts'
import type { KeyAuthenticator } from './authenticate-key.ts'
import type { Client } from './caller.ts'
import type { CommonPasswords } from './common-passwords.ts'
import { refuseWeakPassword } from './guessable-passwords.ts'
import { forgetFailures } from './log-in.ts'
import { type MailDeps, queueMail } from './mail.ts'
import { networkOf, siteOf } from './network.ts'
import type { Passwords } from './passwords.ts'
import { noteSecurityEvent } from './security-log.ts'
import { type ThrottleDeps, throttle, throttleClient } from './throttle.ts'

/** The request only queues this: whether the address is known shows nowhere in its answer or its time. */
export const sendResetJob = defineJobKind({
  name: 'send-reset',
  payload: z.object({ email: z.string(), address: z.string(), userAgent: z.string() }),
  retryAfterSeconds: [1, 5, 30],
})

export interface SendResetDeps extends MailDeps {
  db: Db
  clock: Clock
  secrets: Secrets
  randomness: Randomness
  config: Pick<Config, 'publicUrl'>
}

const TOKEN_BYTES = 32
const LIFETIME_SECONDS = 3600

export async function requestReset(deps: ThrottleDeps & MailDeps, email: string, client: Client): Promise<void> {
  await throttleClient(deps, 'resetRequests', client.address)
  await throttle(deps, 'resets', `${email}:${networkOf(client.address)}`)
  await deps.queue.enqueue(deps.db, sendResetJob, { email, ...client })
}

export async function sendReset(deps: SendResetDeps, job: z.infer<typeof sendResetJob.payload>): Promise<void> {
  const { email, ...client } = job
  await transaction(deps.db, async (tx) => {
    const account = await createAccountStore(tx).findByEmail(email)
    if (!account) return
    const now = deps.clock.now()
    const token = randomHex(deps.randomness, TOKEN_BYTES)
    await createPasswordResetStore(tx).add({
      token_index: deps.secrets.index('reset', token),
      account_id: account.id,
      expires_at: addSeconds(now, LIFETIME_SECONDS).getTime(),
      created_at: now.getTime(),
    })
    const keys = await createApiKeyStore(tx).listActive(account.id, now.getTime())
    const facts = { publicUrl: deps.config.publicUrl, token, requestedAt: now, keyNames: keys.map(({ name }) => name) }
    await queueMail(deps, tx, email, 'reset', facts)
    await noteSecurityEvent({ ...deps, db: tx }, account.id, 'password.reset-requested', client)
  })
}

export interface ResetPasswordDeps extends SendResetDeps {
  passwords: Passwords
  commonPasswords: CommonPasswords
  keyAuthenticator: Pick<KeyAuthenticator, 'forget'>
}

export interface PasswordReset {
  token: string
  newPassword: string
  /** Anyone who had the account may have made keys: the owner decides what becomes of those found. */
  revokeApiKeys: boolean
}

export interface FoundKey {
  id: string
  name: string
}

/**
 * Sets a new password, ends every session, and revokes or lists the API keys it finds. The token is looked at before the costly
 * hash is made.
 */
export async function resetPassword(
  deps: ResetPasswordDeps,
  { token, newPassword, revokeApiKeys }: PasswordReset,
  client: Client,
): Promise<{ revoked: FoundKey[]; active: FoundKey[] }> {
  const now = deps.clock.now()
  const found = await createPasswordResetStore(deps.db).find(deps.secrets.indexes('reset', token), now.getTime())
  if (!found) return refuse('resetTokenInvalid')
  const owner = await createAccountStore(deps.db).find(found.account_id)
  if (!owner) return refuse('resetTokenInvalid')
  refuseWeakPassword(deps, 'newPassword', newPassword, owner)
  const passwordHash = await deps.passwords.hash(newPassword, siteOf(client.address))
  const accountId = found.account_id
  const keys = await transaction(deps.db, async (tx) => {
    const inside = { ...deps, db: tx }
    const resets = createPasswordResetStore(tx)
    if (!(await resets.spend(found.token_index))) refuse('resetTokenInvalid')
    const accounts = createAccountStore(tx)
    await accounts.setPassword(accountId, passwordHash)
    await resets.removeAll(accountId)
    await createSessionStore(tx).removeAll(accountId)
    await createLoginChallengeStore(tx).removeAll(accountId)
    await noteSecurityEvent(inside, accountId, 'password.changed', client)
    const rows = await createApiKeyStore(tx).listActive(accountId, now.getTime())
    const listed = rows.map(({ id, name }) => ({ id, name }))
    if (revokeApiKeys) await revokeAll(inside, accountId, listed, client)
    const account = await accounts.find(accountId)
    if (account) {
      await forgetFailures(inside, account.email, client)
      const facts = { publicUrl: deps.config.publicUrl, at: now, keyNames: rows.map(({ name }) => name) }
      await queueMail(deps, tx, account.email, 'passwordChanged', { ...facts, areKeysRevoked: revokeApiKeys })
    }
    return listed
  })
  if (!revokeApiKeys) return { revoked: [], active: keys }
  for (const { id } of keys) deps.keyAuthenticator.forget(id)
  return { revoked: keys, active: [] }
}

async function revokeAll(
  deps: { db: Db; clock: Clock },
  accountId: string,
  keys: readonly FoundKey[],
  client: Client,
): Promise<void> {
  const at = deps.clock.now().getTime()
  for (const { id } of keys) {
    await createApiKeyStore(deps.db).revoke(accountId, id, at)
    await noteSecurityEvent(deps, accountId, 'key.revoked', client, { keyId: id, because: 'password reset' })
  }
}
