import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startStripeStandIn } from '../gateways/stand-ins/stripe.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../gateways/stand-ins/webhook-receiver.ts'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { type SpawnedServer, spawnServer, whenThereIsRoom } from '../testing/spawn-server.ts'

const vulnerable =
  'pragma solidity ^0.8.20;\ncontract A { function f() external { selfdestruct(payable(msg.sender)); } }\n'
const password = 'a long enough password'

interface Mailbox {
  port: number
  mails: { to: string; subject: string; id: string }[]
  stop(): Promise<void>
}

async function startMailbox(): Promise<Mailbox> {
  const mails: Mailbox['mails'] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk) => chunks.push(chunk))
      stream.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        const header = (name: string): string => new RegExp(`^${name}: (.*)$`, 'im').exec(text)?.[1]?.trim() ?? ''
        mails.push({
          to: session.envelope.rcptTo[0]?.address ?? '',
          subject: header('Subject'),
          id: header('Message-ID'),
        })
        done()
      })
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    mails,
    port: (server.server.address() as AddressInfo).port,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

async function findFreePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise<void>((resolve) => probe.close(() => resolve()))
  return port
}

const until = async <T>(find: () => T | Promise<T>, isThere: (value: T) => boolean, seconds: number): Promise<T> => {
  const deadline = Date.now() + seconds * 1000
  for (;;) {
    const value = await find()
    if (isThere(value) || Date.now() > deadline) return value
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** The real process on a real port: started as a user would start it, ended as a power cut would end it. */
describeOnEachDatabase('kill -9', (context) => {
  let mailbox: Mailbox
  let receiver: WebhookReceiver
  let server: SpawnedServer | undefined
  let port = 0
  let people = 0

  beforeAll(async () => {
    mailbox = await startMailbox()
    receiver = await startWebhookReceiver()
    port = await findFreePort()
    // The processes open the database by themselves.
    await context.database.db.destroy()
  })
  afterEach(() => kill())
  afterAll(async () => {
    await receiver.close()
    await mailbox.stop()
  })

  const start = async (environment: Record<string, string> = {}): Promise<void> => {
    server = await spawnServer(context.settings, {
      PORT: String(port),
      SMTP_URL: `smtp://127.0.0.1:${mailbox.port}`,
      SCAN_WORKERS: '1',
      ...environment,
    })
  }
  const kill = async (): Promise<void> => {
    await server?.kill()
    server = undefined
  }
  const base = (): string => `http://127.0.0.1:${port}`
  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const answer = await fetch(path.startsWith('http') ? path : `${base()}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }

  const signUp = async () => {
    const email = `person${++people}.${port}@example.com`
    const { userId } = (await post('/api/register', { email, password, name: 'Ada' })).body
    const mail = await until(
      () => mailbox.mails.find(({ to, subject }) => to === email && /^\d{6} /.test(subject)),
      (found) => found !== undefined,
      30,
    )
    await post('/api/verify-email', { email, otp: mail?.subject.slice(0, 6) })
    const { token } = (await post('/api/login', { email, password })).body
    return { email, userId: String(userId), session: { authorization: `Bearer ${token}` } }
  }
  const mailThrice = async (email: string): Promise<void> => {
    const resets = () => mailbox.mails.filter(({ to, subject }) => to === email && subject.startsWith('Reset')).length
    for (let n = 1; n <= 3; n++) {
      await post('/api/forgot-password', { email })
      await until(resets, (count) => count >= n, 30)
    }
    expect(resets()).toBe(3)
  }
  const planOf = async ({ userId, session }: { userId: string; session: Record<string, string> }) => {
    const answer = await fetch(`${base()}/api/v1/user-plan?userId=${userId}`, { headers: session })
    return ((await answer.json()) as { data: { plan: string } }).data.plan
  }
  const scan = async (session: Record<string, string>): Promise<string> => {
    const form = new FormData()
    form.set('file', new Blob([vulnerable]), 'A.sol')
    form.set('project', 'vault')
    const answer = await whenThereIsRoom(() =>
      fetch(`${base()}/api/v1/scan`, { method: 'POST', body: form, headers: session }),
    )
    expect(answer.status).toBe(200)
    return ((await answer.json()) as { scanId: string }).scanId
  }
  const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

  test('between the commit of a scan and its webhook and mail nothing is lost, and repeats carry the same id', async () => {
    await start()
    const person = await signUp()
    await mailThrice(person.email)
    const { checkoutUrl } = (await post('/api/upgrade-plan', { newPlan: 'pro' }, person.session)).body
    expect((await post(String(checkoutUrl), { outcome: 'paid' })).status).toBe(200)
    expect((await post('/api/v1/webhooks', { url: receiver.url }, person.session)).status).toBe(201)
    const wish = { userId: person.userId, type: 'PRODUCTION', name: 'CI' }
    const { apiKey } = (await post('/api/generate-api-key', wish, person.session)).body as {
      apiKey: { keyValue: string }
    }

    const scanIds: string[] = []
    // At once, while the delivery is being taken up, while the receiver keeps it waiting, and after it answered.
    for (const [moment, answer] of [
      ['at once', 200],
      ['soon', 200],
      ['when it has arrived', () => {}],
      ['when it has arrived', 200],
    ] as const) {
      receiver.answers = [answer]
      const before = receiver.received.length
      scanIds.push(await scan({ 'x-api-key': apiKey.keyValue }))
      if (moment === 'soon') await wait(15)
      if (moment === 'when it has arrived')
        await until(
          () => receiver.received.length,
          (count) => count > before,
          90,
        )
      await kill()
      receiver.answers = []
      await start()
    }
    const messageOf = (scanId: string): string => `msg_${scanId.replace(/^[a-z]+_/, '')}`
    const arrived = await until(
      () => new Set(receiver.received.map(({ body }) => JSON.parse(body).scanId as string)),
      (ids) => scanIds.every((id) => ids.has(id)),
      90,
    )
    expect([...arrived].sort()).toEqual([...scanIds].sort())
    for (const { headers, body } of receiver.received) {
      expect(headers['webhook-id']).toBe(messageOf(JSON.parse(body).scanId))
    }
    const findings = () =>
      mailbox.mails.filter(({ to, subject }) => to === person.email && subject.startsWith('A.sol: '))
    // One an hour, which tells of all that came before it.
    await until(
      () => findings().length,
      (count) => count > 0,
      90,
    )
    expect(new Set(findings().map(({ id }) => id)).size).toBe(1)
  }, 280_000)

  /** The processes that analyse stand still, so that what they are given is under way for as long as the test likes; their ids. */
  const freezeWorkers = (): number[] => {
    const pid = server?.process.pid
    const all = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)
    const workers = all.filter((id) => readFileSync(`/proc/${id}/cmdline`, 'utf8').includes('--max-old-space-size'))
    for (const id of workers) process.kill(id, 'SIGSTOP')
    return workers
  }

  test('scans that wait and scans under way are done after the kill, each once, and charged once', async () => {
    await start()
    const { userId, session } = await signUp()
    const read = async <T>(path: string): Promise<T> =>
      ((await (await fetch(`${base()}${path}`, { headers: session })).json()) as { data: T }).data
    const queue = async (): Promise<string> => {
      const answer = await whenThereIsRoom(() => {
        const form = new FormData()
        form.set('file', new Blob([vulnerable]), 'Vault.sol')
        return fetch(`${base()}/api/v1/scan?async=true`, { method: 'POST', body: form, headers: session })
      })
      expect(answer.status).toBe(202)
      return ((await answer.json()) as { scanId: string }).scanId
    }
    const frozen = freezeWorkers()
    expect(frozen).not.toEqual([])
    const ids = [await queue(), await queue(), await queue(), await queue()]
    const states = () =>
      Promise.all(ids.map(async (id) => (await read<{ status: string }>(`/api/v1/scans/${id}`)).status))
    const before = await until(states, (seen) => seen.includes('running'), 60)
    expect(before).toContain('running')
    expect(before).toContain('queued')
    await kill()
    for (const id of frozen) process.kill(id, 'SIGKILL')
    await start()
    expect(await until(states, (all) => all.every((state) => state === 'completed'), 90)).toEqual(
      ids.map(() => 'completed'),
    )
    const { scans } = await read<{ scans: { scanId: string }[] }>('/api/v1/scans')
    expect(scans.map(({ scanId }) => scanId).sort()).toEqual([...ids].sort())
    const { usage } = await read<{ usage: { scansToday: number } }>(`/api/v1/user-plan?userId=${userId}`)
    expect(usage.scansToday).toBe(ids.length)
  }, 280_000)

  test('a plan that was paid is there after the kill, one that was not is not, and nobody pays twice', async () => {
    await start()
    for (const ms of [0, 5, 15]) {
      const person = await signUp()
      const { checkoutUrl } = (await post('/api/upgrade-plan', { newPlan: 'basic' }, person.session)).body
      const paying = post(String(checkoutUrl), { outcome: 'paid' }).then(
        ({ status }) => status,
        () => 'cut off' as const,
      )
      await wait(ms)
      await kill()
      const answer = await paying
      await start()
      const invoices = async () => {
        const list = await fetch(`${base()}/api/v1/invoices`, { headers: person.session })
        return ((await list.json()) as { data: { total: number } }).data.total
      }
      // Whatever the provider has on record is what the plan must become.
      const paid = await invoices()
      if (answer === 200) expect(paid).toBe(1)
      expect(
        await until(
          () => planOf(person),
          (plan) => plan === (paid ? 'basic' : 'free'),
          30,
        ),
      ).toBe(paid ? 'basic' : 'free')
      if (paid === 0) {
        expect((await post(String(checkoutUrl), { outcome: 'paid' })).status).toBe(200)
        expect(await planOf(person)).toBe('basic')
      } else expect((await post(String(checkoutUrl), { outcome: 'paid' })).status).toBe(409)
      expect(await invoices()).toBe(1)
    }
  }, 280_000)

  test('an event of the provider that was answered is worked off after the kill', async () => {
    const stripe = await startStripeStandIn(new Date())
    const environment = {
      BILLING_PROVIDER: 'stripe',
      STRIPE_SECRET_KEY: stripe.secretKey,
      STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
      STRIPE_PRICE_BASIC: stripe.prices.basic,
      STRIPE_PRICE_PRO: stripe.prices.pro,
      STRIPE_API_BASE: stripe.url,
    }
    await start(environment)
    const person = await signUp()
    const { checkoutUrl } = (await post('/api/upgrade-plan', { newPlan: 'pro' }, person.session)).body
    stripe.payCheckout(String(checkoutUrl))
    const event = stripe.events.at(-1)
    if (!event) throw new Error('nothing happened')
    // The provider stops answering just after it sent the event, so the plan cannot change before the kill.
    stripe.failNext(...Array.from({ length: 6 }, () => 500))
    const { body, signature } = stripe.sign(event, new Date())
    const answer = await fetch(`${base()}/api/billing/webhook`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'stripe-signature': signature },
      body,
    })
    expect(answer.status).toBe(200)
    await kill()
    await start(environment)
    expect(
      await until(
        () => planOf(person),
        (plan) => plan === 'pro',
        90,
      ),
    ).toBe('pro')
    await kill()
    await stripe.close()
  }, 200_000)
})
