import { afterEach, beforeEach, expect, test } from 'vitest'
import { testClock } from '../core/clock.ts'
import type { BillingProvider, BillingReply } from './billing-provider.ts'
import { type StripeStandIn, startStripeStandIn } from './stand-ins/stripe.ts'
import { createStripeBilling } from './stripe-billing.ts'

let stripe: StripeStandIn
let billing: BillingProvider
const startsAt = new Date('2026-01-31T10:00:00.000Z')
const clock = testClock(startsAt)

beforeEach(async () => {
  clock.travelTo(startsAt)
  stripe = await startStripeStandIn(startsAt)
  billing = createStripeBilling({
    secretKey: stripe.secretKey,
    webhookSecret: stripe.webhookSecret,
    prices: stripe.prices,
    apiBase: stripe.url,
    clock,
    timeoutMs: 15_000,
  })
})
afterEach(() => stripe.close())

const unwrap = <T>(reply: BillingReply<T>): T => {
  if (reply.kind !== 'ok') throw new Error(reply.detail)
  return reply.value
}

async function subscribe(plan: 'basic' | 'pro') {
  const { customerId } = unwrap(await billing.createCustomer({ accountId: 'usr_1', email: 'ada@example.com' }))
  const order = { customerId, plan, requestId: 'req_1', returnUrl: 'http://127.0.0.1/plan' }
  const { url } = unwrap(await billing.startCheckout(order))
  stripe.payCheckout(url)
  const [subscription] = unwrap(await billing.fetchSubscriptions(customerId))
  if (!subscription) throw new Error('no subscription')
  return { customerId, subscription }
}

test('a paid checkout is an active subscription with its period, asked for under the pinned version', async () => {
  const { subscription } = await subscribe('basic')
  expect(subscription).toMatchObject({
    plan: 'basic',
    status: 'active',
    periodStart: startsAt,
    periodEnd: new Date('2026-02-28T10:00:00.000Z'),
    cancelsAt: null,
  })
  expect(new Set(stripe.calls.map(({ version }) => version))).toEqual(new Set(['2026-10-28.endive']))
})

test('a lost answer is asked for again under the same key: one customer, not two', async () => {
  stripe.loseNextAnswer()
  const first = unwrap(await billing.createCustomer({ accountId: 'usr_1', email: 'ada@example.com' }))
  const second = unwrap(await billing.createCustomer({ accountId: 'usr_1', email: 'ada@example.com' }))
  expect(second).toEqual(first)
})

test('the preview says what the change then costs, to the cent', async () => {
  const { customerId, subscription } = await subscribe('basic')
  const at = new Date('2026-02-14T10:00:00.000Z')
  stripe.travelTo(at)
  const change = { customerId, subscriptionId: subscription.id, plan: 'pro' as const, at }
  expect(unwrap(await billing.previewChange(change))).toEqual({
    currency: 'usd',
    amountDueCents: 1000,
    creditCents: 500,
    chargeCents: 1500,
  })
  expect(await billing.changePlan({ ...change, requestId: 'r1', returnUrl: 'http://x' })).toEqual({ kind: 'changed' })
  const [invoice] = unwrap(await billing.listInvoices(customerId))
  expect(invoice).toMatchObject({ status: 'paid', amountCents: 1000, paidAt: at })
})

test('a declined card changes nothing', async () => {
  const { customerId, subscription } = await subscribe('basic')
  stripe.setCard(customerId, 'declined')
  const change = {
    customerId,
    subscriptionId: subscription.id,
    plan: 'pro' as const,
    at: startsAt,
    requestId: 'r1',
    returnUrl: 'http://x',
  }
  expect(await billing.changePlan(change)).toEqual({ kind: 'declined' })
  expect(unwrap(await billing.fetchSubscriptions(customerId))[0]?.plan).toBe('basic')
})

test('a bank that wants the payer leads to a page', async () => {
  const { customerId, subscription } = await subscribe('basic')
  stripe.setCard(customerId, 'needs_action')
  const change = {
    customerId,
    subscriptionId: subscription.id,
    plan: 'pro' as const,
    at: startsAt,
    requestId: 'r1',
    returnUrl: 'http://x',
  }
  expect(await billing.changePlan(change)).toEqual({
    kind: 'actionRequired',
    url: `https://portal.stand-in.example/${customerId}`,
  })
})

test('short outages are retried, long ones are reported', async () => {
  const { customerId } = await subscribe('basic')
  stripe.failNext(500, 503)
  expect((await billing.fetchSubscriptions(customerId)).kind).toBe('ok')
  stripe.failNext(500, 500, 500, 500)
  const reply = await billing.fetchSubscriptions(customerId)
  expect(reply.kind).toBe('unavailable')
  expect(JSON.stringify(reply)).not.toContain(stripe.secretKey)
})

test('an event is read only with the right signature over the exact bytes, and only while it is fresh', async () => {
  const { customerId } = await subscribe('basic')
  const event = stripe.events[0]
  if (!event) throw new Error('no event')
  const { body, signature } = stripe.sign(event)
  expect(billing.readEvent(Buffer.from(body), signature)).toEqual({ id: event.id, type: event.type, customerId })
  expect(billing.readEvent(Buffer.from(`${body} `), signature)).toBeNull()
  expect(billing.readEvent(Buffer.from(body), undefined)).toBeNull()
  expect(billing.readEvent(Buffer.from(body), 't=1,v1=abc')).toBeNull()
  clock.travel('PT6M')
  expect(billing.readEvent(Buffer.from(body), signature)).toBeNull()
})

test('ending at once also gives up the open invoice, and may be repeated', async () => {
  const { customerId, subscription } = await subscribe('basic')
  stripe.setCard(customerId, 'declined')
  stripe.travelTo(new Date('2026-03-01T00:00:00Z'))
  expect(unwrap(await billing.fetchSubscriptions(customerId))[0]?.status).toBe('past_due')
  unwrap(await billing.endNow(subscription.id))
  unwrap(await billing.endNow(subscription.id))
  expect(unwrap(await billing.fetchSubscriptions(customerId))[0]?.status).toBe('ended')
  expect(unwrap(await billing.listInvoices(customerId)).map(({ status }) => status)).toEqual(['void', 'paid'])
})
