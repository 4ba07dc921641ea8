import { refuse } from '../core/errors.ts'
import { type AccountRow, createAccountStore } from '../stores/accounts.ts'
import type { Client } from './caller.ts'
import { siteOf } from './network.ts'
import type { Passwords } from './passwords.ts'
import { clearCount, type ThrottleDeps, throttle } from './throttle.ts'

export interface ConfirmPasswordDeps extends ThrottleDeps {
  passwords: Passwords
}

/** Before the way to log in is changed: anyone who found a browser open, or a token, does not know the password. */
export async function confirmPassword(
  deps: ConfirmPasswordDeps,
  accountId: string,
  password: string,
  client: Client,
): Promise<AccountRow> {
  await throttle(deps, 'passwordChecks', accountId)
  const account = await createAccountStore(deps.db).find(accountId)
  if (!account) return refuse('sessionMissing')
  if (!(await deps.passwords.verify(account.password_hash, password, siteOf(client.address))))
    return refuse('passwordWrong')
  await clearCount(deps, 'passwordChecks', accountId)
  return account
}
