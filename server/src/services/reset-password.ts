import { z } from 'zod'
import { addSeconds, type Clock } from '../core/clock.ts'
import type { Config } from '../core/config.ts'
import { refuse } from '../core/errors.ts'
import { type Randomness, randomHex } from '../core/randomness.ts'
import type { Secrets } from '../core/secrets.ts'
import { defineJobKind } from '../queue/job.ts'
import { createAccountStore } from '../stores/accounts.ts'
import { type Db, transaction } from '../stores/database.ts'
import { createPasswordResetStore } from '../stores/password-resets.ts'
import { createSessionStore } from '../stores/sessions.ts'
import type { Client } from './caller.ts'
import { isCommonPassword } from './common-passwords.ts'
import { type MailDeps, queueMail } from './mail.ts'
import type { Passwords } from './passwords.ts'
import { noteSecurityEvent } from './security-log.ts'
import { type ThrottleDeps, throttle } from './throttle.ts'

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
  await throttle(deps, 'resets', email)
  await deps.queue.enqueue(deps.db, sendResetJob, { email, ...client })
}

export async function sendReset(deps: SendResetDeps, job: z.infer<typeof sendResetJob.payload>): Promise<void> {
  const { email, ...client } = job
  await transaction(deps.db, async (tx) => {
    const account = await createAccountStore(tx).findByEmail(email)
    if (!account?.verified_at) return
    const now = deps.clock.now()
    const token = randomHex(deps.randomness, TOKEN_BYTES)
    await createPasswordResetStore(tx).add({
      token_index: deps.secrets.index('reset', token),
      account_id: account.id,
      expires_at: addSeconds(now, LIFETIME_SECONDS).getTime(),
      created_at: now.getTime(),
    })
    await queueMail(deps, tx, email, 'reset', { publicUrl: deps.config.publicUrl, token, requestedAt: now })
    await noteSecurityEvent({ ...deps, db: tx }, account.id, 'password.reset-requested', client)
  })
}

export interface ResetPasswordDeps extends SendResetDeps {
  passwords: Passwords
}

/** Sets a new password and ends every session. The token is looked at before the costly hash is made. */
export async function resetPassword(
  deps: ResetPasswordDeps,
  { token, newPassword }: { token: string; newPassword: string },
  client: Client,
): Promise<void> {
  const now = deps.clock.now()
  const found = await createPasswordResetStore(deps.db).find(deps.secrets.indexes('reset', token), now.getTime())
  if (!found) return refuse('resetTokenInvalid')
  if (isCommonPassword(newPassword)) return refuse('passwordCommon', 'newPassword')
  const passwordHash = await deps.passwords.hash(newPassword)
  await transaction(deps.db, async (tx) => {
    const resets = createPasswordResetStore(tx)
    if (!(await resets.spend(found.token_index))) refuse('resetTokenInvalid')
    const accounts = createAccountStore(tx)
    await accounts.setPassword(found.account_id, passwordHash)
    await resets.removeAll(found.account_id)
    await createSessionStore(tx).removeAll(found.account_id)
    await noteSecurityEvent({ ...deps, db: tx }, found.account_id, 'password.changed', client)
    const account = await accounts.find(found.account_id)
    if (account)
      await queueMail(deps, tx, account.email, 'passwordChanged', { publicUrl: deps.config.publicUrl, at: now })
  })
}
