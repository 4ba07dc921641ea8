import { refuse } from '../core/errors.ts'
import { createAccountStore } from '../stores/accounts.ts'
import { createApiKeyStore } from '../stores/api-keys.ts'
import { transaction } from '../stores/database.ts'
import { createMembershipStore } from '../stores/memberships.ts'
import type { KeyAuthenticator } from './authenticate-key.ts'
import { endBilling } from './end-billing.ts'
import { forgetCounts } from './forget-counts.ts'
import { queueMail } from './mail.ts'
import { assertRole, findMembership, type OrganisationDeps, type Person } from './organisations.ts'
import { removeAccount } from './remove-account.ts'
import { noteSecurityEvent } from './security-log.ts'
import type { BillingDeps } from './sync-subscription.ts'

export interface DeleteOrganisationDeps extends OrganisationDeps, BillingDeps {
  keyAuthenticator: Pick<KeyAuthenticator, 'forget'>
}

/**
 * Deletes an organisation with its keys, scans, findings and webhooks, and tells its members. What is paid for ends first: a provider that
 * does not answer must not go on charging for what is gone.
 */
export async function deleteOrganisation(
  deps: DeleteOrganisationDeps,
  person: Person,
  organisationId: string,
  confirm: string,
): Promise<void> {
  assertRole(await findMembership(deps.db, organisationId, person.accountId), 'owner')
  const organisation = await createAccountStore(deps.db).find(organisationId)
  if (!organisation) return refuse('organisationNotFound')
  if (organisation.name !== confirm) refuse('confirmationWrong')
  await endBilling(deps, organisationId)
  const keys = await transaction(deps.db, async (tx) => {
    const accounts = createAccountStore(tx)
    await accounts.lock(organisationId)
    // Who was removed meanwhile decides no more.
    assertRole(await findMembership(tx, organisationId, person.accountId), 'owner')
    const members = await createMembershipStore(tx).list(organisationId)
    const all = await createApiKeyStore(tx).list(organisationId)
    await removeAccount(deps, tx, organisationId)
    await forgetCounts(tx, organisationId, all)
    const { name } = organisation
    for (const { email } of members)
      await queueMail(deps, tx, email, 'organisationDeleted', { organisation: name, at: deps.clock.now() })
    // Its own log is gone with it.
    const detail = { organisation: organisationId, name }
    await noteSecurityEvent({ ...deps, db: tx }, person.accountId, 'organisation.deleted', person.client, detail)
    return all
  })
  for (const { id } of keys) deps.keyAuthenticator.forget(id)
}
