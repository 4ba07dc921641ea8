import { refuse } from '../core/errors.ts'
import { plans } from '../core/plans.ts'
import type { PaidPlan } from '../gateways/billing-provider.ts'
import type { CheckoutOutcome } from '../gateways/sandbox-billing.ts'
import { createBillingCustomerStore } from '../stores/billing-customers.ts'
import { advanceSandbox, type SweepBillingDeps } from './sweep-billing.ts'

export interface CheckoutView {
  readonly id: string
  readonly plan: PaidPlan
  readonly priceCents: number
  readonly isOpen: boolean
  readonly outcome: string | null
  readonly returnUrl: string
}

/** What the sandbox's checkout page shows. */
export async function viewCheckout(deps: SweepBillingDeps, id: string): Promise<CheckoutView> {
  const checkout = await deps.sandbox?.findCheckout(id)
  if (!checkout) return refuse('checkoutNotFound')
  return {
    id,
    plan: checkout.plan,
    priceCents: plans[checkout.plan].priceCents,
    isOpen: checkout.outcome === null && checkout.expiresAt > deps.clock.now(),
    outcome: checkout.outcome,
    returnUrl: checkout.returnUrl,
  }
}

/** One of the page's two buttons. The plan changes by the event that follows, as with any provider. */
export async function settleCheckout(
  deps: SweepBillingDeps,
  id: string,
  outcome: CheckoutOutcome,
): Promise<{ plan: PaidPlan; returnUrl: string }> {
  const checkout = await deps.sandbox?.findCheckout(id)
  if (!checkout || !deps.sandbox) return refuse('checkoutNotFound')
  const settled = await deps.sandbox.settleCheckout(id, outcome)
  if (settled === 'unknown') return refuse('checkoutNotFound')
  if (settled === 'closed') return refuse('checkoutClosed')
  if (settled === 'declined') return refuse('paymentRefused')
  await advanceSandbox(deps)
  return { plan: checkout.plan, returnUrl: checkout.returnUrl }
}

/** Puts a card on file that pays or does not, so that failed renewals can be tried out. */
export async function setSandboxCard(
  deps: SweepBillingDeps,
  accountId: string,
  outcome: CheckoutOutcome,
): Promise<void> {
  const customer = await createBillingCustomerStore(deps.db, 'sandbox').find(accountId)
  if (!deps.sandbox || !customer) return refuse('checkoutNotFound')
  await deps.sandbox.setCard(customer.customer_id, outcome)
  await advanceSandbox(deps)
}
