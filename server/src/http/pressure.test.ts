import { connect, type Socket } from 'node:net'
import { fastify } from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { refusalOf } from '../core/errors.ts'
import { answerErrors } from './answer-errors.ts'
import type { Route } from './define-route.ts'
import { maxAtDoor, type Pressure, type PressureLimits, shedUploads, smoothedDelay } from './pressure.ts'
import { openScopes } from './request-scope.ts'

let close = async (): Promise<void> => {}
afterEach(() => close())

interface Service {
  /** Sends one with this key, which is also its account; gives the status. */
  post(url: string, key?: string): Promise<number>
  /** Sends as many on one connection at once, without reading an answer. */
  pipeline(url: string, count: number, key?: string): Promise<Socket>
  pressure: Pressure
  /** Lets those be answered that wait for it. */
  answer(): void
  /** Keys whose credential is not looked at before this is called. */
  readonly held: Set<string>
  look(): void
}

/** A promise that is kept on request. */
function gate() {
  let open = (): void => {}
  const isOpen = new Promise<void>((resolve) => {
    open = resolve
  })
  return { isOpen, open: () => open() }
}

/** One route that takes uploads and one that does not, each answered on request. One worker: fifty at hand. */
async function serve(limits: Partial<PressureLimits> = {}): Promise<Service> {
  const app = fastify()
  answerErrors(app, { log: { error() {} } as never })
  app.decorateRequest('caller', undefined)
  openScopes(app)
  const pressure = shedUploads(app, {
    workers: 1,
    maxDelayMs: Number.POSITIVE_INFINITY,
    maxEnteringMs: Number.POSITIVE_INFINITY,
    ...limits,
  })
  const answered = gate()
  const looked = gate()
  const held = new Set<string>()
  for (const [url, bodyKind] of [
    ['/upload', 'upload'],
    ['/json', 'json'],
  ] as const) {
    app.post(url, {
      config: { route: { bodyKind } as Route },
      onRequest: async (request) => {
        const key = String(request.headers['x-api-key'])
        if (url === '/upload' && held.has(key)) await looked.isOpen
        if (key === 'refused') throw refusalOf('keyInvalid')
        request.caller = { accountId: key } as never
      },
      handler: (request) =>
        request.scope.during(async () => {
          request.noteArrival?.()
          if (url === '/upload') await answered.isOpen
          return 'done'
        }),
    })
  }
  close = async () => {
    looked.open()
    answered.open()
    await app.close()
  }
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const post = async (url: string, key = 'ada') =>
    (await fetch(address + url, { method: 'POST', headers: { 'x-api-key': key } })).status
  const pipeline = async (url: string, count: number, key = 'ada'): Promise<Socket> => {
    const { hostname, port } = new URL(address)
    const socket = connect(Number(port), hostname)
    const head = `POST ${url} HTTP/1.1\r\nHost: here\r\nX-API-Key: ${key}\r\nContent-Length: 0\r\n\r\n`
    await new Promise<void>((resolve) => socket.write(head.repeat(count), () => resolve()))
    return socket
  }
  return { post, pipeline, pressure, answer: answered.open, held, look: looked.open }
}

test('an account with many uploads at hand is refused at once, while others and the rest are served', async () => {
  const { post, pressure, answer } = await serve()
  const accepted = Array.from({ length: 25 }, () => post('/upload', 'flood'))
  await expect.poll(() => pressure.uploads).toBe(25)
  expect([await post('/upload', 'flood'), await post('/json', 'flood')]).toEqual([503, 200])
  const others = ['eve', 'eve', 'bob'].map((key) => post('/upload', key))
  await expect.poll(() => pressure.uploads).toBe(28)
  answer()
  expect(await Promise.all([...accepted, ...others])).toEqual(Array.from({ length: 28 }, () => 200))
  await expect.poll(() => pressure.uploads).toBe(0)
  expect(await post('/upload', 'flood')).toBe(200)
})

test('a client that hangs up while its credential is looked at is not counted for ever', async () => {
  const { post, pipeline, pressure, answer, held, look } = await serve()
  held.add('ada')
  const sockets = await Promise.all(Array.from({ length: 30 }, () => pipeline('/upload', 1)))
  await expect.poll(() => pressure.entering).toBe(30)
  for (const socket of sockets) socket.destroy()
  await expect.poll(() => pressure.entering).toBe(0)
  look()
  answer()
  await expect.poll(() => pressure.uploads).toBe(0)
  expect(await post('/upload')).toBe(200)
})

test('requests that wait behind another one of their connection end with it', async () => {
  const { pipeline, pressure, answer } = await serve()
  const refused = await pipeline('/upload', 5, 'refused')
  const socket = await pipeline('/upload', 3)
  await expect.poll(() => pressure.uploads).toBe(3)
  socket.destroy()
  refused.destroy()
  answer()
  await expect.poll(() => [pressure.entering, pressure.uploads]).toEqual([0, 0])
})

test('an upload counts until its work has ended, whether or not anyone waits for it', async () => {
  const { pipeline, pressure, answer } = await serve()
  const socket = await pipeline('/upload', 1)
  await expect.poll(() => pressure.uploads).toBe(1)
  expect(pressure.isReal).toBe(true)
  socket.destroy()
  await expect.poll(() => pressure.isReal).toBe(false)
  expect(pressure.uploads).toBe(1)
  answer()
  await expect.poll(() => pressure.uploads).toBe(0)
})

test('uploads of one account that arrive together are counted one by one', async () => {
  const { post, pressure, answer, held, look } = await serve()
  held.add('flood')
  const sent = Array.from({ length: 60 }, () => post('/upload', 'flood'))
  await expect.poll(() => pressure.entering).toBe(60)
  look()
  await expect.poll(() => [pressure.entering, pressure.uploads]).toEqual([0, 25])
  answer()
  expect((await Promise.all(sent)).filter((status) => status === 503)).toHaveLength(35)
})

test('of one account a hundred arrive at once and no more; those of others are not counted', () => {
  const app = fastify()
  app.decorateRequest('caller', undefined)
  openScopes(app)
  shedUploads(app, { workers: 1, delay: { ms: 0, stop() {} } })
  app.post('/upload', { config: { route: { bodyKind: 'upload' } as Route } }, async (request) => {
    const enter = (accountId: string) => {
      request.caller = { accountId } as never
      return request.noteArriving?.()
    }
    const leaves = Array.from({ length: 100 }, () => enter('ada'))
    expect(() => enter('ada')).toThrow(refusalOf('scanQueueFull', 2))
    enter('bob')
    leaves[0]?.()
    enter('ada')
    return 'done'
  })
  return expect(app.inject({ method: 'POST', url: '/upload' })).resolves.toMatchObject({ body: 'done' })
})

test('beyond what can be answered soon nobody is let in, however many accounts it is', async () => {
  const { post, pressure, answer } = await serve()
  const accepted = Array.from({ length: 50 }, (_, n) => post('/upload', `account ${n}`))
  await expect.poll(() => pressure.uploads).toBe(50)
  expect(await post('/upload', 'one more')).toBe(503)
  answer()
  expect(await Promise.all(accepted)).toEqual(accepted.map(() => 200))
})

test('while the thread is late, a client with several requests waiting is refused, and others are served', async () => {
  const delay = { ms: 0, stop() {} }
  const { post, pressure, answer, held, look } = await serve({ maxDelayMs: 100, delay })
  answer()
  // Known from now on: a credential that has not worked yet counts as an outsider's.
  for (const key of ['flood', 'bob']) expect(await post('/upload', key)).toBe(200)
  held.add('flood')
  const atDoor = [1, 2, 3, 4].map(() => post('/upload', 'flood'))
  await expect.poll(() => pressure.entering).toBe(4)
  delay.ms = 200
  expect([await post('/upload', 'flood'), await post('/upload', 'bob')]).toEqual([503, 200])
  look()
  expect(await Promise.all(atDoor)).toEqual([200, 200, 200, 200])
  expect(await post('/upload', 'flood')).toBe(200)
})

test('while credentials wait far too long for the database, uploads are refused and the rest is served', async () => {
  const { post, pressure, answer, held, look } = await serve({ maxEnteringMs: Number.MIN_VALUE })
  answer()
  expect(await post('/upload', 'bob')).toBe(200)
  held.add('ada')
  const first = post('/upload', 'ada')
  await expect.poll(() => pressure.entering).toBe(1)
  expect([await post('/upload', 'bob'), await post('/json', 'bob')]).toEqual([503, 200])
  look()
  expect(await first).toBe(200)
  expect(await post('/upload', 'bob')).toBe(200)
})

test('while the serving thread is much too late, uploads are refused and the rest is served', async () => {
  const delay = { ms: 301, stop() {} }
  const { post, answer } = await serve({ maxDelayMs: 100, delay })
  answer()
  expect([await post('/upload'), await post('/json')]).toEqual([503, 200])
})

test('the more pressure, the fewer of one account may be at the door, and in the end nobody', () => {
  expect([0, 1].map(maxAtDoor)).toEqual([Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY])
  expect([1.01, 2, 2.75, 3, 100].map(maxAtDoor)).toEqual([7, 4, 1, 0, 0])
})

/** The delay after timers that fired so much too late, one after the other. */
const delayAfter = (...late: number[]): number => late.reduce(smoothedDelay, 0)

test('timers that are late again and again are pressure, and pass when they are not', () => {
  const late = Array.from({ length: 10 }, () => 250)
  const punctual = Array.from({ length: 10 }, () => 0)
  expect(delayAfter(...late)).toBeGreaterThan(150)
  expect(delayAfter(...late, ...punctual)).toBeLessThan(150)
})

test('a single hiccup, however long, is none', () => {
  expect(delayAfter(60_000)).toBeLessThan(150)
  expect(delayAfter(0, 60_000, 0)).toBeLessThan(150)
})
