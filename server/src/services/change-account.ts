import { addSeconds } from '../core/clock.ts'
import type { Config } from '../core/config.ts'
import { refuse } from '../core/errors.ts'
import { type Randomness, randomDigits } from '../core/randomness.ts'
import { isEqualSecret } from '../core/secrets.ts'
import { createAccountStore } from '../stores/accounts.ts'
import { createApiKeyStore } from '../stores/api-keys.ts'
import { transaction } from '../stores/database.ts'
import { createEmailChangeStore } from '../stores/email-changes.ts'
import { createLoginChallengeStore } from '../stores/login-challenges.ts'
import { createPasswordResetStore } from '../stores/password-resets.ts'
import { createSessionStore } from '../stores/sessions.ts'
import { type AccountView, describeAccount } from './account.ts'
import type { Client } from './caller.ts'
import type { CommonPasswords } from './common-passwords.ts'
import { type ConfirmPasswordDeps, confirmPassword } from './confirm-password.ts'
import { refuseWeakPassword } from './guessable-passwords.ts'
import { type MailDeps, queueMail } from './mail.ts'
import { siteOf } from './network.ts'
import { noteSecurityEvent } from './security-log.ts'
import { throttleClient, throttleCodes } from './throttle.ts'

export interface ChangeAccountDeps extends ConfirmPasswordDeps, MailDeps {
  randomness: Randomness
  commonPasswords: CommonPasswords
  config: Pick<Config, 'publicUrl'>
}

/** Who changes their own account. */
export interface Owner {
  accountId: string
  /** Absent where a userId was enough. */
  sessionId?: string | undefined
  client: Client
}

export async function renameAccount(deps: ChangeAccountDeps, owner: Owner, name: string): Promise<AccountView> {
  await transaction(deps.db, async (tx) => {
    await createAccountStore(tx).rename(owner.accountId, name)
    await noteSecurityEvent({ ...deps, db: tx }, owner.accountId, 'name.changed', owner.client)
  })
  return describeAccount(deps, owner.accountId)
}

/** Ends every other session, and whatever else could still open the account by the old password. */
export async function changePassword(
  deps: ChangeAccountDeps,
  { accountId, sessionId, client }: Owner,
  { password, newPassword }: { password: string; newPassword: string },
): Promise<void> {
  const owner = await confirmPassword(deps, accountId, password, client)
  const { email } = owner
  refuseWeakPassword(deps, 'newPassword', newPassword, owner)
  const passwordHash = await deps.passwords.hash(newPassword, siteOf(client.address))
  const at = deps.clock.now()
  await transaction(deps.db, async (tx) => {
    await createAccountStore(tx).setPassword(accountId, passwordHash)
    await createPasswordResetStore(tx).removeAll(accountId)
    await createLoginChallengeStore(tx).removeAll(accountId)
    await createSessionStore(tx).removeOthers(accountId, sessionId ?? '')
    await noteSecurityEvent({ ...deps, db: tx }, accountId, 'password.changed', client)
    const keys = await createApiKeyStore(tx).listActive(accountId, at.getTime())
    await queueMail(deps, tx, email, 'passwordChanged', {
      publicUrl: deps.config.publicUrl,
      at,
      keyNames: keys.map(({ name }) => name),
      areKeysRevoked: false,
      isOneSessionKept: sessionId !== undefined,
    })
  })
}

export async function endAllSessions(
  deps: Pick<ChangeAccountDeps, 'db' | 'clock'>,
  { accountId, client }: Owner,
): Promise<void> {
  await transaction(deps.db, async (tx) => {
    await createSessionStore(tx).removeAll(accountId)
    await createLoginChallengeStore(tx).removeAll(accountId)
    await noteSecurityEvent({ ...deps, db: tx }, accountId, 'sessions.ended', client)
  })
}

const CODE_DIGITS = 6
const CODE_MINUTES = 10
const CODE_TRIES = 5

/** Sends a code to the new address. One that has an account gets none, and the caller learns nothing of that. */
export async function requestEmailChange(
  deps: ChangeAccountDeps,
  { accountId, client }: Owner,
  { password, email }: { password: string; email: string },
): Promise<void> {
  await confirmPassword(deps, accountId, password, client)
  await throttleCodes(deps, email, client.address)
  const code = randomDigits(deps.randomness, CODE_DIGITS)
  const now = deps.clock.now()
  await transaction(deps.db, async (tx) => {
    await createEmailChangeStore(tx).put({
      account_id: accountId,
      email,
      code_hash: deps.secrets.index('new-address', `${accountId}:${email}:${code}`),
      tries_left: CODE_TRIES,
      expires_at: addSeconds(now, CODE_MINUTES * 60).getTime(),
    })
    await noteSecurityEvent({ ...deps, db: tx }, accountId, 'email.change-requested', client)
    if (await createAccountStore(tx).findByEmail(email)) return
    await queueMail(deps, tx, email, 'newAddress', { code, minutes: CODE_MINUTES, requestedAt: now })
  })
}

export async function confirmEmailChange(deps: ChangeAccountDeps, owner: Owner, code: string): Promise<AccountView> {
  const { accountId, client } = owner
  await throttleClient(deps, 'verifications', client.address)
  const at = deps.clock.now()
  // Before the code is looked at, so that parallel guesses cannot outrun the tries.
  const change = await createEmailChangeStore(deps.db).spendTry(accountId, at.getTime())
  if (!change || !isCodeOf(deps, change, code)) return refuse('codeInvalid')
  await transaction(deps.db, async (tx) => {
    const accounts = createAccountStore(tx)
    const before = await accounts.find(accountId)
    if (!before || !(await createEmailChangeStore(tx).remove(accountId))) return refuse('codeInvalid')
    if (!(await accounts.setEmail(accountId, change.email))) return refuse('codeInvalid')
    // What was mailed to the old address opens nothing any more.
    await createPasswordResetStore(tx).removeAll(accountId)
    const detail = { from: before.email, to: change.email }
    await noteSecurityEvent({ ...deps, db: tx }, accountId, 'email.changed', client, detail)
    const facts = { publicUrl: deps.config.publicUrl, to: change.email, at }
    await queueMail(deps, tx, before.email, 'addressChanged', facts)
  })
  return describeAccount(deps, accountId)
}

function isCodeOf(
  { secrets }: Pick<ChangeAccountDeps, 'secrets'>,
  { account_id, email, code_hash }: { account_id: string; email: string; code_hash: string },
  code: string,
): boolean {
  const indexes = secrets.indexes('new-address', `${account_id}:${email}:${code}`)
  // Every comparison is made, so that time does not tell which one matched.
  return indexes.map((index) => isEqualSecret(index, code_hash)).includes(true)
}
