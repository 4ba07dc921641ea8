import { createBillingCustomerStore } from '../stores/billing-customers.ts'
import { type BillingDeps, syncSubscription } from './sync-subscription.ts'

/** What `user-plan` says beyond the plan itself. */
export interface BillingSummary {
  readonly billingSubscriptionId: string
  readonly billingStatus: 'none' | 'active' | 'past_due'
  /** End of the paid period; null on free. */
  readonly periodEndsAt: Date | null
  readonly cancelsAt: Date | null
  readonly graceEndsAt: Date | null
}

/** Checks with the provider first when something should have happened by now, so that what is shown is so. */
export async function readBilling(deps: BillingDeps, accountId: string): Promise<BillingSummary> {
  const store = createBillingCustomerStore(deps.db, deps.billing.name)
  const before = await store.find(accountId)
  const isDue = before?.due_at != null && before.due_at <= deps.clock.now().getTime()
  if (isDue) await syncSubscription(deps, accountId).catch((error) => deps.log.warn({ err: error }, 'billing is late'))
  const row = isDue ? await store.find(accountId) : before
  const date = (at: number | null | undefined): Date | null => (at == null ? null : new Date(at))
  const isPaid = row?.subscription_id != null
  return {
    billingSubscriptionId: row?.subscription_id ?? '',
    billingStatus: row?.status ?? 'none',
    periodEndsAt: isPaid ? date(row.period_end) : null,
    cancelsAt: isPaid ? date(row.cancels_at) : null,
    graceEndsAt: isPaid ? date(row.grace_ends_at) : null,
  }
}
