import { fastify } from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { answerErrors } from './answer-errors.ts'
import type { Route } from './define-route.ts'
import { maxAtDoor, type Pressure, type PressureLimits, shedUploads, smoothedDelay } from './pressure.ts'

let close = async (): Promise<void> => {}
afterEach(() => close())

interface Service {
  /** Sends one with this key, which is also its account; gives the status. */
  post(url: string, key?: string): Promise<number>
  pressure: Pressure
  /** Lets those be answered that wait for it. */
  answer(): void
  /** Keys whose credential is not looked at before this is called. */
  readonly held: Set<string>
  look(): void
}

/** A promise that is kept when told. */
function gate() {
  let open = (): void => {}
  const isOpen = new Promise<void>((resolve) => {
    open = resolve
  })
  return { isOpen, open: () => open() }
}

/** One route that takes uploads and one that does not, each answered when it is told to. One worker: fifty at hand. */
async function serve(limits: Partial<PressureLimits> = {}): Promise<Service> {
  const app = fastify()
  answerErrors(app, { log: { error() {} } as never })
  app.decorateRequest('caller', undefined)
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
        request.caller = { accountId: key } as never
      },
      handler: async (request) => {
        request.noteArrival?.()
        if (url === '/upload') await answered.isOpen
        return 'done'
      },
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
  return { post, pressure, answer: answered.open, held, look: looked.open }
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

test('beyond what can be answered soon nobody is let in, however many accounts it is', async () => {
  const { post, pressure, answer } = await serve()
  const accepted = Array.from({ length: 50 }, (_, n) => post('/upload', `account ${n}`))
  await expect.poll(() => pressure.uploads).toBe(50)
  expect(await post('/upload', 'one more')).toBe(503)
  answer()
  expect(await Promise.all(accepted)).toEqual(accepted.map(() => 200))
})

test('while the thread is late, whoever has several at the door already is refused, and others are let in', async () => {
  const delay = { ms: 0, stop() {} }
  const { post, pressure, answer, held, look } = await serve({ maxDelayMs: 100, delay })
  answer()
  // Known from now on: a credential that has not worked yet counts as a stranger's.
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
