import Stripe from 'stripe'
import type { Clock } from '../core/clock.ts'
import type {
  BillingEvent,
  BillingProvider,
  BillingReply,
  ChangeOutcome,
  Invoice,
  PaidPlan,
  SubscriptionState,
} from './billing-provider.ts'

export interface StripeOptions {
  readonly secretKey: string
  readonly webhookSecret: string
  readonly prices: Readonly<Record<PaidPlan, string>>
  /** Another address of the API. */
  readonly apiBase?: string | undefined
  readonly clock: Clock
  readonly timeoutMs?: number
}

/** Fields move between versions of the API; this one is what the code below was written against. */
const apiVersion = '2026-10-28.endive'
const eventToleranceSeconds = 300

/** The real provider, through its own library. */
export function createStripeBilling(options: StripeOptions): BillingProvider {
  const stripe = new Stripe(options.secretKey, {
    apiVersion,
    maxNetworkRetries: 2,
    timeout: options.timeoutMs ?? 20_000,
    telemetry: false,
    ...addressOf(options.apiBase),
  })
  const planOf = (priceId: string): PaidPlan | undefined =>
    (Object.keys(options.prices) as PaidPlan[]).find((plan) => options.prices[plan] === priceId)

  return {
    name: 'stripe',
    signatureHeader: 'stripe-signature',

    createCustomer: ({ accountId, email }) =>
      reply(async () => {
        const customer = await stripe.customers.create(
          { email, metadata: { userId: accountId } },
          { idempotencyKey: `customer-${accountId}` },
        )
        return { customerId: customer.id }
      }),

    startCheckout: ({ customerId, plan, requestId, returnUrl }) =>
      reply(async () => {
        const session = await stripe.checkout.sessions.create(
          {
            mode: 'subscription',
            customer: customerId,
            line_items: [{ price: options.prices[plan], quantity: 1 }],
            success_url: `${returnUrl}?checkout=paid`,
            cancel_url: `${returnUrl}?checkout=cancelled`,
          },
          { idempotencyKey: `checkout-${requestId}` },
        )
        if (!session.url) throw new Error('checkout session without an address')
        return { checkoutId: session.id, url: session.url }
      }),

    closeCheckout: (checkoutId) =>
      reply(async () => {
        await stripe.checkout.sessions.expire(checkoutId).catch(ignoreInvalidRequest)
        return undefined
      }),

    fetchSubscriptions: (customerId) =>
      reply(async () => {
        const { data } = await stripe.subscriptions.list({ customer: customerId, status: 'all', limit: 20 })
        return data.flatMap((subscription) => toState(subscription, planOf) ?? [])
      }),

    previewChange: ({ customerId, subscriptionId, plan, at }) =>
      reply(async () => {
        const item = await itemOf(stripe, subscriptionId)
        const preview = await stripe.invoices.createPreview({
          customer: customerId,
          subscription: subscriptionId,
          subscription_details: {
            items: [{ id: item, price: options.prices[plan] }],
            proration_behavior: 'always_invoice',
            proration_date: Math.floor(at.getTime() / 1000),
          },
        })
        const amounts = preview.lines.data.map(({ amount }) => amount)
        return {
          currency: preview.currency,
          amountDueCents: preview.amount_due,
          creditCents: -sum(amounts.filter((amount) => amount < 0)),
          chargeCents: sum(amounts.filter((amount) => amount > 0)),
        }
      }),

    changePlan: ({ customerId, subscriptionId, plan, at, requestId, returnUrl }) =>
      changePlan(stripe, options.prices[plan], { customerId, subscriptionId, at, requestId, returnUrl }),

    setCancellation: (subscriptionId, isCancelled) =>
      reply(async () => {
        await stripe.subscriptions.update(subscriptionId, { cancel_at_period_end: isCancelled })
        return undefined
      }),

    endNow: (subscriptionId) =>
      reply(async () => {
        const subscription = await stripe.subscriptions.cancel(subscriptionId).catch(ignoreInvalidRequest)
        const owed = subscription?.latest_invoice
        const invoiceId = typeof owed === 'string' ? owed : owed?.id
        if (invoiceId) await stripe.invoices.voidInvoice(invoiceId).catch(ignoreInvalidRequest)
        return undefined
      }),

    listInvoices: (customerId) =>
      reply(async () => {
        const { data } = await stripe.invoices.list({ customer: customerId, limit: 100 })
        return data.map(toInvoice)
      }),

    readEvent: (body, signature) => readEvent(stripe, options, body, signature),
  }
}

async function changePlan(
  stripe: Stripe,
  price: string,
  change: { customerId: string; subscriptionId: string; at: Date; requestId: string; returnUrl: string },
): Promise<ChangeOutcome> {
  try {
    const item = await itemOf(stripe, change.subscriptionId)
    await stripe.subscriptions.update(
      change.subscriptionId,
      {
        items: [{ id: item, price }],
        proration_behavior: 'always_invoice',
        proration_date: Math.floor(change.at.getTime() / 1000),
        // Paid in full or not changed at all.
        payment_behavior: 'error_if_incomplete',
      },
      { idempotencyKey: `change-${change.requestId}` },
    )
    return { kind: 'changed' }
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error
    if (error.code === 'subscription_payment_intent_requires_action') return requestPayerAction(stripe, price, change)
    if (error.statusCode === 402) return { kind: 'declined' }
    return { kind: 'unavailable', detail: describe(error) }
  }
}

/** The bank wants the payer: the provider's own page leads through the same change. */
async function requestPayerAction(
  stripe: Stripe,
  price: string,
  { customerId, subscriptionId, returnUrl }: { customerId: string; subscriptionId: string; returnUrl: string },
): Promise<ChangeOutcome> {
  const opened = await reply(async () =>
    stripe.billingPortal.sessions.create({
      customer: customerId,
      return_url: returnUrl,
      flow_data: {
        type: 'subscription_update_confirm',
        subscription_update_confirm: {
          subscription: subscriptionId,
          items: [{ id: await itemOf(stripe, subscriptionId), price, quantity: 1 }],
        },
      },
    }),
  )
  return opened.kind === 'ok' ? { kind: 'actionRequired', url: opened.value.url } : opened
}

async function itemOf(stripe: Stripe, subscriptionId: string): Promise<string> {
  const subscription = await stripe.subscriptions.retrieve(subscriptionId)
  const [item] = subscription.items.data
  if (!item) throw new Error('subscription without an item')
  return item.id
}

function readEvent(
  stripe: Stripe,
  { webhookSecret, clock }: StripeOptions,
  body: Buffer,
  signature: string | undefined,
): BillingEvent | null {
  try {
    const event = stripe.webhooks.constructEvent(
      body,
      signature ?? '',
      webhookSecret,
      eventToleranceSeconds,
      undefined,
      clock.now().getTime(),
    )
    const subject = event.data.object as { object?: string; id?: string; customer?: string | { id: string } | null }
    const customer = subject.object === 'customer' ? subject.id : subject.customer
    return {
      id: event.id,
      type: event.type,
      customerId: (typeof customer === 'object' ? customer?.id : customer) ?? null,
    }
  } catch {
    return null
  }
}

const statuses: Readonly<Record<string, SubscriptionState['status']>> = {
  active: 'active',
  trialing: 'active',
  past_due: 'past_due',
  unpaid: 'past_due',
  incomplete: 'pending',
  paused: 'pending',
  canceled: 'ended',
  incomplete_expired: 'ended',
}

/** Undefined for a subscription to something that is none of our plans. */
function toState(
  subscription: Stripe.Subscription,
  planOf: (priceId: string) => PaidPlan | undefined,
): SubscriptionState | undefined {
  const [item] = subscription.items.data
  const plan = item && planOf(item.price.id)
  if (!item || !plan) return undefined
  const periodEnd = new Date(item.current_period_end * 1000)
  const cancelAt = subscription.cancel_at ? new Date(subscription.cancel_at * 1000) : null
  return {
    id: subscription.id,
    plan,
    status: statuses[subscription.status] ?? 'pending',
    anchor: new Date(subscription.billing_cycle_anchor * 1000),
    periodStart: new Date(item.current_period_start * 1000),
    periodEnd,
    cancelsAt: subscription.cancel_at_period_end ? periodEnd : cancelAt,
  }
}

const toInvoice = (invoice: Stripe.Invoice): Invoice => ({
  id: invoice.id,
  number: invoice.number,
  status: (invoice.status as Invoice['status'] | null) ?? 'draft',
  amountCents: invoice.total,
  currency: invoice.currency,
  createdAt: new Date(invoice.created * 1000),
  paidAt: invoice.status_transitions.paid_at ? new Date(invoice.status_transitions.paid_at * 1000) : null,
  lines: invoice.lines.data.map(({ description, amount }) => ({ description: description ?? '', amountCents: amount })),
  url: invoice.hosted_invoice_url ?? null,
})

async function reply<T>(act: () => Promise<T>): Promise<BillingReply<T>> {
  try {
    return { kind: 'ok', value: await act() }
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError) return { kind: 'unavailable', detail: describe(error) }
    throw error
  }
}

/** Already closed, cancelled or voided: what was wanted is so. */
function ignoreInvalidRequest(error: unknown): undefined {
  if (error instanceof Stripe.errors.StripeInvalidRequestError) return undefined
  throw error
}

/** Codes only: messages can quote the key. */
const describe = (error: Stripe.errors.StripeError): string =>
  [error.type, error.statusCode, error.code, error.requestId].filter(Boolean).join(' ')

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0)

function addressOf(apiBase: string | undefined): { host?: string; port?: number; protocol?: 'http' | 'https' } {
  if (!apiBase) return {}
  const url = new URL(apiBase)
  const protocol = url.protocol === 'http:' ? 'http' : 'https'
  return { host: url.hostname, port: Number(url.port) || (protocol === 'http' ? 80 : 443), protocol }
}
