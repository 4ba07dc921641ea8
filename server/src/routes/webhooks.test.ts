import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createAddressGuard } from '../gateways/address-guard.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../gateways/stand-ins/webhook-receiver.ts'
import { createWebhookSender } from '../gateways/webhook-sender.ts'
import { bindJobs } from '../jobs/index.ts'
import { deliverWebhookJob } from '../services/webhook-deliveries.ts'
import { createAccountStore } from '../stores/accounts.ts'
import { transaction } from '../stores/database.ts'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { startTestApp, type TestAccount, type TestApp } from '../testing/start-test-app.ts'

const securityScore = {
  score: 70,
  rating: 'Fair' as const,
  summary: { total: 2, critical: 1, high: 1, medium: 0, low: 0 },
}

describeOnEachDatabase('webhooks', (context) => {
  let service: TestApp
  let receiver: WebhookReceiver
  let account: TestAccount
  let key: Record<string, string>
  let scans = 0

  beforeAll(async () => {
    receiver = await startWebhookReceiver()
    service = await startTestApp({
      database: context.database,
      replacements: {
        // Names of the tests resolve to the receiver; everything else about the sender is the real thing.
        webhookSender: createWebhookSender({
          guard: createAddressGuard({ isLoopbackAllowed: true }),
          isPlainLoopbackAllowed: true,
          elapsed: () => performance.now(),
          timeoutMs: 10_000,
          resolve: async (name) => [{ address: name === 'inner.localhost' ? '10.0.0.7' : '127.0.0.1', family: 4 }],
        }),
      },
    })
  })
  afterAll(async () => {
    await service.close()
    await receiver.close()
  })
  beforeEach(async () => {
    account = await service.signUp({ plan: 'pro' })
    key = { 'x-api-key': (await service.makeKey(account)).keyValue }
    receiver.received.length = 0
    receiver.answers = []
  })

  const create = async (body: object = {}, headers = key) =>
    service.post('/api/v1/webhooks', { url: receiver.url, ...body }, headers)
  const created = async (body: object = {}): Promise<{ id: string; secret: string }> => (await create(body)).json().data
  const deliveries = async (id: string) =>
    (await service.get(`/api/v1/webhooks/${id}/deliveries`, key)).json().data.deliveries
  const view = async (id: string) => (await service.get(`/api/v1/webhooks/${id}`, key)).json().data
  const call = (method: 'PATCH' | 'DELETE' | 'POST', url: string, payload?: object, headers = key) =>
    service.inject({ method, url, headers, ...(payload && { payload }) })

  const limits = {
    plan: 'pro' as const,
    requestsPerHour: 6000,
    scansPerDay: 1000,
    maxFileBytes: 1,
    maxContractBytes: 1,
    historyDays: 90,
    features: { batches: true, ai: true, webhooks: true, mailNotices: true, sla: true },
  }
  const details = {
    completeness: 'full' as const,
    counts: { critical: 1, high: 1, medium: 0, low: 0, info: 0, advisories: 2, suppressed: 1 },
    tally: {
      findings: 3,
      bySeverity: { critical: 1, high: 1, medium: 1, low: 0, info: 0 },
      outsideSwc: 1,
      needsReview: 1,
      suppressed: 1,
    },
    sha256: 'a'.repeat(64),
    project: null,
    gate: null,
  }
  /** What the commit of a scan does. */
  const announce = async (
    status: 'completed' | 'failed' = 'completed',
    scanId = `scn_test${++scans}${service.deps.instanceId.slice(-8)}`,
  ) => {
    const common = {
      accountId: account.userId,
      scanId,
      kind: 'standard' as const,
      fileName: 'A.sol',
      limits,
      at: service.clock.now(),
    }
    await transaction(service.deps.db, (tx) =>
      service.deps.announceScan(
        tx,
        status === 'completed'
          ? { ...common, ...details, status, securityScore, via: 'session', scansToday: 3 }
          : { ...common, status },
      ),
    )
    return scanId
  }

  test('400, 409: an address that cannot be changed to, and a delivery of a webhook that is off', async () => {
    const { id } = await created()
    const moved = await call('PATCH', `/api/v1/webhooks/${id}`, { url: 'ftp://example.com/hook' })
    expect([moved.statusCode, moved.json().error]).toEqual([400, expect.stringMatching(/^url /)])
    await call('POST', `/api/v1/webhooks/${id}/test`, {})
    await service.runJobs()
    const [delivery] = await deliveries(id)
    await call('PATCH', `/api/v1/webhooks/${id}`, { status: 'disabled' })
    for (const url of [
      `/api/v1/webhooks/${id}/deliveries/${delivery.id}/redeliver`,
      `/api/v1/webhooks/deliveries/${delivery.id}/redeliver`,
    ]) {
      const again = await call('POST', url, {})
      expect([again.statusCode, again.json()]).toEqual([409, { error: 'This webhook is not active. Enable it first.' }])
    }
  })

  test('201: registered with a secret that is never shown again, and nothing is sent', async () => {
    const answer = await create({ description: 'CI' })
    expect(answer.statusCode).toBe(201)
    const { success, data } = answer.json()
    expect(success).toBe(true)
    expect(data).toMatchObject({
      id: expect.stringMatching(/^whk_/),
      url: receiver.url,
      events: ['scan.completed', 'scan.failed'],
      status: 'active',
      description: 'CI',
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    })
    const list = (await service.get('/api/v1/webhooks', key)).json().data
    expect(list).toMatchObject({ total: 1, webhooks: [{ id: data.id, url: receiver.url }] })
    expect(JSON.stringify([list, await view(data.id)])).not.toContain('whsec_')
    await service.runJobs()
    expect(receiver.received).toHaveLength(0)
    expect(service.logLines.join('')).not.toContain(data.secret)
  })

  test('403 below pro on every route; 401 without a credential; a session will do', async () => {
    const { id } = await created()
    const basic = await service.signUp({ plan: 'basic' })
    const answers = await Promise.all([
      create({}, basic.session),
      service.get('/api/v1/webhooks', basic.session),
      call('PATCH', `/api/v1/webhooks/${id}`, {}, basic.session),
      call('DELETE', `/api/v1/webhooks/${id}`, undefined, basic.session),
      call('POST', `/api/v1/webhooks/${id}/test`, undefined, basic.session),
      call('POST', `/api/v1/webhooks/${id}/rotate-secret`, {}, basic.session),
      service.get(`/api/v1/webhooks/${id}/deliveries`, basic.session),
    ])
    for (const answer of answers) {
      expect([answer.statusCode, answer.json()]).toEqual([
        403,
        { error: 'Webhooks are available on the pro plan only.' },
      ])
    }
    expect((await create({}, {})).statusCode).toBe(401)
    expect((await create({}, account.session)).statusCode).toBe(201)
  })

  test.each([
    ['https://127.0.0.1:1/', 201],
    ['http://10.0.0.1/', 400],
    ['https://10.0.0.1/', 400],
    ['https://169.254.169.254/latest/meta-data', 400],
    ['https://[fd00::1]/', 400],
    ['http://example.com/', 400],
    ['http://inner.localhost/', 400],
    ['ftp://example.com/', 400],
    ['https://user:pw@example.com/', 400],
    ['nonsense', 400],
    ['', 400],
  ])('%s: %i', async (url, status) => {
    const answer = await create({ url })
    expect(answer.statusCode).toBe(status)
    if (status === 400) expect(answer.json().error).toMatch(/^url /)
  })

  test('400: unknown events, too much text; 409: too many', async () => {
    expect((await create({ events: ['scan.started'] })).statusCode).toBe(400)
    expect((await create({ events: [] })).statusCode).toBe(400)
    expect((await create({ description: 'x'.repeat(201) })).statusCode).toBe(400)
    const answers = await Promise.all(Array.from({ length: 14 }, () => create()))
    expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(10)
    expect(answers.find(({ statusCode }) => statusCode === 409)?.json()).toEqual({
      error: 'An account can have at most 10 webhooks. Delete one first.',
    })
  })

  test('404: an outsider’s webhook, delivery, or none at all', async () => {
    const { id } = await created()
    await announce()
    const [delivery] = await deliveries(id)
    const outsider = await service.signUp({ plan: 'pro' })
    const paths = [id, 'whk_none', 'x'].flatMap((name) => [
      ['PATCH', `/api/v1/webhooks/${name}`],
      ['DELETE', `/api/v1/webhooks/${name}`],
      ['POST', `/api/v1/webhooks/${name}/test`],
      ['POST', `/api/v1/webhooks/${name}/rotate-secret`],
    ])
    for (const [method, url] of paths as ['PATCH', string][]) {
      const answer = await call(method, url, {}, outsider.session)
      expect([answer.statusCode, answer.json()]).toEqual([404, { error: 'Webhook not found.' }])
    }
    const redelivery = await call(
      'POST',
      `/api/v1/webhooks/${id}/deliveries/${delivery.id}/redeliver`,
      undefined,
      outsider.session,
    )
    expect(redelivery.statusCode).toBe(404)
    expect(
      (await call('POST', `/api/v1/webhooks/deliveries/${delivery.id}/redeliver`, undefined, outsider.session)).json(),
    ).toEqual({ error: 'Delivery not found.' })
    expect((await service.get(`/api/v1/webhooks/${id}/deliveries`, outsider.session)).statusCode).toBe(404)
  })

  test('a completed scan is delivered with its four fields, signed as the public library expects', async () => {
    const { id, secret } = await created()
    const scanId = await announce()
    await service.runJobs()
    const [message] = receiver.received
    if (!message) throw new Error('nothing arrived')
    const body = JSON.parse(message.body)
    expect(body).toEqual({
      type: 'scan.completed',
      timestamp: service.clock.now().toISOString(),
      scanId,
      status: 'completed',
      securityScore,
      vulnerabilitiesCount: 2,
      kind: 'standard',
      fileName: 'A.sol',
      createdAt: service.clock.now().toISOString(),
      engineVersion: '0.1.0',
      ...details,
    })
    const headers = message.headers as Record<string, string>
    expect(headers['content-type']).toBe('application/json')
    // The library looks at the machine's own time.
    vi.useFakeTimers({ now: service.clock.now(), toFake: ['Date'] })
    try {
      expect(new Webhook(secret).verify(message.body, headers)).toEqual(body)
      expect(() => new Webhook(secret).verify(`${message.body} `, headers)).toThrow()
      expect(() => new Webhook(`whsec_${Buffer.alloc(32).toString('base64')}`).verify(message.body, headers)).toThrow()
    } finally {
      vi.useRealTimers()
    }
    expect(await deliveries(id)).toMatchObject([
      {
        messageId: headers['webhook-id'],
        type: 'scan.completed',
        status: 'delivered',
        attempts: 1,
        lastStatusCode: 200,
        lastError: null,
      },
    ])
    expect(message.body).not.toContain(account.userId)
  })

  test('a failed scan is reported as failed, to those who want to know', async () => {
    const all = await created()
    const some = await created({ events: ['scan.completed'] })
    const scanId = await announce('failed')
    await service.runJobs()
    expect(receiver.received.map(({ body }) => JSON.parse(body))).toMatchObject([
      { type: 'scan.failed', scanId, status: 'failed', securityScore: null, vulnerabilitiesCount: 0 },
    ])
    expect(await deliveries(all.id)).toHaveLength(1)
    expect(await deliveries(some.id)).toHaveLength(0)
  })

  test('announced twice is delivered once', async () => {
    const { id } = await created()
    const scanId = await announce()
    await announce('completed', scanId)
    await service.runJobs()
    expect(await deliveries(id)).toHaveLength(1)
    expect(receiver.received).toHaveLength(1)
  })

  test('a test event can be sent at any time', async () => {
    const { id } = await created()
    const answer = await call('POST', `/api/v1/webhooks/${id}/test`)
    expect(answer.statusCode).toBe(200)
    expect(answer.json().data).toMatchObject({ type: 'webhook.test', status: 'pending', attempts: 0 })
    await service.runJobs()
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({
      type: 'webhook.test',
      scanId: expect.any(String),
      status: 'completed',
      securityScore: { score: 100, rating: 'Excellent' },
      vulnerabilitiesCount: 0,
    })
  })

  test('rotation: both secrets sign during the overlap, the new one alone after it', async () => {
    const { id, secret } = await created()
    const answer = await call('POST', `/api/v1/webhooks/${id}/rotate-secret`, { overlapSeconds: 600 })
    const next = answer.json().data.secret
    expect(answer.statusCode).toBe(200)
    expect(next).toMatch(/^whsec_/)
    expect(next).not.toBe(secret)
    const verifies = (signingSecret: string, index: number): boolean => {
      const message = receiver.received[index]
      vi.useFakeTimers({ now: service.clock.now(), toFake: ['Date'] })
      try {
        new Webhook(signingSecret).verify(message?.body ?? '', message?.headers as Record<string, string>)
        return true
      } catch {
        return false
      } finally {
        vi.useRealTimers()
      }
    }
    await announce()
    await service.runJobs()
    expect(receiver.received[0]?.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/)
    expect([verifies(secret, 0), verifies(next, 0)]).toEqual([true, true])
    service.clock.travel('PT10M')
    await announce()
    await service.runJobs()
    expect([verifies(secret, 1), verifies(next, 1)]).toEqual([false, true])
    expect((await call('POST', `/api/v1/webhooks/${id}/rotate-secret`, { overlapSeconds: 700_000 })).statusCode).toBe(
      400,
    )
    expect((await call('POST', `/api/v1/webhooks/${id}/rotate-secret`)).statusCode).toBe(200)
  })

  test('retries follow the schedule with at most a fifth more, under the same id, freshly signed', async () => {
    expect(deliverWebhookJob.retryAfterSeconds).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400])
    const { id, secret } = await created()
    receiver.answers = Array.from({ length: 10 }, () => 500)
    await announce()
    await service.runJobs()
    for (const [index, seconds] of deliverWebhookJob.retryAfterSeconds.entries()) {
      expect(receiver.received).toHaveLength(index + 1)
      service.clock.travel(`PT${seconds - 1}S`)
      await service.runJobs()
      expect(receiver.received, `not before ${seconds} s`).toHaveLength(index + 1)
      service.clock.travel(`PT${Math.ceil(seconds * 0.2) + 1}S`)
      await service.runJobs()
      expect(receiver.received, `within a fifth of ${seconds} s`).toHaveLength(index + 2)
    }
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(10)
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1)
    expect(await deliveries(id)).toMatchObject([
      { status: 'failed', attempts: 10, lastStatusCode: 500, lastError: 'answered 500' },
    ])
    service.clock.travel('P2D')
    await service.runJobs()
    expect(receiver.received).toHaveLength(10)
    expect(secret).toBeTruthy()
  })

  test.each([
    [201, 'delivered'],
    [204, 'delivered'],
    [301, 'pending'],
    [302, 'pending'],
    [400, 'pending'],
    [404, 'pending'],
    [429, 'pending'],
    [503, 'pending'],
  ])('an answer of %i leaves it %s', async (status, outcome) => {
    const { id } = await created()
    receiver.answers = [(response) => response.writeHead(status, { location: receiver.url }).end()]
    await announce()
    await service.runJobs()
    expect(receiver.received).toHaveLength(1)
    expect(await deliveries(id)).toMatchObject([{ status: outcome, lastStatusCode: status }])
    await call('DELETE', `/api/v1/webhooks/${id}`)
  })

  test('a failure ends with the next success', async () => {
    const { id } = await created()
    receiver.answers = [500, (response) => response.destroy()]
    await announce()
    await service.runJobs()
    service.clock.travel('PT6S')
    await service.runJobs()
    expect(await deliveries(id)).toMatchObject([
      { status: 'pending', attempts: 2, lastStatusCode: null, lastError: expect.stringMatching(/^connection failed/) },
    ])
    service.clock.travel('PT6M')
    await service.runJobs()
    expect(await deliveries(id)).toMatchObject([{ status: 'delivered', attempts: 3 }])
  })

  test('410 disables at once and tells the owner; the owner can turn it on again', async () => {
    const { id } = await created()
    receiver.answers = [410]
    await announce()
    await service.runJobs()
    expect(await view(id)).toMatchObject({ status: 'disabled', disabledReason: expect.stringContaining('410') })
    const mails = service.mails.filter(
      ({ to, subject }) => to === account.email && subject === 'An Assay webhook was disabled',
    )
    expect(mails).toHaveLength(1)
    expect(mails[0]?.text).toContain('127.0.0.1')
    await announce()
    await service.runJobs()
    expect(receiver.received).toHaveLength(1)
    expect((await call('POST', `/api/v1/webhooks/${id}/test`)).json()).toEqual({
      error: 'This webhook is not active. Enable it first.',
    })
    expect((await call('PATCH', `/api/v1/webhooks/${id}`, { status: 'active' })).json().data).toMatchObject({
      status: 'active',
      disabledReason: null,
    })
    await announce()
    await service.runJobs()
    expect(receiver.received).toHaveLength(2)
  })

  test('five days of failure disable it, four days and a success do not', async () => {
    const failing = await created()
    const fail = async (): Promise<void> => {
      receiver.answers = Array.from({ length: 40 }, () => 500)
      await announce()
      await service.runJobs()
    }
    await fail()
    service.clock.travel('P4D')
    await fail()
    expect(await view(failing.id)).toMatchObject({ status: 'active' })
    receiver.answers = []
    await announce()
    await service.runJobs()
    await fail()
    service.clock.travel('P4DT23H')
    await fail()
    expect(await view(failing.id)).toMatchObject({ status: 'active' })
    service.clock.travel('PT1H')
    await fail()
    expect(await view(failing.id)).toMatchObject({
      status: 'disabled',
      disabledReason: 'Every delivery has failed for 5 days.',
    })
    expect(
      service.mails.filter(({ to, subject }) => to === account.email && subject === 'An Assay webhook was disabled'),
    ).toHaveLength(1)
  })

  test('a plan below pro pauses: nothing is sent, nothing is lost, and pro brings it back', async () => {
    const { id } = await created()
    receiver.answers = [500]
    await announce()
    await service.runJobs()
    const accounts = createAccountStore(service.deps.db)
    await accounts.setPlan(account.userId, 'basic', service.clock.now().getTime())
    service.clock.travel('PT10S')
    await service.runJobs()
    expect(receiver.received).toHaveLength(1)
    await accounts.setPlan(account.userId, 'pro', service.clock.now().getTime())
    expect(await view(id)).toMatchObject({ status: 'active' })
    const [cancelled] = await deliveries(id)
    expect(cancelled).toMatchObject({ status: 'cancelled', lastError: 'the plan does not include webhooks' })
    await announce()
    await service.runJobs()
    expect(receiver.received).toHaveLength(2)
  })

  test('a plan below pro: what is left can be seen and deleted, and nothing else; 403 when nothing is left', async () => {
    const former = await service.signUp({ plan: 'pro' })
    const { id } = (await create({}, former.session)).json().data
    const accounts = createAccountStore(service.deps.db)
    await accounts.setPlan(former.userId, 'free', service.clock.now().getTime())
    const list = () => service.get('/api/v1/webhooks', former.session)
    expect((await list()).json().data.webhooks).toMatchObject([{ id }])
    const url = `/api/v1/webhooks/${id}`
    expect((await service.get(url, former.session)).statusCode).toBe(200)
    expect((await service.get(`${url}/deliveries`, former.session)).statusCode).toBe(200)
    expect((await create({}, former.session)).statusCode).toBe(403)
    expect((await call('PATCH', url, {}, former.session)).statusCode).toBe(403)
    expect((await call('POST', `${url}/test`, undefined, former.session)).statusCode).toBe(403)
    expect((await call('POST', `${url}/rotate-secret`, {}, former.session)).statusCode).toBe(403)
    expect((await call('DELETE', url, undefined, former.session)).statusCode).toBe(200)
    expect((await list()).statusCode).toBe(403)
  })

  test('redelivery sends the same message under the same id, by either address', async () => {
    const { id } = await created()
    await announce()
    await service.runJobs()
    const [delivery] = await deliveries(id)
    const again = await call('POST', `/api/v1/webhooks/${id}/deliveries/${delivery.id}/redeliver`)
    expect(again.statusCode).toBe(200)
    expect(again.json().data).toMatchObject({ id: delivery.id, status: 'pending' })
    await service.runJobs()
    expect((await call('POST', `/api/v1/webhooks/deliveries/${delivery.id}/redeliver`)).statusCode).toBe(200)
    await service.runJobs()
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(
      new Set([delivery.messageId]),
    )
    expect(receiver.received).toHaveLength(3)
    expect(await deliveries(id)).toMatchObject([{ status: 'delivered', attempts: 3 }])
  })

  test('deliveries are listed in pages, newest first, and deleted with their webhook or after 30 days', async () => {
    const { id } = await created()
    for (let n = 0; n < 5; n++) {
      await announce()
      service.clock.travel('PT1S')
    }
    await service.runJobs()
    const page = (await service.get(`/api/v1/webhooks/${id}/deliveries?limit=3`, key)).json().data
    const rest = (await service.get(`/api/v1/webhooks/${id}/deliveries?limit=3&cursor=${page.nextCursor}`, key)).json()
      .data
    const ids = [...page.deliveries, ...rest.deliveries].map((one: { id: string }) => one.id)
    expect(ids).toHaveLength(5)
    expect(ids).toEqual([...ids].sort().reverse())
    expect(rest.nextCursor).toBeNull()
    expect((await service.get(`/api/v1/webhooks/${id}/deliveries?cursor=x`, key)).statusCode).toBe(400)
    service.clock.travel('P31D')
    await service.runJobs()
    const { token } = (await service.post('/api/login', { email: account.email, password: account.password })).json()
    expect(
      (await service.get(`/api/v1/webhooks/${id}/deliveries`, { authorization: `Bearer ${token}` })).json().data
        .deliveries,
    ).toEqual([])
    expect((await call('DELETE', `/api/v1/webhooks/${id}`, undefined, key)).statusCode).toBe(200)
    expect((await service.get(`/api/v1/webhooks/${id}`, key)).statusCode).toBe(404)
  })

  test('secrets rest sealed', async () => {
    const { secret } = await created()
    const rows = await service.deps.db.selectFrom('webhooks').selectAll().execute()
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain(secret.slice(6, 30))
  })

  test('mails follow a quota that runs out, unless turned off', async () => {
    const subjects = () => service.mails.filter(({ to }) => to === account.email).map(({ subject }) => subject)
    const day = async (scansToday: number) => {
      const scanId = `scn_mail${++scans}${service.deps.instanceId.slice(-8)}`
      await transaction(service.deps.db, (tx) =>
        service.deps.announceScan(tx, {
          status: 'completed',
          accountId: account.userId,
          scanId,
          kind: 'standard',
          fileName: 'Secret.sol',
          limits,
          at: service.clock.now(),
          securityScore,
          ...details,
          via: 'session',
          scansToday,
        }),
      )
      await service.runJobs()
    }
    await day(799)
    expect(subjects().join()).not.toContain('daily scans')
    await day(800)
    expect(subjects()).toContain('80 % of your daily scans are used')
    await day(1000)
    expect(subjects()).toContain('Your daily scan quota is used up')
    const before = subjects().length
    await call('PATCH', '/api/v1/mail-preferences', { userId: account.userId, quotaUsage: false }, account.session)
    service.clock.travel('P1D')
    await day(800)
    expect(subjects()).toHaveLength(before)
  })

  test('a receiver that never answers holds up nobody else', async () => {
    const silent: (() => void)[] = []
    const lookups: string[] = []
    const patient = await startTestApp({
      database: context.database,
      replacements: {
        webhookSender: {
          findProblem: async () => null,
          post: async ({ url }) => {
            lookups.push(url)
            if (url.includes('silent')) await new Promise<void>((resolve) => silent.push(resolve))
            return { kind: 'answered', status: 200, durationMs: 1 }
          },
        },
      },
    })
    const [mallory, ada] = [await patient.signUp({ plan: 'pro' }), await patient.signUp({ plan: 'pro' })]
    const hook = async (who: TestAccount, url: string): Promise<string> =>
      (await patient.post('/api/v1/webhooks', { url }, who.session)).json().data.id
    const quiet = await hook(mallory, 'https://silent.example')
    const lively = await hook(ada, 'https://lively.example')
    for (let n = 0; n < 20; n++) await patient.post(`/api/v1/webhooks/${quiet}/test`, {}, mallory.session)
    await patient.post(`/api/v1/webhooks/${lively}/test`, {}, ada.session)
    await patient.deps.queue.start(bindJobs(patient.deps))
    await expect.poll(() => lookups.filter((url) => url.includes('lively')).length).toBe(1)
    // None of the silent one's has been answered, and it holds no more than its own places.
    expect(lookups.filter((url) => url.includes('silent')).length).toBeLessThanOrEqual(2)
    const release = setInterval(() => silent.splice(0).forEach((answer) => void answer()), 5)
    await patient.close()
    clearInterval(release)
  })

  test('429: thirty test events an hour', async () => {
    const { id } = await created()
    for (let n = 0; n < 30; n++) expect((await call('POST', `/api/v1/webhooks/${id}/test`)).statusCode).toBe(200)
    const answer = await call('POST', `/api/v1/webhooks/${id}/test`)
    expect([answer.statusCode, answer.json()]).toEqual([429, { error: 'Too many test events. Try again later.' }])
  })

  test('what a key changes is in the security log with the key, and is mailed; what a session changes is logged', async () => {
    const { id } = await created()
    await call('PATCH', `/api/v1/webhooks/${id}`, { description: 'mine' })
    await call('DELETE', `/api/v1/webhooks/${id}`)
    await create({}, account.session)
    await service.runJobs()
    const { data } = (await service.get('/api/v1/security-log', account.session)).json()
    const changes = data.events.filter(({ event }: { event: string }) => event.startsWith('webhook.'))
    const byKey = changes.filter(({ detail }: { detail: { keyId?: string } }) => detail.keyId)
    expect(byKey.map(({ event }: { event: string }) => event).sort()).toEqual([
      'webhook.changed',
      'webhook.created',
      'webhook.deleted',
    ])
    expect(changes).toHaveLength(4)
    const mails = service.mails.filter(
      ({ to, subject }) => to === account.email && subject.includes('API key made a change'),
    )
    expect(mails).toHaveLength(3)
    expect(mails.some(({ text }) => text.includes('A webhook was deleted with the API key named “test”'))).toBe(true)
  })
})
