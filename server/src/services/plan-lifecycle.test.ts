import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { testClock } from '../core/clock.ts'
import { type StripeStandIn, startStripeStandIn } from '../gateways/stand-ins/stripe.ts'
import { createAccountStore } from '../stores/accounts.ts'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { startTestApp, type TestAccount, type TestApp } from '../testing/start-test-app.ts'

/** What each provider lets a test do: the rest of the walk is the same for both. */
interface Bank {
  environment: Record<string, string>
  pay(app: TestApp, checkoutUrl: string): Promise<void>
  decline?(app: TestApp, checkoutUrl: string): Promise<Response>
  setCard(app: TestApp, account: TestAccount, outcome: 'paid' | 'declined'): Promise<void>
  travelTo(moment: Date): void
  /** Lets the events that happened reach the service, and the sweep pass by. */
  settle(app: TestApp): Promise<void>
  close(): Promise<void>
}

async function openSandbox(): Promise<Bank> {
  const post = (url: string, outcome: string) =>
    fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ outcome }) })
  return {
    environment: {},
    async pay(_, url) {
      const answer = await post(url, 'paid')
      expect(answer.status).toBe(200)
      expect(await answer.json()).toMatchObject({ success: true, status: 'active' })
    },
    decline: (_, url) => post(url, 'declined'),
    async setCard(app, account, outcome) {
      expect((await app.post('/sandbox/card', { outcome }, account.session)).statusCode).toBe(200)
    },
    travelTo: () => {},
    settle: (app) => app.runJobs(),
    close: async () => {},
  }
}

async function openStripe(startsAt: Date): Promise<Bank & { stripe: StripeStandIn }> {
  const stripe = await startStripeStandIn(startsAt)
  let delivered = 0
  const settle = async (app: TestApp): Promise<void> => {
    for (; delivered < stripe.events.length; delivered++) {
      const event = stripe.events[delivered]
      if (event) expect((await send(app, stripe, event)).status).toBe(200)
    }
    await app.runJobs()
  }
  return {
    stripe,
    environment: {
      BILLING_PROVIDER: 'stripe',
      STRIPE_SECRET_KEY: stripe.secretKey,
      STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
      STRIPE_PRICE_BASIC: stripe.prices.basic,
      STRIPE_PRICE_PRO: stripe.prices.pro,
      STRIPE_API_BASE: stripe.url,
    },
    async pay(app, url) {
      stripe.payCheckout(url)
      await settle(app)
    },
    async setCard(_, account, outcome) {
      stripe.setCard(stripe.findCustomerOf(account.userId), outcome === 'paid' ? 'good' : 'declined')
    },
    travelTo: (moment) => stripe.travelTo(moment),
    settle,
    close: () => stripe.close(),
  }
}

function send(app: TestApp, stripe: StripeStandIn, event: StripeStandIn['events'][number]): Promise<Response> {
  const { body, signature } = stripe.sign(event)
  return fetch(`${baseOf(app)}/api/billing/webhook`, {
    method: 'POST',
    headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature },
    body,
  })
}

const baseOf = (app: TestApp): string => {
  const [address] = app.app.addresses()
  return `http://127.0.0.1:${(address as AddressInfo).port}`
}

/** The service listening on a real port, so that the walk is made by a real client. */
/** Below those that the system gives to connections: nobody takes it in between. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 20_000)
    const probe = createServer().listen(port, '127.0.0.1')
    const isFree = await once(probe, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    probe.close()
    await once(probe, 'close')
    return port
  }
}

async function listen(
  context: { database: TestApp['deps']['database'] },
  bank: Bank,
  startsAt: Date,
): Promise<TestApp> {
  const port = await freePort()
  const app = await startTestApp({
    database: context.database,
    clock: testClock(startsAt),
    environment: { ...bank.environment, PORT: String(port) },
  })
  await app.app.listen({ host: '127.0.0.1', port })
  return app
}

const call = async (app: TestApp, method: string, path: string, headers: Record<string, string>, body?: object) => {
  const answer = await fetch(`${baseOf(app)}${path}`, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: answer.status, body: (await answer.json()) as Record<string, never> & { data: never } }
}

const providers: readonly (readonly [string, (startsAt: Date) => Promise<Bank>])[] = [
  ['sandbox', openSandbox],
  ['stripe', openStripe],
]

for (const [provider, open] of providers) {
  describeOnEachDatabase(`plans paid through ${provider}`, (context) => {
    let bank: Bank
    let app: TestApp
    let account: TestAccount

    const begin = async (start: string): Promise<void> => {
      const startsAt = new Date(start)
      bank = await open(startsAt)
      app = await listen(context, bank, startsAt)
      account = await app.signUp()
    }
    afterEach(async () => {
      await app.close()
      await bank.close()
    })

    const plan = async () => {
      const { data } = (await call(app, 'GET', `/api/v1/user-plan?userId=${account.userId}`, account.session)).body
      return data as Record<string, unknown>
    }
    const upgrade = (newPlan: unknown) => call(app, 'POST', '/api/upgrade-plan', account.session, { newPlan })
    const change = (path: string) => call(app, 'POST', path, account.session, { userId: account.userId })
    const invoices = async () => {
      const { data } = (await call(app, 'GET', '/api/v1/invoices', account.session)).body
      return (data as { invoices: { status: string; amountCents: number; paidAt: string | null }[] }).invoices
    }
    const travelTo = async (moment: string): Promise<void> => {
      // Sessions last a week: time passes, the person logs in again.
      app.clock.travelTo(moment)
      bank.travelTo(new Date(moment))
      await bank.settle(app)
      const { token } = (await app.post('/api/login', { email: account.email, password: account.password })).json()
      account = { ...account, token, session: { authorization: `Bearer ${token}` } }
    }
    const subscribe = async (newPlan: 'basic' | 'pro'): Promise<void> => {
      const { body } = await upgrade(newPlan)
      await bank.pay(app, String(body.checkoutUrl))
      expect(await plan()).toMatchObject({ plan: newPlan })
    }

    test('from free to basic to pro and back, across month ends', async () => {
      await begin('2026-01-31T10:00:00.000Z')
      expect(await plan()).toMatchObject({ plan: 'free', billingSubscriptionId: '', cancelsAt: null })

      const response = await upgrade('basic')
      expect(response).toMatchObject({
        status: 200,
        body: {
          success: true,
          status: 'payment_required',
          plan: 'basic',
          checkoutUrl: expect.stringMatching(/^https?:\/\//),
        },
      })
      expect(await plan()).toMatchObject({ plan: 'free' })
      await bank.pay(app, String(response.body.checkoutUrl))
      expect(await plan()).toMatchObject({
        plan: 'basic',
        renewsAt: '2026-02-28T10:00:00.000Z',
        billingSubscriptionId: expect.stringMatching(/^sub_/),
        billingStatus: 'active',
        cancelsAt: null,
        quotas: { scansPerDay: 100, maxFileSize: 1048576, maxContractSize: 51200 },
      })

      await travelTo('2026-02-14T10:00:00.000Z')
      const preview = await call(app, 'GET', '/api/v1/upgrade-preview?newPlan=pro', account.session)
      expect(preview.body.data).toMatchObject({
        currentPlan: 'basic',
        newPlan: 'pro',
        monthlyPriceCents: 2999,
        amountDueCents: 1000,
        proration: { creditCents: 500, chargeCents: 1500 },
        renewsAt: '2026-02-28T10:00:00.000Z',
      })
      expect(await plan()).toMatchObject({ plan: 'basic' })
      expect(await upgrade('pro')).toMatchObject({
        status: 200,
        body: { success: true, status: 'active', plan: 'pro' },
      })
      expect(await plan()).toMatchObject({
        plan: 'pro',
        renewsAt: '2026-02-28T10:00:00.000Z',
        quotas: { scansPerDay: 1000 },
      })
      expect(await invoices()).toMatchObject([
        { status: 'paid', amountCents: 1000 },
        { status: 'paid', amountCents: 999 },
      ])

      await travelTo('2026-02-28T09:59:59.000Z')
      expect(await plan()).toMatchObject({ plan: 'pro', renewsAt: '2026-02-28T10:00:00.000Z' })
      await travelTo('2026-02-28T10:00:00.000Z')
      expect(await plan()).toMatchObject({ plan: 'pro', renewsAt: '2026-03-31T10:00:00.000Z' })
      expect((await invoices())[0]).toMatchObject({
        status: 'paid',
        amountCents: 2999,
        paidAt: '2026-02-28T10:00:00.000Z',
      })
      await travelTo('2026-03-31T10:00:00.000Z')
      expect(await plan()).toMatchObject({ plan: 'pro', renewsAt: '2026-04-30T10:00:00.000Z' })

      expect(await change('/api/v1/cancel-plan')).toMatchObject({
        status: 200,
        body: { success: true, plan: 'pro', cancelsAt: '2026-04-30T10:00:00.000Z' },
      })
      expect(await change('/api/v1/cancel-plan')).toMatchObject({ status: 200 })
      expect(await plan()).toMatchObject({ plan: 'pro', cancelsAt: '2026-04-30T10:00:00.000Z' })
      expect(await change('/api/v1/resume-plan')).toMatchObject({
        status: 200,
        body: { renewsAt: '2026-04-30T10:00:00.000Z' },
      })
      expect(await plan()).toMatchObject({ plan: 'pro', cancelsAt: null })
      await travelTo('2026-04-30T10:00:00.000Z')
      expect(await plan()).toMatchObject({ plan: 'pro', renewsAt: '2026-05-31T10:00:00.000Z' })

      await change('/api/v1/cancel-plan')
      await travelTo('2026-05-31T09:59:59.999Z')
      expect(await plan()).toMatchObject({ plan: 'pro' })
      await travelTo('2026-05-31T10:00:00.000Z')
      expect(await plan()).toMatchObject({
        plan: 'free',
        billingSubscriptionId: '',
        cancelsAt: null,
        renewsAt: '2026-06-30T10:00:00.000Z',
        quotas: { scansPerDay: 5 },
      })
      expect(await change('/api/v1/resume-plan')).toMatchObject({ status: 409 })
    })

    test('a leap year: 31 January renews on 29 February and on 31 March', async () => {
      await begin('2028-01-31T23:30:00.000Z')
      await subscribe('pro')
      expect(await plan()).toMatchObject({ renewsAt: '2028-02-29T23:30:00.000Z' })
      await travelTo('2028-02-29T23:30:00.000Z')
      expect(await plan()).toMatchObject({ plan: 'pro', renewsAt: '2028-03-31T23:30:00.000Z' })
    })

    test('29 February renews on the 28th where there is no 29th', async () => {
      await begin('2028-02-29T08:00:00.000Z')
      await subscribe('basic')
      await travelTo('2029-01-29T08:00:00.000Z')
      expect(await plan()).toMatchObject({ plan: 'basic', renewsAt: '2029-02-28T08:00:00.000Z' })
      await travelTo('2029-02-28T08:00:00.000Z')
      expect(await plan()).toMatchObject({ plan: 'basic', renewsAt: '2029-03-29T08:00:00.000Z' })
    })

    test('a renewal that fails leaves seven days, then free', async () => {
      await begin('2026-03-10T12:00:00.000Z')
      await subscribe('basic')
      await bank.setCard(app, account, 'declined')
      await travelTo('2026-04-10T12:00:00.000Z')
      expect(await plan()).toMatchObject({
        plan: 'basic',
        billingStatus: 'past_due',
        graceEndsAt: '2026-04-17T12:00:00.000Z',
      })
      await travelTo('2026-04-17T11:59:59.000Z')
      expect(await plan()).toMatchObject({ plan: 'basic' })
      await travelTo('2026-04-17T12:00:00.000Z')
      expect(await plan()).toMatchObject({ plan: 'free', billingSubscriptionId: '' })
      await travelTo('2026-04-17T12:05:00.000Z')
      expect(await plan()).toMatchObject({ plan: 'free', billingStatus: 'none' })
      expect((await invoices())[0]).toMatchObject({ status: 'void' })
      expect(app.mails.map(({ subject }) => subject)).toEqual(
        expect.arrayContaining([
          'A payment for your Assay plan failed',
          'Your Assay plan is now free',
          'Your Assay plan is now basic',
        ]),
      )
      expect(app.mails.filter(({ subject }) => subject === 'A payment for your Assay plan failed')).toHaveLength(1)
    })

    test('a payment within the grace puts everything right', async () => {
      await begin('2026-03-10T12:00:00.000Z')
      await subscribe('basic')
      await bank.setCard(app, account, 'declined')
      await travelTo('2026-04-10T12:00:00.000Z')
      await bank.setCard(app, account, 'paid')
      await travelTo('2026-04-13T12:00:00.000Z')
      expect(await plan()).toMatchObject({
        plan: 'basic',
        billingStatus: 'active',
        graceEndsAt: null,
        renewsAt: '2026-05-10T12:00:00.000Z',
      })
      await travelTo('2026-04-20T12:00:00.000Z')
      expect(await plan()).toMatchObject({ plan: 'basic' })
    })

    test('400, 402, 409: what cannot be bought, paid or undone', async () => {
      await begin('2026-03-10T12:00:00.000Z')
      expect(await upgrade('gold')).toMatchObject({
        status: 400,
        body: { error: 'newPlan must be one of: free, basic, pro.' },
      })
      expect(await upgrade(undefined)).toMatchObject({ status: 400, body: { error: 'newPlan is required.' } })
      expect(await upgrade('free')).toMatchObject({ status: 400 })
      expect(await change('/api/v1/cancel-plan')).toMatchObject({
        status: 409,
        body: { error: 'There is no paid plan to cancel.' },
      })
      expect(await change('/api/v1/resume-plan')).toMatchObject({ status: 409 })
      await subscribe('basic')
      expect(await upgrade('basic')).toMatchObject({ status: 400 })
      expect(await upgrade('free')).toMatchObject({ status: 400 })
      expect(await change('/api/v1/resume-plan')).toMatchObject({ status: 409 })
      await bank.setCard(app, account, 'declined')
      expect(await upgrade('pro')).toMatchObject({ status: 402, body: { error: 'The payment was refused.' } })
      expect(await plan()).toMatchObject({ plan: 'basic' })
    })

    test('an API key can upgrade; with no credential it is 401', async () => {
      await begin('2026-03-10T12:00:00.000Z')
      const { keyValue } = await app.makeKey(account)
      const response = await call(app, 'POST', '/api/upgrade-plan', { 'x-api-key': keyValue }, { newPlan: 'pro' })
      expect(response).toMatchObject({ status: 200, body: { status: 'payment_required' } })
      expect(await call(app, 'POST', '/api/upgrade-plan', {}, { newPlan: 'pro' })).toMatchObject({
        status: 401,
        body: { error: 'API key is required. Please provide X-API-Key header.' },
      })
    })

    test('a plan that the operator gave stays, whatever becomes of a checkout', async () => {
      await begin('2026-03-10T12:00:00.000Z')
      await upgrade('basic')
      await createAccountStore(app.deps.db).setPlan(account.userId, 'pro', app.clock.now().getTime())
      await travelTo('2026-03-12T12:00:00.000Z')
      expect(await plan()).toMatchObject({ plan: 'pro', billingSubscriptionId: '' })
      expect(await upgrade('pro')).toMatchObject({ status: 400 })
      expect(await change('/api/v1/cancel-plan')).toMatchObject({ status: 409 })
    })

    test('an Idempotency-Key opens one checkout, not two', async () => {
      await begin('2026-03-10T12:00:00.000Z')
      const headers = { ...account.session, 'idempotency-key': 'upgrade-1' }
      const first = await call(app, 'POST', '/api/upgrade-plan', headers, { newPlan: 'basic' })
      expect(await call(app, 'POST', '/api/upgrade-plan', headers, { newPlan: 'basic' })).toEqual(first)
      expect(await call(app, 'POST', '/api/upgrade-plan', headers, { newPlan: 'pro' })).toMatchObject({ status: 422 })
      await bank.pay(app, String(first.body.checkoutUrl))
      expect(await plan()).toMatchObject({ plan: 'basic' })
    })

    test('a second checkout closes the first: nobody pays twice', async () => {
      await begin('2026-03-10T12:00:00.000Z')
      const first = await upgrade('basic')
      const second = await upgrade('pro')
      await expect(bank.pay(app, String(first.body.checkoutUrl))).rejects.toThrow()
      await bank.pay(app, String(second.body.checkoutUrl))
      expect(await plan()).toMatchObject({ plan: 'pro' })
      expect(await invoices()).toHaveLength(1)
    })
  })
}

describeOnEachDatabase('sandbox checkout', (context) => {
  let app: TestApp
  let account: TestAccount
  beforeAll(async () => {
    app = await listen(context, await openSandbox(), new Date('2026-03-10T12:00:00.000Z'))
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    account = await app.signUp()
  })
  const checkout = async (): Promise<string> =>
    String((await call(app, 'POST', '/api/upgrade-plan', account.session, { newPlan: 'basic' })).body.checkoutUrl)
  const planName = async (): Promise<unknown> =>
    (await app.get(`/api/v1/user-plan?userId=${account.userId}`, account.session)).json().data.plan
  const post = (url: string, outcome: string, type = 'application/json') =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': type },
      body: type === 'application/json' ? JSON.stringify({ outcome }) : `outcome=${outcome}`,
    })

  test('200: the page shows plan, price and two forms; its one script only picks the colours', async () => {
    const page = await fetch(await checkout())
    const html = await page.text()
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toContain('text/html')
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self'")
    expect(html).toContain('9.99 USD')
    expect(html).toContain('basic')
    expect(html.match(/<form method="post">/g)).toHaveLength(2)
    expect(html.match(/<script[^>]*>/g)).toEqual(['<script src="/theme.js">'])
  })

  test('200: the form pays as the JSON does', async () => {
    const answer = await post(await checkout(), 'paid', 'application/x-www-form-urlencoded')
    expect(answer.status).toBe(200)
    expect(await answer.text()).toContain('The basic plan is active.')
    expect(await planName()).toBe('basic')
  })

  test('402: declined, and the plan stays', async () => {
    const url = await checkout()
    const answer = await post(url, 'declined')
    expect(answer.status).toBe(402)
    expect(await answer.json()).toEqual({ error: 'The payment was refused.' })
    expect(await planName()).toBe('free')
    expect((await post(url, 'paid')).status).toBe(409)
    const page = await post(await checkout(), 'declined', 'application/x-www-form-urlencoded')
    expect(page.status).toBe(402)
    expect(await page.text()).toContain('The payment was refused.')
  })

  test('409: single use, also when both come at once', async () => {
    const url = await checkout()
    const answers = await Promise.all([post(url, 'paid'), post(url, 'paid'), post(url, 'declined')])
    expect(answers.map(({ status }) => status).sort()).toEqual(
      answers.some(({ status }) => status === 200) ? [200, 409, 409] : [402, 409, 409],
    )
    expect((await post(url, 'paid')).status).toBe(409)
  })

  test('409: valid for an hour', async () => {
    const url = await checkout()
    app.clock.travel('PT1H')
    expect((await post(url, 'paid')).status).toBe(409)
    expect(await (await fetch(url)).text()).toContain('already used or has expired')
  })

  test('404: no such checkout; 400: no such outcome', async () => {
    expect((await post(`${baseOf(app)}/sandbox/checkout/chk_nothing`, 'paid')).status).toBe(404)
    expect((await post(await checkout(), 'maybe')).status).toBe(400)
  })

  test('the id has at least 128 bits and the address is absolute', async () => {
    expect(await checkout()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/sandbox\/checkout\/chk_[0-9a-z]{26}$/)
  })
})

describeOnEachDatabase('events of the provider', (context) => {
  let bank: Awaited<ReturnType<typeof openStripe>>
  let app: TestApp
  let account: TestAccount
  const startsAt = new Date('2026-03-10T12:00:00.000Z')
  beforeEach(async () => {
    bank = await openStripe(startsAt)
    app = await listen(context, bank, startsAt)
    account = await app.signUp()
  })
  afterEach(async () => {
    await app.close()
    await bank.close()
  })
  const planName = async (): Promise<unknown> =>
    (await app.get(`/api/v1/user-plan?userId=${account.userId}`, account.session)).json().data.plan
  const pay = async (newPlan: string): Promise<void> => {
    const { body } = await call(app, 'POST', '/api/upgrade-plan', account.session, { newPlan })
    bank.stripe.payCheckout(String(body.checkoutUrl))
  }

  test("400: a signature that is not the provider's, over other bytes, or too old", async () => {
    await pay('basic')
    const event = bank.stripe.events[0]
    if (!event) throw new Error('nothing happened')
    const { body, signature } = bank.stripe.sign(event)
    const url = `${baseOf(app)}/api/billing/webhook`
    const headers = { 'content-type': 'application/json' }
    const texts = await Promise.all(
      [
        { headers, body },
        { headers: { ...headers, 'stripe-signature': 't=1,v1=00' }, body },
        { headers: { ...headers, 'stripe-signature': signature }, body: `${body} ` },
        {
          headers: {
            ...headers,
            'stripe-signature': bank.stripe.sign(event, new Date('2026-03-10T11:50:00Z')).signature,
          },
          body,
        },
      ].map(async (init) => {
        const answer = await fetch(url, { method: 'POST', ...init })
        return [answer.status, await answer.json()]
      }),
    )
    for (const answer of texts)
      expect(answer).toEqual([400, { error: 'The signature of this billing event is not valid.' }])
    expect(await planName()).toBe('free')
  })

  test('each event once: a repeated one changes and mails nothing more', async () => {
    await pay('basic')
    for (const event of [...bank.stripe.events, ...bank.stripe.events, ...bank.stripe.events]) {
      expect((await send(app, bank.stripe, event)).status).toBe(200)
    }
    await app.runJobs()
    expect(await planName()).toBe('basic')
    expect(app.mails.filter(({ subject }) => subject === 'Your Assay plan is now basic')).toHaveLength(1)
  })

  test('any order, all at once: the newest state stands', async () => {
    await pay('basic')
    const customer = bank.stripe.findCustomerOf(account.userId)
    bank.stripe.travelTo(new Date('2026-03-20T12:00:00.000Z'))
    await call(app, 'POST', '/api/v1/cancel-plan', account.session, { userId: account.userId })
    bank.stripe.travelTo(new Date('2026-04-10T12:00:00.000Z'))
    expect(customer).toBeTruthy()
    app.clock.travelTo('2026-04-10T12:00:00.000Z')
    // Created, paid, updated and deleted arrive backwards and together; deleted is what is true.
    await Promise.all([...bank.stripe.events].reverse().map((event) => send(app, bank.stripe, event)))
    await app.runJobs()
    const { token } = (await app.post('/api/login', { email: account.email, password: account.password })).json()
    account = { ...account, session: { authorization: `Bearer ${token}` } }
    expect(await planName()).toBe('free')
  })

  test('an old event replayed after a change does not bring the old state back', async () => {
    await pay('basic')
    const old = [...bank.stripe.events]
    for (const event of old) await send(app, bank.stripe, event)
    expect((await call(app, 'POST', '/api/upgrade-plan', account.session, { newPlan: 'pro' })).body.status).toBe(
      'active',
    )
    for (const event of old) await send(app, bank.stripe, { ...event, id: `${event.id}_again` })
    expect(await planName()).toBe('pro')
  })

  test('lost events: the sweep finds a paid checkout, a renewal and an end by itself', async () => {
    await pay('basic')
    expect(await planName()).toBe('free')
    app.clock.travel('PT1M')
    bank.stripe.travelTo(app.clock.now())
    await app.runJobs()
    expect(await planName()).toBe('basic')
    const logIn = async () => {
      const { token } = (await app.post('/api/login', { email: account.email, password: account.password })).json()
      account = { ...account, session: { authorization: `Bearer ${token}` } }
    }
    app.clock.travelTo('2026-04-10T12:01:00.000Z')
    bank.stripe.travelTo(app.clock.now())
    await app.runJobs()
    await logIn()
    expect((await app.get(`/api/v1/user-plan?userId=${account.userId}`, account.session)).json().data).toMatchObject({
      plan: 'basic',
      renewsAt: '2026-05-10T12:00:00.000Z',
    })
    await call(app, 'POST', '/api/v1/cancel-plan', account.session, { userId: account.userId })
    app.clock.travelTo('2026-05-10T12:00:30.000Z')
    bank.stripe.travelTo(app.clock.now())
    await app.runJobs()
    await logIn()
    expect(await planName()).toBe('free')
  })

  test('an event that cannot be worked off now is kept and worked off later', async () => {
    await pay('basic')
    const last = bank.stripe.events.at(-1)
    if (!last) throw new Error('nothing happened')
    bank.stripe.failNext(500, 500, 500)
    expect((await send(app, bank.stripe, last)).status).toBe(200)
    expect(await planName()).toBe('free')
    await app.runJobs()
    expect(await planName()).toBe('basic')
  })

  test('502: the provider is away, and nothing is charged', async () => {
    bank.stripe.failNext(...Array.from({ length: 6 }, () => 503))
    const answer = await call(app, 'POST', '/api/upgrade-plan', account.session, { newPlan: 'basic' })
    expect(answer).toEqual({
      status: 502,
      body: { error: 'The billing provider did not answer. Nothing was charged.' },
    })
    expect(app.logLines.join('')).not.toContain(bank.stripe.secretKey)
  })

  test('a bank that wants to hear from the payer: the upgrade waits at the provider’s page', async () => {
    await pay('basic')
    for (const event of bank.stripe.events) await send(app, bank.stripe, event)
    bank.stripe.setCard(bank.stripe.findCustomerOf(account.userId), 'needs_action')
    const answer = await call(app, 'POST', '/api/upgrade-plan', account.session, { newPlan: 'pro' })
    expect(answer).toMatchObject({
      status: 200,
      body: { status: 'payment_required', plan: 'pro', checkoutUrl: expect.stringContaining('https://portal.') },
    })
    expect(await planName()).toBe('basic')
  })

  test('two subscriptions of one account: the higher stays, the other is ended at the provider', async () => {
    await pay('basic')
    const customer = bank.stripe.findCustomerOf(account.userId)
    bank.stripe.addSubscription(customer, 'pro')
    for (const event of bank.stripe.events) await send(app, bank.stripe, event)
    expect(await planName()).toBe('pro')
    expect(bank.stripe.events.filter(({ type }) => type === 'customer.subscription.deleted')).toHaveLength(1)
    for (const event of bank.stripe.events) await send(app, bank.stripe, event)
    expect(await planName()).toBe('pro')
  })

  test('upgrades asked for at the same time leave one checkout open', async () => {
    const upgrade = () => call(app, 'POST', '/api/upgrade-plan', account.session, { newPlan: 'basic' })
    const urls = (await Promise.all([upgrade(), upgrade(), upgrade()])).map(({ body }) => String(body.checkoutUrl))
    const isOpen = (url: string): boolean => {
      try {
        bank.stripe.payCheckout(url)
        return true
      } catch {
        return false
      }
    }
    expect(urls.filter(isOpen)).toHaveLength(1)
  })

  test('an event of a customer we do not know is taken and ignored', async () => {
    const event = {
      id: 'evt_other',
      object: 'event' as const,
      type: 'invoice.paid',
      created: 1,
      data: { object: { object: 'invoice', customer: 'cus_other' } },
    }
    expect((await send(app, bank.stripe, event)).status).toBe(200)
  })
})
