import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createSmtpGateway } from '../gateways/smtp.ts'
import { transaction } from '../stores/database.ts'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { startTestApp, type TestAccount, type TestApp } from '../testing/start-test-app.ts'
import { mailJob, queueNotice } from './mail.ts'

interface MailServer {
  port: number
  mails: string[]
  stop(): Promise<void>
}

async function startMailServer(port = 0): Promise<MailServer> {
  const mails: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk) => chunks.push(chunk))
      stream.on('end', () => {
        mails.push(Buffer.concat(chunks).toString())
        done()
      })
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    mails,
    port: (server.server.address() as AddressInfo).port,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

describeOnEachDatabase('mail by SMTP', (context) => {
  let server: MailServer
  let service: TestApp

  beforeAll(async () => {
    server = await startMailServer()
    service = await startTestApp({
      database: context.database,
      replacements: { mailer: createSmtpGateway({ url: `smtp://127.0.0.1:${server.port}`, timeoutMs: 15_000 }) },
    })
  })
  afterAll(async () => {
    await service.close()
    await server.stop()
  })

  test('a registration reaches the mail server with the code in subject and text, the text first', async () => {
    await service.post('/api/register', { email: 'smtp@example.com', password: 'a long enough password', name: 'Ada' })
    await service.runJobs()
    const [mail = ''] = server.mails
    expect(mail).toMatch(/^To: smtp@example\.com/m)
    expect(mail).toMatch(/^Subject: \d{6} is your Assay verification code/m)
    expect(mail.indexOf('text/plain')).toBeGreaterThan(0)
    expect(mail.indexOf('text/plain')).toBeLessThan(mail.indexOf('text/html'))
    expect(mail).not.toContain('List-Unsubscribe')
  })

  test('a server that is down delays and does not lose; the mail keeps its id over all tries', async () => {
    server.mails.length = 0
    const { port } = server
    await server.stop()
    await service.post('/api/register', { email: 'later@example.com', password: 'a long enough password', name: 'Ada' })
    await service.runJobs()
    // Down for two days.
    for (const seconds of mailJob.retryAfterSeconds.slice(0, 9)) {
      service.clock.travel(`PT${Math.ceil(seconds * 1.2)}S`)
      await service.runJobs()
    }
    expect(await service.deps.queue.countWaiting(mailJob as never)).toBe(1)
    server = await startMailServer(port)
    service.clock.travel('P2D')
    await service.runJobs()
    expect(server.mails).toHaveLength(1)
    expect(server.mails[0]).toMatch(/^To: later@example\.com/m)
    expect(server.mails[0]).toMatch(/^Message-ID: <mail_[0-9a-z]+@/m)
    await service.runJobs()
    expect(server.mails).toHaveLength(1)
  })
})

describeOnEachDatabase('one-click unsubscribe', (context) => {
  let service: TestApp
  let account: TestAccount

  beforeAll(async () => {
    service = await startTestApp({ database: context.database })
  })
  afterAll(() => service.close())
  beforeEach(async () => {
    account = await service.signUp({ plan: 'basic' })
  })
  afterEach(() => {
    service.mails.length = 0
  })

  const notify = async (kind: 'planChanged' | 'paymentFailed' = 'planChanged') => {
    const facts = {
      from: 'free',
      to: 'basic',
      plan: 'basic',
      at: service.clock.now(),
      graceEndsAt: service.clock.now(),
    }
    const isQueued = await transaction(service.deps.db, (tx) =>
      queueNotice(service.deps, tx, account.userId, kind, facts as never),
    )
    await service.runJobs()
    return { isQueued, mail: service.mails.at(-1) }
  }
  const pathOf = (header = ''): string => header.slice(1, -1).replace(/^https?:\/\/[^/]+/, '')
  const preferences = async () =>
    (await service.get(`/api/v1/mail-preferences?userId=${account.userId}`, account.session)).json()

  test('every notice carries the two headers and a link, none of them names the account', async () => {
    const { mail } = await notify()
    expect(mail?.headers).toEqual({
      'List-Unsubscribe': expect.stringMatching(/^<http:\/\/127\.0\.0\.1:3000\/unsubscribe\?token=[\w.-]+>$/),
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    })
    expect(mail?.text).toContain(pathOf(mail?.headers?.['List-Unsubscribe']))
    expect(JSON.stringify(mail)).not.toContain(account.userId)
  })

  test.each([
    ['application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
    [
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n',
    ],
  ])('200: one POST of %s turns that kind off, twice as well as once, and no other kind', async (type, payload) => {
    const { mail } = await notify()
    const url = pathOf(mail?.headers?.['List-Unsubscribe'])
    for (let times = 0; times < 2; times++) {
      const answer = await service.inject({ method: 'POST', url, payload, headers: { 'content-type': type } })
      expect(answer.statusCode).toBe(200)
      expect(answer.body).toContain('Emails about plan changes are turned off.')
    }
    expect(JSON.stringify(await preferences())).toContain('"planChanged":false')
    expect((await notify()).isQueued).toBe(false)
    expect((await notify('paymentFailed')).isQueued).toBe(true)
  })

  test('200: opening the link only asks', async () => {
    const { mail } = await notify()
    const page = await service.get(pathOf(mail?.headers?.['List-Unsubscribe']))
    expect(page.statusCode).toBe(200)
    expect(page.body).toContain('<form method="post">')
    expect(JSON.stringify(await preferences())).toContain('"planChanged":true')
  })

  test('400: a link of another service', async () => {
    const { mail } = await notify()
    const url = pathOf(mail?.headers?.['List-Unsubscribe'])
    for (const bad of [
      '/unsubscribe?token=x',
      `${url}x`,
      url.replace(/.(?=.{8}$)/, (one) => (one === 'A' ? 'B' : 'A')),
    ]) {
      for (const method of ['GET', 'POST'] as const) {
        const answer = await service.inject({ method, url: bad })
        expect([answer.statusCode, answer.json()]).toEqual([400, { error: 'This unsubscribe link is not valid.' }])
      }
    }
    expect((await service.get('/unsubscribe')).statusCode).toBe(400)
    const read = await service.inject({ url: '/unsubscribe?token=x', headers: { accept: 'text/html' } })
    expect([read.statusCode, read.headers['content-type']]).toEqual([400, 'text/html; charset=utf-8'])
    expect(read.body).toContain('<p role="alert">This unsubscribe link is not valid.</p>')
  })
})
