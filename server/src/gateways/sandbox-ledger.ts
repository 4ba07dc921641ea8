import { addDays, addMonths } from '../core/clock.ts'
import { plans } from '../core/plans.ts'
import type { PaidPlan } from './billing-provider.ts'

/**
 * The sandbox provider's accounts, as pure functions over one customer. Time is the only engine: `advance` plays everything
 * that should have happened until now, in order, and reports it as events. Periods are counted from the anchor, so the
 * 31st comes back after a shorter month.
 */
export interface SandboxCustomer {
  readonly id: string
  readonly accountId: string
  /** Whether the card on file pays; a declined one fails renewals and changes. */
  readonly isCardGood: boolean
  readonly subscriptions: readonly SandboxSubscription[]
  readonly invoices: readonly SandboxInvoice[]
}

export interface SandboxSubscription {
  readonly id: string
  readonly plan: PaidPlan
  readonly status: 'active' | 'past_due' | 'ended'
  readonly anchor: string
  /** Full months since the anchor. */
  readonly cycle: number
  readonly isCancelled: boolean
  readonly endedAt: string | null
  readonly triesOfPayment: number
}

export interface SandboxInvoice {
  readonly id: string
  readonly subscriptionId: string
  readonly status: 'open' | 'paid' | 'void'
  readonly createdAt: string
  readonly paidAt: string | null
  readonly lines: readonly { readonly description: string; readonly amountCents: number }[]
}

export interface Played {
  readonly customer: SandboxCustomer
  readonly events: readonly string[]
}

export interface IdSource {
  subscription(): string
  invoice(): string
}

/** A provider gives up by itself a little later than the service's own grace ends. */
const maxTriesOfPayment = 9

const capital = (plan: PaidPlan): string => plan[0]?.toUpperCase() + plan.slice(1)

export const periodStart = ({ anchor, cycle }: SandboxSubscription): Date => addMonths(new Date(anchor), cycle)
export const periodEnd = ({ anchor, cycle }: SandboxSubscription): Date => addMonths(new Date(anchor), cycle + 1)

const isLive = ({ status }: SandboxSubscription): boolean => status !== 'ended'

export const findLive = ({ subscriptions }: SandboxCustomer): SandboxSubscription | undefined =>
  subscriptions.find(isLive)

/** When something happens next without anyone doing anything; null when nothing will. */
export function nextMoment(customer: SandboxCustomer): Date | null {
  const live = findLive(customer)
  if (!live) return null
  return live.status === 'active' ? periodEnd(live) : addDays(periodStart(live), live.triesOfPayment)
}

export function advance(customer: SandboxCustomer, now: Date, ids: IdSource): Played {
  const events: string[] = []
  let current = customer
  for (let next = nextMoment(current); next && next <= now; next = nextMoment(current)) {
    const played = playMoment(current, next, ids)
    current = played.customer
    events.push(...played.events)
  }
  return { customer: current, events }
}

function playMoment(customer: SandboxCustomer, at: Date, ids: IdSource): Played {
  const live = findLive(customer)
  if (!live) return { customer, events: [] }
  if (live.status === 'past_due') return retryPayment(customer, live, at)
  if (live.isCancelled) return end(customer, live, at)
  const renewed = { ...live, cycle: live.cycle + 1 }
  const line = { description: `${capital(live.plan)} plan, one month`, amountCents: plans[live.plan].priceCents }
  const invoice = newInvoice(ids, live, at, [line], customer.isCardGood)
  return {
    customer: withInvoice(
      withSubscription(customer, customer.isCardGood ? renewed : { ...renewed, status: 'past_due', triesOfPayment: 1 }),
      invoice,
    ),
    events: customer.isCardGood
      ? ['invoice.paid', 'customer.subscription.updated']
      : ['invoice.payment_failed', 'customer.subscription.updated'],
  }
}

function retryPayment(customer: SandboxCustomer, live: SandboxSubscription, at: Date): Played {
  if (customer.isCardGood) return settleDebt(customer, live, at)
  if (live.triesOfPayment >= maxTriesOfPayment) return end(voidOpen(customer, live.id), live, at)
  const tried = { ...live, triesOfPayment: live.triesOfPayment + 1 }
  return { customer: withSubscription(customer, tried), events: ['invoice.payment_failed'] }
}

/** A new card; one that pays settles the debt at once. */
export function setCard(customer: SandboxCustomer, isCardGood: boolean, at: Date): Played {
  const changed = { ...customer, isCardGood }
  const live = findLive(changed)
  if (isCardGood && live?.status === 'past_due') return settleDebt(changed, live, at)
  return { customer: changed, events: ['payment_method.attached'] }
}

function settleDebt(customer: SandboxCustomer, live: SandboxSubscription, at: Date): Played {
  const invoices = customer.invoices.map((invoice) =>
    invoice.status === 'open' ? { ...invoice, status: 'paid' as const, paidAt: at.toISOString() } : invoice,
  )
  const paid = withSubscription({ ...customer, invoices }, { ...live, status: 'active', triesOfPayment: 0 })
  return { customer: paid, events: ['invoice.paid', 'customer.subscription.updated'] }
}

export function subscribe(customer: SandboxCustomer, plan: PaidPlan, at: Date, ids: IdSource): Played {
  const subscription: SandboxSubscription = {
    id: ids.subscription(),
    plan,
    status: 'active',
    anchor: at.toISOString(),
    cycle: 0,
    isCancelled: false,
    endedAt: null,
    triesOfPayment: 0,
  }
  const line = { description: `${capital(plan)} plan, one month`, amountCents: plans[plan].priceCents }
  const grown = { ...customer, isCardGood: true, subscriptions: [subscription, ...customer.subscriptions] }
  return {
    customer: withInvoice(grown, newInvoice(ids, subscription, at, [line], true)),
    events: ['checkout.session.completed', 'customer.subscription.created', 'invoice.paid'],
  }
}

/** What moving to another plan costs now, to the cent, by the part of the period that is left. */
export function prorate(subscription: SandboxSubscription, plan: PaidPlan, at: Date) {
  const [start, end] = [periodStart(subscription).getTime(), periodEnd(subscription).getTime()]
  const left = Math.min(1, Math.max(0, (end - at.getTime()) / (end - start)))
  const creditCents = Math.round(plans[subscription.plan].priceCents * left)
  const chargeCents = Math.round(plans[plan].priceCents * left)
  return { creditCents, chargeCents, amountDueCents: Math.max(0, chargeCents - creditCents) }
}

/** Null when the card is declined: then nothing changes. */
export function changePlan(
  customer: SandboxCustomer,
  subscription: SandboxSubscription,
  plan: PaidPlan,
  at: Date,
  ids: IdSource,
): Played | null {
  if (subscription.plan === plan) return { customer, events: [] }
  if (!customer.isCardGood || subscription.status !== 'active') return null
  const { creditCents, chargeCents } = prorate(subscription, plan, at)
  const lines = [
    { description: `Unused time on ${capital(subscription.plan)} plan`, amountCents: -creditCents },
    { description: `Remaining time on ${capital(plan)} plan`, amountCents: chargeCents },
  ]
  return {
    customer: withInvoice(
      withSubscription(customer, { ...subscription, plan }),
      newInvoice(ids, subscription, at, lines, true),
    ),
    events: ['invoice.paid', 'customer.subscription.updated'],
  }
}

export function setCancellation(customer: SandboxCustomer, live: SandboxSubscription, isCancelled: boolean): Played {
  return {
    customer: withSubscription(customer, { ...live, isCancelled }),
    events: ['customer.subscription.updated'],
  }
}

export const endAtOnce = (customer: SandboxCustomer, live: SandboxSubscription, at: Date): Played =>
  end(voidOpen(customer, live.id), live, at)

function end(customer: SandboxCustomer, live: SandboxSubscription, at: Date): Played {
  return {
    customer: withSubscription(customer, { ...live, status: 'ended', endedAt: at.toISOString() }),
    events: ['customer.subscription.deleted'],
  }
}

const voidOpen = (customer: SandboxCustomer, subscriptionId: string): SandboxCustomer => ({
  ...customer,
  invoices: customer.invoices.map((invoice) =>
    invoice.subscriptionId === subscriptionId && invoice.status === 'open' ? { ...invoice, status: 'void' } : invoice,
  ),
})

const withSubscription = (customer: SandboxCustomer, changed: SandboxSubscription): SandboxCustomer => ({
  ...customer,
  subscriptions: customer.subscriptions.map((subscription) =>
    subscription.id === changed.id ? changed : subscription,
  ),
})

const withInvoice = (customer: SandboxCustomer, invoice: SandboxInvoice): SandboxCustomer => ({
  ...customer,
  invoices: [invoice, ...customer.invoices],
})

const newInvoice = (
  ids: IdSource,
  subscription: SandboxSubscription,
  at: Date,
  lines: SandboxInvoice['lines'],
  isPaid: boolean,
): SandboxInvoice => ({
  id: ids.invoice(),
  subscriptionId: subscription.id,
  status: isPaid ? 'paid' : 'open',
  createdAt: at.toISOString(),
  paidAt: isPaid ? at.toISOString() : null,
  lines,
})
