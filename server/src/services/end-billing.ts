import { createBillingCustomerStore } from '../stores/billing-customers.ts'
import { type BillingDeps, unwrap } from './sync-subscription.ts'

/** What is paid for ends, before what it paid for is deleted. */
export async function endBilling(deps: BillingDeps, accountId: string): Promise<void> {
  const customer = await createBillingCustomerStore(deps.db, deps.billing.name).find(accountId)
  if (customer?.checkout_id) unwrap(deps, await deps.billing.closeCheckout(customer.checkout_id))
  const subscriptions = customer ? unwrap(deps, await deps.billing.fetchSubscriptions(customer.customer_id)) : []
  for (const { id, status } of subscriptions)
    if (status === 'active' || status === 'past_due') unwrap(deps, await deps.billing.endNow(id))
}
