import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import Stripe from 'stripe'

/**
 * The part of Stripe that the service uses, over real HTTP and with state: customers, checkout, subscriptions that renew
 * by a clock the test moves, invoices with proration, cards that are declined, idempotency keys, and signed events that
 * the test delivers, loses, repeats or reorders as it likes.
 */
export interface StripeStandIn {
  readonly url: string
  readonly secretKey: string
  readonly webhookSecret: string
  readonly prices: { readonly basic: string; readonly pro: string }
  readonly calls: readonly { readonly method: string; readonly path: string; readonly version: string | undefined }[]
  /** Everything that happened, oldest first; nothing is delivered by itself. */
  readonly events: readonly StripeEvent[]
  now(): Date
  /** Moves its clock, playing renewals, retries and ends in between. */
  travelTo(moment: Date): void
  payCheckout(url: string): void
  /** A subscription that came about in some other way, at the dashboard say. */
  addSubscription(customerId: string, plan: 'basic' | 'pro'): void
  setCard(customerId: string, card: Card): void
  /** The next requests answer with these statuses before anything is looked at. */
  failNext(...statuses: number[]): void
  /** Closes the connection after the next request was carried out, so that its answer is lost. */
  loseNextAnswer(): void
  sign(event: StripeEvent, at?: Date): { readonly body: string; readonly signature: string }
  findCustomerOf(userId: string): string
  cancelAtOnce(subscriptionId: string): void
  close(): Promise<void>
}

export type Card = 'good' | 'declined' | 'needs_action'

export interface StripeEvent {
  readonly id: string
  readonly object: 'event'
  readonly type: string
  readonly created: number
  readonly data: { readonly object: Record<string, unknown> }
}

interface Customer {
  id: string
  userId: string
  card: Card
}

interface Subscription {
  id: string
  customer: string
  price: string
  status: 'active' | 'past_due' | 'canceled'
  anchor: Date
  cycle: number
  cancelAtPeriodEnd: boolean
  created: Date
  latestInvoice: string
  tries: number
}

interface Invoice {
  id: string
  number: string
  customer: string
  subscription: string
  status: 'open' | 'paid' | 'void'
  created: Date
  paidAt: Date | null
  lines: { description: string; amount: number }[]
}

interface Session {
  id: string
  customer: string
  price: string
  status: 'open' | 'complete' | 'expired'
}

type Params = Record<string, string>

class StripeFault extends Error {
  readonly status: number
  readonly body: object
  constructor(status: number, type: string, code: string, message: string) {
    super(message)
    this.status = status
    this.body = { error: { type, code, message } }
  }
}

const invalid = (message: string, code = 'parameter_invalid') =>
  new StripeFault(400, 'invalid_request_error', code, message)
const missing = (what: string, id: string) =>
  new StripeFault(404, 'invalid_request_error', 'resource_missing', `No such ${what}: '${id}'`)

const seconds = (date: Date): number => Math.floor(date.getTime() / 1000)

/** The anchor's day in a later month, or that month's last day. */
function monthsAfter(anchor: Date, count: number): Date {
  const first = new Date(anchor)
  first.setUTCDate(1)
  first.setUTCMonth(first.getUTCMonth() + count)
  const daysInMonth = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  first.setUTCDate(Math.min(anchor.getUTCDate(), daysInMonth))
  return first
}

export async function startStripeStandIn(startsAt: Date): Promise<StripeStandIn> {
  const secretKey = 'sk_test_standin0000000000000000'
  const webhookSecret = 'whsec_standin00000000000000000'
  const prices = { basic: 'price_basic_1', pro: 'price_pro_1' }
  const amounts: Readonly<Record<string, { amount: number; name: string }>> = {
    [prices.basic]: { amount: 999, name: 'Basic' },
    [prices.pro]: { amount: 2999, name: 'Pro' },
  }
  const customers = new Map<string, Customer>()
  const sessions = new Map<string, Session>()
  const subscriptions = new Map<string, Subscription>()
  const invoices = new Map<string, Invoice>()
  const replays = new Map<string, { fingerprint: string; status: number; body: string }>()
  const events: StripeEvent[] = []
  const calls: { method: string; path: string; version: string | undefined }[] = []
  const failing: number[] = []
  let now = startsAt
  let isAnswerLost = false
  let counter = 0
  // Ids of two stand-ins never meet in one database.
  const run = randomBytes(4).toString('hex')
  const nextId = (prefix: string): string => `${prefix}_${run}${String(++counter).padStart(6, '0')}`

  const priceOf = (id: string) => amounts[id] ?? { amount: 0, name: '?' }
  const start = (subscription: Subscription): Date => monthsAfter(subscription.anchor, subscription.cycle)
  const end = (subscription: Subscription): Date => monthsAfter(subscription.anchor, subscription.cycle + 1)

  const emit = (type: string, object: Record<string, unknown>): void => {
    events.push({ id: nextId('evt'), object: 'event', type, created: seconds(now), data: { object } })
  }

  const showSubscription = (subscription: Subscription) => ({
    id: subscription.id,
    object: 'subscription',
    customer: subscription.customer,
    status: subscription.status,
    cancel_at_period_end: subscription.cancelAtPeriodEnd,
    cancel_at: subscription.cancelAtPeriodEnd ? seconds(end(subscription)) : null,
    billing_cycle_anchor: seconds(subscription.anchor),
    created: seconds(subscription.created),
    latest_invoice: subscription.latestInvoice,
    items: {
      object: 'list',
      data: [
        {
          id: `si_${subscription.id}`,
          object: 'subscription_item',
          price: {
            id: subscription.price,
            object: 'price',
            unit_amount: priceOf(subscription.price).amount,
            currency: 'usd',
          },
          quantity: 1,
          current_period_start: seconds(start(subscription)),
          current_period_end: seconds(end(subscription)),
        },
      ],
    },
  })

  const total = (lines: Invoice['lines']): number => lines.reduce((sum, { amount }) => sum + amount, 0)
  const showLines = (lines: Invoice['lines']) => ({
    object: 'list',
    data: lines.map(({ description, amount }, index) => ({
      id: `il_${index}`,
      object: 'line_item',
      description,
      amount,
      currency: 'usd',
    })),
  })
  const showInvoice = (invoice: Invoice) => ({
    id: invoice.id,
    object: 'invoice',
    number: invoice.number,
    customer: invoice.customer,
    status: invoice.status,
    total: total(invoice.lines),
    amount_due: Math.max(0, total(invoice.lines)),
    currency: 'usd',
    created: seconds(invoice.created),
    hosted_invoice_url: `https://invoice.stand-in.example/${invoice.id}`,
    status_transitions: { paid_at: invoice.paidAt ? seconds(invoice.paidAt) : null },
    lines: showLines(invoice.lines),
  })

  function bill(customer: string, subscription: string, lines: Invoice['lines'], isPaid: boolean): Invoice {
    const id = nextId('in')
    const invoice: Invoice = {
      id,
      number: `STANDIN-${invoices.size + 1}`,
      customer,
      subscription,
      status: isPaid ? 'paid' : 'open',
      created: now,
      paidAt: isPaid ? now : null,
      lines,
    }
    invoices.set(id, invoice)
    return invoice
  }

  const findSubscription = (id: string): Subscription => {
    const subscription = subscriptions.get(id)
    if (!subscription) throw missing('subscription', id)
    return subscription
  }

  const cardOf = (customerId: string): Card => customers.get(customerId)?.card ?? 'declined'

  function prorationLines(subscription: Subscription, price: string, at: Date): Invoice['lines'] {
    const left =
      (end(subscription).getTime() - at.getTime()) / (end(subscription).getTime() - start(subscription).getTime())
    const [from, to] = [priceOf(subscription.price), priceOf(price)]
    return [
      { description: `Unused time on ${from.name}`, amount: -Math.round(from.amount * left) },
      { description: `Remaining time on ${to.name}`, amount: Math.round(to.amount * left) },
    ]
  }

  function changePrice(subscription: Subscription, price: string, params: Params): void {
    if (!amounts[price]) throw missing('price', price)
    if (price === subscription.price) return
    if (params.proration_behavior !== 'always_invoice' || params.payment_behavior !== 'error_if_incomplete') {
      throw invalid('this stand-in models paid-or-unchanged updates only')
    }
    const at = params.proration_date ? new Date(Number(params.proration_date) * 1000) : now
    if (at < start(subscription) || at > end(subscription))
      throw invalid('proration_date must lie in the current period')
    const card = cardOf(subscription.customer)
    if (card === 'needs_action') {
      throw new StripeFault(
        402,
        'invalid_request_error',
        'subscription_payment_intent_requires_action',
        'Action required.',
      )
    }
    if (card === 'declined') throw new StripeFault(402, 'card_error', 'card_declined', 'Your card was declined.')
    const invoice = bill(subscription.customer, subscription.id, prorationLines(subscription, price, at), true)
    subscription.price = price
    subscription.latestInvoice = invoice.id
    emit('invoice.paid', showInvoice(invoice))
  }

  function subscribe(customer: string, price: string): string {
    const { amount, name } = priceOf(price)
    const id = nextId('sub')
    const invoice = bill(customer, id, [{ description: `1 × ${name}`, amount }], true)
    const subscription: Subscription = {
      id,
      customer,
      price,
      status: 'active',
      anchor: now,
      cycle: 0,
      cancelAtPeriodEnd: false,
      created: now,
      latestInvoice: invoice.id,
      tries: 0,
    }
    subscriptions.set(id, subscription)
    emit('customer.subscription.created', showSubscription(subscription))
    emit('invoice.paid', showInvoice(invoice))
    return id
  }

  function endSubscription(subscription: Subscription): void {
    subscription.status = 'canceled'
    emit('customer.subscription.deleted', showSubscription(subscription))
  }

  /** The one moment at which something happens to this subscription next. */
  const nextMoment = (subscription: Subscription): Date | null => {
    if (subscription.status === 'canceled') return null
    if (subscription.status === 'active') return end(subscription)
    return new Date(start(subscription).getTime() + subscription.tries * 86_400_000)
  }

  function play(subscription: Subscription) {
    if (subscription.status === 'past_due') return retry(subscription)
    if (subscription.cancelAtPeriodEnd) return endSubscription(subscription)
    subscription.cycle++
    const { amount, name } = priceOf(subscription.price)
    const isPaid = cardOf(subscription.customer) === 'good'
    const invoice = bill(subscription.customer, subscription.id, [{ description: `1 × ${name}`, amount }], isPaid)
    subscription.latestInvoice = invoice.id
    if (!isPaid) {
      subscription.status = 'past_due'
      subscription.tries = 1
    }
    emit(isPaid ? 'invoice.paid' : 'invoice.payment_failed', showInvoice(invoice))
    emit('customer.subscription.updated', showSubscription(subscription))
  }

  function retry(subscription: Subscription): void {
    const invoice = invoices.get(subscription.latestInvoice)
    if (!invoice) return
    if (cardOf(subscription.customer) === 'good') {
      invoice.status = 'paid'
      invoice.paidAt = now
      subscription.status = 'active'
      subscription.tries = 0
      emit('invoice.paid', showInvoice(invoice))
      emit('customer.subscription.updated', showSubscription(subscription))
      return
    }
    subscription.tries++
    emit('invoice.payment_failed', showInvoice(invoice))
    if (subscription.tries > 20) endSubscription(subscription)
  }

  function route(method: string, path: string, params: Params): object {
    const [, , resource = '', id = '', action = ''] = path.split('/')
    switch (`${method} ${resource}`) {
      case 'POST customers': {
        const customer = { id: nextId('cus'), userId: params['metadata[userId]'] ?? '', card: 'good' as Card }
        customers.set(customer.id, customer)
        return { id: customer.id, object: 'customer', email: params.email }
      }
      case 'POST checkout':
        return checkout(path.split('/')[4] ?? '', path.split('/')[5] ?? '', params)
      case 'GET subscriptions':
        if (id) return showSubscription(findSubscription(id))
        return list(
          [...subscriptions.values()]
            .filter(({ customer }) => customer === params.customer)
            .reverse()
            .map(showSubscription),
        )
      case 'POST subscriptions': {
        const subscription = findSubscription(id)
        if (subscription.status === 'canceled') throw invalid('A canceled subscription can only update its metadata.')
        const price = params['items[0][price]']
        if (price) changePrice(subscription, price, params)
        if (params.cancel_at_period_end) subscription.cancelAtPeriodEnd = params.cancel_at_period_end === 'true'
        emit('customer.subscription.updated', showSubscription(subscription))
        return showSubscription(subscription)
      }
      case 'DELETE subscriptions': {
        const subscription = findSubscription(id)
        if (subscription.status === 'canceled') throw missing('subscription', id)
        endSubscription(subscription)
        return showSubscription(subscription)
      }
      case 'GET invoices':
        return list(
          [...invoices.values()]
            .filter(({ customer }) => customer === params.customer)
            .reverse()
            .map(showInvoice),
        )
      case 'POST invoices':
        return id === 'create_preview' ? preview(params) : voidInvoice(id, action)
      case 'POST billing_portal':
        return {
          id: nextId('bps'),
          object: 'billing_portal.session',
          url: `https://portal.stand-in.example/${params.customer}`,
        }
      default:
        throw new StripeFault(
          404,
          'invalid_request_error',
          'resource_missing',
          `Unrecognized request URL (${method}: ${path}).`,
        )
    }
  }

  function checkout(id: string, action: string, params: Params): object {
    if (action === 'expire') {
      const session = sessions.get(id)
      if (!session) throw missing('checkout.session', id)
      if (session.status !== 'open') throw invalid('Only open sessions can be expired.')
      session.status = 'expired'
      return { id, object: 'checkout.session', status: 'expired', url: null }
    }
    const customer = params.customer ?? ''
    const price = params['line_items[0][price]'] ?? ''
    if (!customers.has(customer)) throw missing('customer', customer)
    if (!amounts[price]) throw missing('price', price)
    if (params.mode !== 'subscription' || !params.success_url) throw invalid('mode and success_url are required')
    const session: Session = { id: nextId('cs_test'), customer, price, status: 'open' }
    sessions.set(session.id, session)
    return {
      id: session.id,
      object: 'checkout.session',
      status: 'open',
      url: `https://checkout.stand-in.example/${session.id}`,
    }
  }

  function preview(params: Params): object {
    const subscription = findSubscription(params.subscription ?? '')
    const price = params['subscription_details[items][0][price]'] ?? ''
    const at = new Date(Number(params['subscription_details[proration_date]']) * 1000)
    const lines = prorationLines(subscription, price, at)
    return {
      id: 'upcoming_in_1',
      object: 'invoice',
      currency: 'usd',
      amount_due: Math.max(0, total(lines)),
      lines: showLines(lines),
    }
  }

  function voidInvoice(id: string, action: string): object {
    const invoice = invoices.get(id)
    if (!invoice || action !== 'void') throw missing('invoice', id)
    if (invoice.status !== 'open') throw invalid('You can only void open invoices.')
    invoice.status = 'void'
    return showInvoice(invoice)
  }

  const list = (data: object[]): object => ({ object: 'list', has_more: false, data })

  function carryOut(method: string, path: string, params: Params): { status: number; body: string } {
    try {
      return { status: 200, body: JSON.stringify(route(method, path, params)) }
    } catch (error) {
      if (!(error instanceof StripeFault)) throw error
      return { status: error.status, body: JSON.stringify(error.body) }
    }
  }

  const server = createServer(async (request, response) => {
    const { method = 'GET' } = request
    const url = new URL(request.url ?? '/', 'http://stand-in')
    const text = await readBody(request)
    const params = Object.fromEntries([...url.searchParams, ...new URLSearchParams(text)])
    calls.push({ method, path: url.pathname, version: request.headers['stripe-version'] as string | undefined })
    response.setHeader('content-type', 'application/json')
    response.setHeader('request-id', nextId('req'))
    const failure = failing.shift()
    if (failure) {
      response.writeHead(failure).end(JSON.stringify({ error: { type: 'api_error', message: 'stand-in failure' } }))
      return
    }
    if (request.headers.authorization !== `Bearer ${secretKey}`) {
      response
        .writeHead(401)
        .end(JSON.stringify({ error: { type: 'invalid_request_error', message: 'Invalid API Key provided' } }))
      return
    }
    const key = method === 'POST' ? (request.headers['idempotency-key'] as string | undefined) : undefined
    const fingerprint = createHash('sha256').update(`${url.pathname}\n${text}`).digest('hex')
    const known = key ? replays.get(key) : undefined
    if (known && known.fingerprint !== fingerprint) {
      response.writeHead(400).end(
        JSON.stringify({
          error: { type: 'idempotency_error', message: 'Keys can only be used with the same parameters.' },
        }),
      )
      return
    }
    const outcome = known ?? { fingerprint, ...carryOut(method, url.pathname, params) }
    if (key) replays.set(key, outcome)
    if (isAnswerLost) {
      isAnswerLost = false
      request.socket.destroy()
      return
    }
    if (known) response.setHeader('idempotent-replayed', 'true')
    response.writeHead(outcome.status).end(outcome.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const signer = new Stripe(secretKey)

  return {
    url: `http://127.0.0.1:${port}`,
    secretKey,
    webhookSecret,
    prices,
    calls,
    events,
    now: () => now,
    travelTo(moment) {
      for (;;) {
        const due = [...subscriptions.values()]
          .map((subscription) => ({ subscription, at: nextMoment(subscription) }))
          .filter((item): item is { subscription: Subscription; at: Date } => item.at !== null && item.at <= moment)
          .sort((a, b) => a.at.getTime() - b.at.getTime())[0]
        if (!due) break
        now = due.at
        play(due.subscription)
      }
      now = moment
    },
    payCheckout(url) {
      const session = sessions.get(url.split('/').at(-1) ?? '')
      if (session?.status !== 'open') throw new Error('this checkout is not open')
      session.status = 'complete'
      const id = subscribe(session.customer, session.price)
      emit('checkout.session.completed', {
        id: session.id,
        object: 'checkout.session',
        customer: session.customer,
        subscription: id,
        payment_status: 'paid',
      })
    },
    addSubscription: (customerId, plan) => void subscribe(customerId, prices[plan]),
    setCard(customerId, card) {
      const customer = customers.get(customerId)
      if (!customer) throw new Error('no such customer')
      customer.card = card
    },
    failNext: (...statuses) => {
      failing.push(...statuses)
    },
    loseNextAnswer() {
      isAnswerLost = true
    },
    sign(event, at = now) {
      const body = JSON.stringify({ ...event, api_version: '2026-10-28.endive', livemode: false, pending_webhooks: 1 })
      const signature = signer.webhooks.generateTestHeaderString({
        payload: body,
        secret: webhookSecret,
        timestamp: seconds(at),
      })
      return { body, signature }
    },
    findCustomerOf(userId) {
      const customer = [...customers.values()].find((item) => item.userId === userId)
      if (!customer) throw new Error('no such customer')
      return customer.id
    },
    cancelAtOnce: (subscriptionId) => endSubscription(findSubscription(subscriptionId)),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const piece of request) chunks.push(piece as Buffer)
  return Buffer.concat(chunks).toString()
}
