import { addSeconds, type Clock } from '../core/clock.ts'
import { isEqualSecret } from '../core/secrets.ts'
import type { BillingProvider, BillingReply, Invoice, PaidPlan, SubscriptionState } from './billing-provider.ts'
import {
  advance,
  changePlan,
  endAtOnce,
  findLive,
  type IdSource,
  nextMoment,
  type Played,
  periodEnd,
  periodStart,
  prorate,
  type SandboxCustomer,
  type SandboxInvoice,
  type SandboxSubscription,
  setCancellation,
  setCard,
  subscribe,
} from './sandbox-ledger.ts'

/**
 * The embedded provider: a checkout page instead of a bank, the same events and the same states. Its records are kept by
 * anyone who hands in the `SandboxBillingStore`; every change goes in together with the events that tell of it, or not at all.
 */
export interface SandboxBilling extends BillingProvider {
  readonly name: 'sandbox'
  findCheckout(id: string): Promise<SandboxCheckout | undefined>
  /** What the two buttons of the page do. */
  settleCheckout(id: string, outcome: CheckoutOutcome): Promise<'paid' | 'declined' | 'closed' | 'unknown'>
  /** Replaces the card on file by one that pays or one that does not. */
  setCard(customerId: string, outcome: CheckoutOutcome): Promise<'ok' | 'unknown'>
  /** Plays renewals, retries and ends that are due; returns how many customers were touched. */
  advanceDue(): Promise<number>
  /** Hands over each event that was not handed over yet, signed as it would travel. */
  deliverEvents(receive: (body: Buffer, signature: string) => Promise<void>): Promise<number>
}

export type CheckoutOutcome = 'paid' | 'declined'

export interface SandboxCheckout {
  readonly id: string
  readonly customerId: string
  readonly plan: PaidPlan
  readonly returnUrl: string
  readonly expiresAt: Date
  readonly outcome: CheckoutOutcome | 'closed' | null
}

/** Where the sandbox keeps its records; each `save` is one transaction and fails on a version that is not current. */
export interface SandboxBillingStore {
  addCustomer(customer: SandboxCustomer): Promise<void>
  findCustomer(id: string): Promise<{ customer: SandboxCustomer; version: number } | undefined>
  findCustomerBySubscription(subscriptionId: string): Promise<string | undefined>
  /** False when another process saved first. */
  save(change: {
    readonly customer: SandboxCustomer
    readonly version: number
    readonly nextAt: Date | null
    readonly events: readonly SandboxEvent[]
    /** Closes this checkout in the same transaction, if it is still open. */
    readonly checkout?: { readonly id: string; readonly outcome: CheckoutOutcome }
  }): Promise<boolean>
  listDueCustomers(now: Date): Promise<readonly string[]>
  addCheckout(checkout: SandboxCheckout): Promise<void>
  findCheckout(id: string): Promise<SandboxCheckout | undefined>
  closeCheckout(id: string, outcome: CheckoutOutcome | 'closed'): Promise<boolean>
  listUndeliveredEvents(): Promise<readonly SandboxEvent[]>
  markDelivered(eventId: string): Promise<void>
}

export interface SandboxEvent {
  readonly id: string
  readonly type: string
  readonly customerId: string
  readonly createdAt: Date
}

export interface SandboxOptions {
  readonly store: SandboxBillingStore
  readonly clock: Clock
  readonly publicUrl: string
  readonly newId: (kind: 'checkout' | 'customer' | 'subscription' | 'invoice' | 'event') => string
  /** A keyed fingerprint of a text. */
  readonly sign: (text: string) => string
}

const checkoutLifetimeSeconds = 3_600
const maxSaves = 20

const ok = <T>(value: T): BillingReply<T> => ({ kind: 'ok', value })
const noSuch = (what: string) => ({ kind: 'unavailable', detail: `no such ${what}` }) as const

export function createSandboxBilling({ store, clock, publicUrl, newId, sign }: SandboxOptions): SandboxBilling {
  const ids: IdSource = { subscription: () => newId('subscription'), invoice: () => newId('invoice') }

  /** Reads, plays what is due, applies `act`, saves; starts over when another process was faster. */
  async function change(
    customerId: string,
    act: (customer: SandboxCustomer, now: Date) => Played | null,
    checkout?: { id: string; outcome: CheckoutOutcome },
  ): Promise<SandboxCustomer | 'unknown' | 'refused' | 'closed'> {
    for (let tries = 0; tries < maxSaves; tries++) {
      const found = await store.findCustomer(customerId)
      if (!found) return 'unknown'
      const now = clock.now()
      const due = advance(found.customer, now, ids)
      const acted = act(due.customer, now)
      const { customer, events } = acted ?? { customer: due.customer, events: [] }
      const types = [...due.events, ...events]
      if (types.length > 0 || customer !== found.customer) {
        const isSaved = await store.save({
          customer,
          version: found.version,
          nextAt: nextMoment(customer),
          events: types.map((type) => ({ id: newId('event'), type, customerId, createdAt: now })),
          ...(checkout && acted && { checkout }),
        })
        if (!isSaved) {
          if (checkout && (await store.findCheckout(checkout.id))?.outcome !== null) return 'closed'
          continue
        }
      }
      return acted ? customer : 'refused'
    }
    throw new Error('sandbox billing: too many writers')
  }

  const unchanged = (customer: SandboxCustomer): Played => ({ customer, events: [] })

  async function changeLive(
    subscriptionId: string,
    act: (customer: SandboxCustomer, live: SandboxSubscription, now: Date) => Played | null,
  ): Promise<SandboxCustomer | 'unknown' | 'refused' | 'closed'> {
    const customerId = await store.findCustomerBySubscription(subscriptionId)
    if (!customerId) return 'unknown'
    return change(customerId, (customer, now) => {
      const live = findLive(customer)
      return live?.id === subscriptionId ? act(customer, live, now) : null
    })
  }

  const readCustomer = async (customerId: string): Promise<SandboxCustomer | undefined> => {
    const customer = await change(customerId, unchanged)
    return typeof customer === 'string' ? undefined : customer
  }

  return {
    name: 'sandbox',
    signatureHeader: 'sandbox-signature',

    async createCustomer({ accountId }) {
      const id = newId('customer')
      await store.addCustomer({ id, accountId, isCardGood: true, subscriptions: [], invoices: [] })
      return ok({ customerId: id })
    },

    async startCheckout({ customerId, plan, returnUrl }) {
      const id = newId('checkout')
      const expiresAt = addSeconds(clock.now(), checkoutLifetimeSeconds)
      await store.addCheckout({ id, customerId, plan, returnUrl, expiresAt, outcome: null })
      return ok({ checkoutId: id, url: `${publicUrl}/sandbox/checkout/${id}` })
    },

    async closeCheckout(id) {
      await store.closeCheckout(id, 'closed')
      return ok(undefined)
    },

    findCheckout: (id) => store.findCheckout(id),

    async settleCheckout(id, outcome) {
      const checkout = await store.findCheckout(id)
      if (!checkout) return 'unknown'
      if (checkout.outcome !== null || checkout.expiresAt <= clock.now()) return 'closed'
      if (outcome === 'declined') return (await store.closeCheckout(id, 'declined')) ? 'declined' : 'closed'
      const changed = await change(
        checkout.customerId,
        (customer, now) => (findLive(customer) ? null : subscribe(customer, checkout.plan, now, ids)),
        { id, outcome },
      )
      return typeof changed === 'string' ? 'closed' : 'paid'
    },

    async setCard(customerId, outcome) {
      const changed = await change(customerId, (customer, now) => setCard(customer, outcome === 'paid', now))
      return changed === 'unknown' ? 'unknown' : 'ok'
    },

    async fetchSubscriptions(customerId) {
      const customer = await readCustomer(customerId)
      return customer ? ok(customer.subscriptions.map(toState)) : noSuch('customer')
    },

    async previewChange({ customerId, subscriptionId, plan, at }) {
      const live = findLive((await readCustomer(customerId)) ?? emptyCustomer)
      if (live?.id !== subscriptionId) return noSuch('subscription')
      return ok({ currency: 'usd', ...prorate(live, plan, at) })
    },

    async changePlan({ subscriptionId, plan }) {
      const changed = await changeLive(subscriptionId, (customer, live, now) =>
        changePlan(customer, live, plan, now, ids),
      )
      if (changed === 'unknown') return noSuch('subscription')
      return typeof changed === 'string' ? { kind: 'declined' } : { kind: 'changed' }
    },

    async setCancellation(subscriptionId, isCancelled) {
      const changed = await changeLive(subscriptionId, (customer, live) => setCancellation(customer, live, isCancelled))
      return typeof changed === 'string' ? noSuch('subscription') : ok(undefined)
    },

    async endNow(subscriptionId) {
      const changed = await changeLive(subscriptionId, endAtOnce)
      return changed === 'unknown' ? noSuch('subscription') : ok(undefined)
    },

    async listInvoices(customerId) {
      const customer = await readCustomer(customerId)
      if (!customer) return noSuch('customer')
      return ok(customer.invoices.map((invoice, index) => toInvoice(invoice, customer.invoices.length - index)))
    },

    readEvent(body, signature) {
      const match = /^t=(\d{1,12}),v1=(\S+)$/.exec(signature ?? '')
      if (!match || !isEqualSecret(match[2] ?? '', sign(`${match[1]}.${body.toString()}`))) return null
      const event = JSON.parse(body.toString()) as SandboxEvent
      return { id: event.id, type: event.type, customerId: event.customerId }
    },

    async advanceDue() {
      const due = await store.listDueCustomers(clock.now())
      for (const customerId of due) await change(customerId, unchanged)
      return due.length
    },

    async deliverEvents(receive) {
      const events = await store.listUndeliveredEvents()
      for (const event of events) {
        const body = JSON.stringify(event)
        const seconds = Math.floor(event.createdAt.getTime() / 1000)
        await receive(Buffer.from(body), `t=${seconds},v1=${sign(`${seconds}.${body}`)}`)
        await store.markDelivered(event.id)
      }
      return events.length
    },
  }
}

const emptyCustomer: SandboxCustomer = { id: '', accountId: '', isCardGood: false, subscriptions: [], invoices: [] }

const toState = (subscription: SandboxSubscription): SubscriptionState => ({
  id: subscription.id,
  plan: subscription.plan,
  status: subscription.status,
  anchor: new Date(subscription.anchor),
  periodStart: periodStart(subscription),
  periodEnd: periodEnd(subscription),
  cancelsAt: subscription.isCancelled ? periodEnd(subscription) : null,
})

const toInvoice = (invoice: SandboxInvoice, ordinal: number): Invoice => ({
  id: invoice.id,
  number: `SANDBOX-${String(ordinal).padStart(4, '0')}`,
  status: invoice.status,
  amountCents: invoice.lines.reduce((sum, { amountCents }) => sum + amountCents, 0),
  currency: 'usd',
  createdAt: new Date(invoice.createdAt),
  paidAt: invoice.paidAt ? new Date(invoice.paidAt) : null,
  lines: invoice.lines,
  url: null,
})
