import type { PlanName } from '../core/plans.ts'

export type PaidPlan = Exclude<PlanName, 'free'>

/**
 * What the service needs from the payment provider. State is always requested and given whole, per customer: events
 * only say that it is time to ask again, so their order and number do not matter.
 */
export interface BillingProvider {
  readonly name: 'stripe' | 'sandbox'
  /** The request header that carries the signature of an event. */
  readonly signatureHeader: string
  createCustomer(account: {
    readonly accountId: string
    readonly email: string
  }): Promise<BillingReply<{ customerId: string }>>
  startCheckout(order: CheckoutOrder): Promise<BillingReply<{ checkoutId: string; url: string }>>
  /** Closes a checkout that nobody needs any more; one that is already closed is left as it is. */
  closeCheckout(checkoutId: string): Promise<BillingReply<undefined>>
  /** Every subscription the customer has or had, newest first. */
  fetchSubscriptions(customerId: string): Promise<BillingReply<readonly SubscriptionState[]>>
  previewChange(change: PlanChange): Promise<BillingReply<ChangePreview>>
  changePlan(change: PlanChange & { readonly requestId: string; readonly returnUrl: string }): Promise<ChangeOutcome>
  setCancellation(subscriptionId: string, isCancelled: boolean): Promise<BillingReply<undefined>>
  /** Ends a subscription at once and gives up what is still owed for it. */
  endNow(subscriptionId: string): Promise<BillingReply<undefined>>
  listInvoices(customerId: string): Promise<BillingReply<readonly Invoice[]>>
  /** Checks the signature over the exact bytes; null when it is not the provider's. */
  readEvent(body: Buffer, signature: string | undefined): BillingEvent | null
}

export type BillingReply<T> =
  | { readonly kind: 'ok'; readonly value: T }
  | { readonly kind: 'unavailable'; readonly detail: string }

export interface CheckoutOrder {
  readonly customerId: string
  readonly plan: PaidPlan
  /** Makes a repeated request the same request. */
  readonly requestId: string
  readonly returnUrl: string
}

export interface SubscriptionState {
  readonly id: string
  readonly plan: PaidPlan
  /** `pending`: its first payment has not come yet. `past_due`: a later one failed. */
  readonly status: 'pending' | 'active' | 'past_due' | 'ended'
  /** The moment whose day of the month every renewal keeps, or comes as near to as the month allows. */
  readonly anchor: Date
  readonly periodStart: Date
  readonly periodEnd: Date
  readonly cancelsAt: Date | null
}

export interface PlanChange {
  readonly customerId: string
  readonly subscriptionId: string
  readonly plan: PaidPlan
  readonly at: Date
}

export interface ChangePreview {
  readonly currency: string
  /** What is charged at once if the change is made now. */
  readonly amountDueCents: number
  readonly creditCents: number
  readonly chargeCents: number
}

export type ChangeOutcome =
  | { readonly kind: 'changed' }
  | { readonly kind: 'declined' }
  /** The bank wants to hear from the payer first, at this address. */
  | { readonly kind: 'actionRequired'; readonly url: string }
  | { readonly kind: 'unavailable'; readonly detail: string }

export interface Invoice {
  readonly id: string
  readonly number: string | null
  readonly status: 'draft' | 'open' | 'paid' | 'void' | 'uncollectible'
  readonly amountCents: number
  readonly currency: string
  readonly createdAt: Date
  readonly paidAt: Date | null
  readonly lines: readonly { readonly description: string; readonly amountCents: number }[]
  /** The provider's own page for it, where there is one. */
  readonly url: string | null
}

export interface BillingEvent {
  readonly id: string
  readonly type: string
  /** Null for events that concern no customer. */
  readonly customerId: string | null
}
