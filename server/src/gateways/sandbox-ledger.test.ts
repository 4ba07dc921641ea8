import { expect, test } from 'vitest'
import {
  advance,
  changePlan,
  findLive,
  type IdSource,
  nextMoment,
  periodEnd,
  prorate,
  type SandboxCustomer,
  setCancellation,
  setCard,
  subscribe,
} from './sandbox-ledger.ts'

let counter = 0
const ids: IdSource = { subscription: () => `sub_${++counter}`, invoice: () => `inv_${++counter}` }
const newcomer: SandboxCustomer = { id: 'cus_1', accountId: 'usr_1', isCardGood: true, subscriptions: [], invoices: [] }
const on = (text: string): Date => new Date(text.length === 10 ? `${text}T10:00:00.000Z` : text)
const subscribed = (day: string) => subscribe(newcomer, 'basic', on(day), ids).customer
const live = (customer: SandboxCustomer) => {
  const found = findLive(customer)
  if (!found) throw new Error('nothing is live')
  return found
}

test.each([
  ['2026-01-31', ['2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31']],
  ['2028-01-31', ['2028-02-29', '2028-03-31', '2028-04-30']],
  ['2027-12-30', ['2028-01-30', '2028-02-29', '2028-03-30']],
  ['2028-02-29', ['2028-03-29', '2028-04-29']],
  ['2026-12-15', ['2027-01-15', '2027-02-15']],
])('a subscription of %s renews on %j: the anchor day comes back', (start, renewals) => {
  let customer = subscribed(start)
  for (const day of renewals) {
    expect(nextMoment(customer)).toEqual(on(day))
    const played = advance(customer, on(day), ids)
    expect(played.events).toEqual(['invoice.paid', 'customer.subscription.updated'])
    customer = played.customer
  }
  expect(customer.invoices).toHaveLength(renewals.length + 1)
})

test('29 February of a leap year comes back a year later on the 28th and in the next leap year on the 29th', () => {
  const year = advance(subscribed('2028-02-29'), on('2029-02-28'), ids).customer
  expect(periodEnd(live(year))).toEqual(on('2029-03-29'))
  expect(year.invoices.map(({ createdAt }) => createdAt)).toContain(on('2029-02-28').toISOString())
})

test('a long absence plays every renewal once', () => {
  const { customer, events } = advance(subscribed('2026-01-31'), on('2026-12-31'), ids)
  expect(events.filter((type) => type === 'invoice.paid')).toHaveLength(11)
  expect(advance(customer, on('2026-12-31'), ids).events).toEqual([])
})

test('nothing happens a millisecond before the renewal', () => {
  expect(advance(subscribed('2026-01-31'), on('2026-02-28T09:59:59.999Z'), ids).events).toEqual([])
})

test('proration is by the time left, and the period stays', () => {
  const customer = subscribed('2026-04-10')
  const at = on('2026-04-25')
  expect(prorate(live(customer), 'pro', at)).toEqual({ creditCents: 500, chargeCents: 1500, amountDueCents: 1000 })
  const changed = changePlan(customer, live(customer), 'pro', at, ids)
  expect(changed && periodEnd(live(changed.customer))).toEqual(on('2026-05-10'))
  expect(changed?.customer.invoices[0]?.lines).toEqual([
    { description: 'Unused time on Basic plan', amountCents: -500 },
    { description: 'Remaining time on Pro plan', amountCents: 1500 },
  ])
  expect(prorate(live(customer), 'pro', on('2026-04-10'))).toMatchObject({ amountDueCents: 2000 })
  expect(prorate(live(customer), 'pro', on('2026-05-10'))).toMatchObject({ amountDueCents: 0 })
})

test('a cancelled subscription ends with its period; taken back in time it renews', () => {
  const customer = subscribed('2026-01-31')
  const cancelled = setCancellation(customer, live(customer), true).customer
  expect(advance(cancelled, on('2026-02-27'), ids).events).toEqual([])
  expect(advance(cancelled, on('2026-02-28'), ids).events).toEqual(['customer.subscription.deleted'])
  const resumed = setCancellation(cancelled, live(cancelled), false).customer
  expect(advance(resumed, on('2026-02-28'), ids).events).toContain('invoice.paid')
})

test('a declined renewal is tried daily, settles with a good card, and ends by itself in the end', () => {
  const declining = { ...subscribed('2026-01-31'), isCardGood: false }
  const due = advance(declining, on('2026-02-28'), ids)
  expect(due.events).toEqual(['invoice.payment_failed', 'customer.subscription.updated'])
  expect(live(due.customer)).toMatchObject({ status: 'past_due' })
  const settled = setCard(due.customer, true, on('2026-03-02'))
  expect(live(settled.customer)).toMatchObject({ status: 'active' })
  expect(periodEnd(live(settled.customer))).toEqual(on('2026-03-31'))
  const { customer, events } = advance(due.customer, on('2026-12-31'), ids)
  expect(events.at(-1)).toBe('customer.subscription.deleted')
  expect(findLive(customer)).toBeUndefined()
  expect(customer.invoices[0]?.status).toBe('void')
})

test('a declined card refuses a change', () => {
  const customer = { ...subscribed('2026-01-31'), isCardGood: false }
  expect(changePlan(customer, live(customer), 'pro', on('2026-02-01'), ids)).toBeNull()
})
