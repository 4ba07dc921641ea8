import { once } from 'node:events'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createAddressGuard } from './address-guard.ts'
import { makeSelfSignedCertificate } from './stand-ins/self-signed-certificate.ts'
import { startWebhookReceiver, type WebhookReceiver } from './stand-ins/webhook-receiver.ts'
import type { ResolvedAddress } from './vetted-address.ts'
import { createWebhookSender, type WebhookSenderOptions } from './webhook-sender.ts'

const certificate = makeSelfSignedCertificate('hooks.example.com')
let receiver: WebhookReceiver
let secure: WebhookReceiver
beforeAll(async () => {
  receiver = await startWebhookReceiver()
  secure = await startWebhookReceiver({ tls: certificate })
})
afterAll(() => Promise.all([receiver.close(), secure.close()]))
beforeEach(() => {
  receiver.received.length = 0
  receiver.answers = []
  secure.received.length = 0
})

/** A name server that gives each answer once and then repeats the last. */
function nameServer(...answers: string[][]) {
  const lookups: string[] = []
  const resolve = async (hostname: string): Promise<ResolvedAddress[]> => {
    lookups.push(hostname)
    const answer = answers.length > 1 ? answers.shift() : answers[0]
    return (answer ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  }
  return { lookups, resolve }
}

const sender = (options: Partial<WebhookSenderOptions> = {}) =>
  createWebhookSender({
    guard: createAddressGuard(),
    isPlainLoopbackAllowed: false,
    elapsed: () => performance.now(),
    ...options,
  })
const development = (options: Partial<WebhookSenderOptions> = {}) =>
  sender({ guard: createAddressGuard({ isLoopbackAllowed: true }), isPlainLoopbackAllowed: true, ...options })

describe('what may be registered', () => {
  const publicName = nameServer(['93.184.216.34', '2606:2800:220:1::1'])

  test('a public https address', async () => {
    expect(await sender({ resolve: publicName.resolve }).findProblem('https://hooks.example.com:8443/a?b=c')).toBeNull()
  })

  test('a name that does not resolve yet', async () => {
    const nowhere = sender({ resolve: () => Promise.reject(new Error('ENOTFOUND')) })
    expect(await nowhere.findProblem('https://soon.example.com/')).toBeNull()
  })

  test.each([
    ['not a url', 'must be an absolute https address.'],
    ['http://hooks.example.com/', 'must use https.'],
    ['ftp://hooks.example.com/', 'must use https.'],
    ['javascript:alert(1)', 'must use https.'],
    ['file:///etc/passwd', 'must use https.'],
    ['https://user:pw@hooks.example.com/', 'must not contain a user name or password.'],
    ['https://hooks.example.com/#x', 'must not contain a fragment.'],
    [`https://hooks.example.com/${'x'.repeat(3000)}`, 'must have at most 2048 characters.'],
    ['http://127.0.0.1/', 'must use https.'],
  ])('not %s', async (url, problem) => {
    expect(await sender({ resolve: publicName.resolve }).findProblem(url)).toBe(problem)
  })

  test.each([
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://127.1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://169.254.169.254/latest/meta-data/',
    'https://10.0.0.5/',
    'https://[fd00:ec2::254]/',
    'https://0/',
    'https://127.0.0.1./',
  ])('not %s, however it is spelt', async (url) => {
    expect(await sender().findProblem(url)).toBe(
      'must not lead to a private, loopback, link-local or reserved address.',
    )
  })

  test.each(['https://localhost/', 'https://hooks.localhost/', 'https://localhost./'])(
    'not %s, which means this machine whatever a name server says',
    async (url) => {
      const nowhere = sender({ resolve: () => Promise.reject(new Error('ENOTFOUND')) })
      expect(await nowhere.findProblem(url)).toBe(
        'must not lead to a private, loopback, link-local or reserved address.',
      )
    },
  )

  test('not a name with one private address among public ones', async () => {
    const mixed = nameServer(['93.184.216.34', '10.0.0.1'])
    expect(await sender({ resolve: mixed.resolve }).findProblem('https://mixed.example.com/')).toContain('private')
  })

  test('plain http on loopback in development only, and nowhere else even there', async () => {
    expect(await development().findProblem('http://127.0.0.1:9000/hook')).toBeNull()
    expect(
      await development({ resolve: nameServer(['127.0.0.1']).resolve }).findProblem('http://localhost:9000/'),
    ).toBeNull()
    expect(await development().findProblem('http://93.184.216.34/')).toBe('must use https.')
    expect(await development().findProblem('http://10.0.0.1/')).toBe('must use https.')
    // The name is allowed to be plain, what it resolves to must still be loopback.
    expect(
      await development({ resolve: nameServer(['10.0.0.1']).resolve }).findProblem('http://a.localhost/'),
    ).toContain('private')
  })
})

describe('delivery', () => {
  const message = (url: string) => ({
    url,
    headers: { 'content-type': 'application/json', 'webhook-id': 'msg_1' },
    body: '{"ü":1}',
  })

  test('posts the body and headers as given', async () => {
    const outcome = await development().post(message(receiver.url))
    expect(outcome).toMatchObject({ kind: 'answered', status: 200 })
    expect(receiver.received).toMatchObject([
      { path: '/hook', body: '{"ü":1}', headers: { 'webhook-id': 'msg_1', 'content-length': '8' } },
    ])
  })

  test('goes to the vetted address under the registered name, with its certificate checked', async () => {
    const { lookups, resolve } = nameServer(['127.0.0.1'])
    const trusting = development({ resolve, ca: certificate.cert })
    expect(await trusting.post(message(`https://hooks.example.com:${secure.port}/x`))).toMatchObject({
      kind: 'answered',
      status: 200,
    })
    expect(secure.received[0]?.headers.host).toBe(`hooks.example.com:${secure.port}`)
    expect(lookups).toEqual(['hooks.example.com'])
    expect(await trusting.post(message(`https://other.example.com:${secure.port}/x`))).toMatchObject({
      kind: 'failed',
      reason: 'connection failed (ERR_TLS_CERT_ALTNAME_INVALID)',
    })
    expect(await development({ resolve }).post(message(`https://hooks.example.com:${secure.port}/x`))).toMatchObject({
      kind: 'failed',
    })
  })

  test('a name that turns private after registration is refused and nothing is connected', async () => {
    const rebinding = nameServer(['93.184.216.34'], ['127.0.0.1'])
    const strict = sender({ resolve: rebinding.resolve, ca: certificate.cert })
    const url = `https://hooks.example.com:${secure.port}/x`
    expect(await strict.findProblem(url)).toBeNull()
    expect(await strict.post(message(url))).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('private'),
    })
    expect(secure.received).toHaveLength(0)
  })

  test('a name that turns private between check and connection is connected at the checked address', async () => {
    // The second answer is what the socket would get if it asked again: it must not ask.
    const rebinding = nameServer(['127.0.0.1'], ['127.0.0.9'])
    const guard = createAddressGuard({ allowedSubnets: ['127.0.0.1/32'] })
    const pinned = sender({ guard, resolve: rebinding.resolve, ca: certificate.cert })
    expect(await pinned.post(message(`https://hooks.example.com:${secure.port}/x`))).toMatchObject({
      kind: 'answered',
      status: 200,
    })
    expect(rebinding.lookups).toHaveLength(1)
    expect(await pinned.post(message(`https://hooks.example.com:${secure.port}/x`))).toMatchObject({ kind: 'refused' })
    expect(secure.received).toHaveLength(1)
  })

  test('a redirect is an answer, not a direction', async () => {
    receiver.answers = [(response) => response.writeHead(302, { location: `${receiver.url}/again` }).end()]
    expect(await development().post(message(receiver.url))).toMatchObject({ kind: 'answered', status: 302 })
    expect(receiver.received).toHaveLength(1)
  })

  test('an endless answer is cut off, and its status stands', async () => {
    let written = 0
    receiver.answers = [
      (response) => {
        response.writeHead(200)
        const pump = () => {
          if (response.destroyed) return
          written += 65_536
          if (response.write(Buffer.alloc(65_536))) setImmediate(pump)
          else response.once('drain', pump)
        }
        pump()
      },
    ]
    expect(await development().post(message(receiver.url))).toMatchObject({ kind: 'answered', status: 200 })
    expect(written).toBeLessThan(20_000_000)
  })

  test('an answer is read no further than 64 KiB and a piece: what comes after that is not waited for', async () => {
    let sent: Promise<unknown> | undefined
    receiver.answers = [
      (response) => {
        sent = once(response.writeHead(200), 'close')
        response.write(Buffer.alloc(64 * 1024 + 1))
      },
    ]
    // It says no more and does not end: within an hour only the count of bytes can tell that it is over.
    expect(await development({ timeoutMs: 3_600_000 }).post(message(receiver.url))).toMatchObject({
      kind: 'answered',
      status: 200,
    })
    await sent
  })

  test('a receiver that says nothing is given up', async () => {
    receiver.answers = [() => {}]
    expect(await development({ timeoutMs: 150 }).post(message(receiver.url))).toMatchObject({
      kind: 'failed',
      reason: 'no answer in time',
    })
  })

  test('nobody there, and a name that does not resolve, are failures that can be tried again', async () => {
    expect(await development().post(message('http://127.0.0.1:9/'))).toMatchObject({
      kind: 'failed',
      reason: 'connection failed (ECONNREFUSED)',
    })
    const nowhere = sender({ resolve: () => Promise.reject(new Error('ENOTFOUND')) })
    expect(await nowhere.post(message('https://gone.example.com/'))).toMatchObject({
      kind: 'failed',
      reason: 'the name does not resolve',
    })
  })
})
