import { addMonths } from '../core/clock.ts'
import { plans } from '../core/plans.ts'
import { type BillingDeps, unwrap } from './sync-subscription.ts'
import { findUpgrade } from './upgrade-plan.ts'

export interface UpgradePreview {
  readonly currentPlan: string
  readonly newPlan: string
  readonly currency: string
  readonly monthlyPriceCents: number
  /** What is charged if the upgrade is made now. */
  readonly amountDueCents: number
  readonly proration: { readonly creditCents: number; readonly chargeCents: number } | null
  readonly renewsAt: string
}

/** What an upgrade would cost, without buying anything. */
export async function previewUpgrade(deps: BillingDeps, accountId: string, newPlan: string): Promise<UpgradePreview> {
  const { account, customer, plan } = await findUpgrade(deps, accountId, newPlan)
  const now = deps.clock.now()
  const { priceCents } = plans[plan]
  const common = { currentPlan: account.plan, newPlan: plan, currency: 'usd', monthlyPriceCents: priceCents }
  if (account.plan === 'free' || !customer?.subscription_id) {
    return { ...common, amountDueCents: priceCents, proration: null, renewsAt: addMonths(now, 1).toISOString() }
  }
  const change = { customerId: customer.customer_id, subscriptionId: customer.subscription_id, plan, at: now }
  const preview = unwrap(deps, await deps.billing.previewChange(change))
  return {
    ...common,
    currency: preview.currency,
    amountDueCents: preview.amountDueCents,
    proration: { creditCents: preview.creditCents, chargeCents: preview.chargeCents },
    renewsAt: new Date(customer.period_end ?? now).toISOString(),
  }
}
