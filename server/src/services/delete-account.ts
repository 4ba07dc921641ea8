import { refuse } from '../core/errors.ts'
import { createAccountStore } from '../stores/accounts.ts'
import { createApiKeyStore } from '../stores/api-keys.ts'
import { type Db, transaction } from '../stores/database.ts'
import { createMembershipStore } from '../stores/memberships.ts'
import type { KeyAuthenticator } from './authenticate-key.ts'
import type { Owner } from './change-account.ts'
import { type ConfirmPasswordDeps, confirmPassword } from './confirm-password.ts'
import { endBilling } from './end-billing.ts'
import { forgetCounts } from './forget-counts.ts'
import { endEverything, endMadeBy } from './made-by.ts'
import { queueMail } from './mail.ts'
import { removeAccount } from './remove-account.ts'
import type { BillingDeps } from './sync-subscription.ts'

export type DeleteAccountDeps = ConfirmPasswordDeps &
  BillingDeps & { readonly keyAuthenticator: Pick<KeyAuthenticator, 'forget'> }

/** Deletes a person's account with all that belongs to it. Organisations stay, and keep an owner. */
export async function deleteAccount(
  deps: DeleteAccountDeps,
  { accountId, client }: Owner,
  { password, confirm }: { password: string; confirm: string },
): Promise<void> {
  const { email } = await confirmPassword(deps, accountId, password, client)
  if (confirm.trim().toLowerCase() !== email) refuse('invalid', 'confirm must be your email address.')
  await assertNoLastOwner(deps.db, accountId)
  await endBilling(deps, accountId)
  const keys = await transaction(deps.db, async (tx) => {
    const accounts = createAccountStore(tx)
    const organisations = await createMembershipStore(tx).listOf(accountId)
    // In one order, so that two who leave together never wait for each other.
    for (const id of organisations.map(({ organisation_id }) => organisation_id).sort()) await accounts.lock(id)
    await accounts.lock(accountId)
    await assertNoLastOwner(tx, accountId)
    const all = await createApiKeyStore(tx).list(accountId)
    const now = deps.clock.now().getTime()
    const madeElsewhere: string[] = []
    for (const { organisation_id } of organisations) {
      const leaving = { organisationId: organisation_id, accountId, left: undefined, newOwner: organisation_id }
      madeElsewhere.push(...(await endMadeBy(tx, leaving, endEverything, now)).keyIds)
    }
    await removeAccount(deps, tx, accountId)
    await forgetCounts(tx, accountId, all)
    await queueMail(deps, tx, email, 'accountDeleted', { at: deps.clock.now() })
    return [...all.map(({ id }) => id), ...madeElsewhere]
  })
  for (const id of keys) deps.keyAuthenticator.forget(id)
}

async function assertNoLastOwner(db: Db, accountId: string): Promise<void> {
  const memberships = createMembershipStore(db)
  for (const { organisation_id, role } of await memberships.listOf(accountId)) {
    if (role !== 'owner') continue
    const owners = (await memberships.list(organisation_id)).filter((member) => member.role === 'owner')
    if (owners.length < 2) refuse('lastOwner')
  }
}
