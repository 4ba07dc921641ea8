import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterEach, expect, test } from 'vitest'
import { connectionOf, createSmtpGateway, type OutgoingMail, type SmtpGateway } from './smtp.ts'
import { makeSelfSignedCertificate } from './stand-ins/self-signed-certificate.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function startMailServer(options: SMTPServerOptions = {}) {
  const mails: { text: string; to: string[]; isSecure: boolean; user: string | undefined }[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onAuth: (auth, _, done) => done(null, { user: auth.username ?? '' }),
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk) => chunks.push(chunk))
      stream.on('end', () => {
        mails.push({
          text: Buffer.concat(chunks).toString(),
          to: session.envelope.rcptTo.map(({ address }) => address),
          isSecure: session.secure,
          user: session.user,
        })
        done()
      })
    },
    ...options,
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return { mails, port: (server.server.address() as AddressInfo).port }
}

function gatewayTo(url: string): SmtpGateway {
  const gateway = createSmtpGateway({ url, timeoutMs: 15_000 })
  closing.unshift(() => gateway.close())
  return gateway
}

const mail: OutgoingMail = {
  from: 'Assay <no-reply@assay.example.com>',
  to: 'ada@example.com',
  subject: 'Prüfung',
  text: 'Plain words.',
  html: '<p>Plain words.</p>',
  messageId: '<mail_1@assay.example.com>',
  date: new Date('2026-03-10T12:00:00Z'),
  headers: { 'List-Unsubscribe': '<https://assay.example.com/unsubscribe?token=t>' },
}

test('the text part stands before the HTML, under a message id that stays the same', async () => {
  const server = await startMailServer()
  const gateway = gatewayTo(`smtp://127.0.0.1:${server.port}`)
  expect(await gateway.send(mail)).toEqual({ kind: 'sent' })
  expect(await gateway.send(mail)).toEqual({ kind: 'sent' })
  const [first, second] = server.mails
  expect(first?.to).toEqual(['ada@example.com'])
  expect(first?.text).toContain('multipart/alternative')
  expect(first?.text.indexOf('text/plain')).toBeLessThan(first?.text.indexOf('text/html') ?? -1)
  for (const { text } of [first, second] as { text: string }[])
    expect(text).toContain('Message-ID: <mail_1@assay.example.com>')
  expect(first?.text).toContain('List-Unsubscribe: <https://assay.example.com/unsubscribe?token=t>')
})

test('STARTTLS is used when it is offered', async () => {
  const server = await startMailServer({ disabledCommands: [], ...makeSelfSignedCertificate('mail.example.com') })
  expect(await gatewayTo(`smtp://127.0.0.1:${server.port}`).send(mail)).toEqual({ kind: 'sent' })
  expect(server.mails[0]?.isSecure).toBe(true)
})

test('a password is never given to a server that cannot prove its name', async () => {
  const server = await startMailServer({ disabledCommands: [], ...makeSelfSignedCertificate('mail.example.com') })
  expect(await gatewayTo(`smtp://user:pw@127.0.0.1:${server.port}`).send(mail)).toMatchObject({ kind: 'later' })
  expect(server.mails).toHaveLength(0)
})

test('smtps speaks TLS from the first byte and logs in', async () => {
  const server = await startMailServer({ secure: true, ...makeSelfSignedCertificate('mail.example.com') })
  const url = `smtps://user%40example.com:p%40ss@127.0.0.1:${server.port}?tls.rejectUnauthorized=false`
  expect(await gatewayTo(url).send(mail)).toEqual({ kind: 'sent' })
  expect(server.mails[0]).toMatchObject({ isSecure: true, user: 'user@example.com' })
  expect(await gatewayTo(`smtps://127.0.0.1:${server.port}`).send(mail)).toMatchObject({ kind: 'later' })
})

test('a server that is down means later', async () => {
  expect(await gatewayTo('smtp://127.0.0.1:9').send(mail)).toMatchObject({
    kind: 'later',
    reason: expect.stringMatching(/^E/),
  })
})

test('a busy server means later, an unknown mailbox means never', async () => {
  const answers = [451, 550]
  const server = await startMailServer({
    onRcptTo: (_, __, done) => done(Object.assign(new Error('no'), { responseCode: answers.shift() })),
  })
  const gateway = gatewayTo(`smtp://127.0.0.1:${server.port}`)
  expect(await gateway.send(mail)).toEqual({ kind: 'later', reason: 'EENVELOPE 451' })
  expect(await gateway.send(mail)).toEqual({ kind: 'refused', reason: 'EENVELOPE 550' })
})

test('ports and names of an address', () => {
  expect(connectionOf('smtp://mail.example.com')).toMatchObject({ host: 'mail.example.com', port: 587, secure: false })
  expect(connectionOf('smtps://mail.example.com')).toMatchObject({ port: 465, secure: true })
  expect(connectionOf('smtp://[::1]:2525')).toMatchObject({ host: '::1', port: 2525 })
})
