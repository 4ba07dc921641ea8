import { fastify } from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { answerErrors } from './answer-errors.ts'
import type { Route } from './define-route.ts'
import { type Pressure, shedUploads, smoothedDelay } from './pressure.ts'

let close = async (): Promise<void> => {}
afterEach(() => close())

/** One route that takes uploads and one that does not, each answered when it is told to. */
async function serve({
  maxDelayMs = Number.POSITIVE_INFINITY,
} = {}): Promise<{ post(url: string): Promise<number>; pressure: Pressure; answer(): void }> {
  const app = fastify()
  answerErrors(app, { log: { error() {} } as never })
  const pressure = shedUploads(app, { workers: 1, maxDelayMs })
  let answer = (): void => {}
  const told = new Promise<void>((resolve) => {
    answer = resolve
  })
  for (const [url, bodyKind] of [
    ['/upload', 'upload'],
    ['/json', 'json'],
  ] as const) {
    app.post(url, { config: { route: { bodyKind } as Route } }, async (request) => {
      request.noteArrival?.()
      if (url === '/upload') await told
      return 'done'
    })
  }
  close = () => app.close()
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const post = async (url: string) => (await fetch(address + url, { method: 'POST' })).status
  return { post, pressure, answer: () => answer() }
}

test('beyond what can be answered soon, uploads are refused at once and the rest is served', async () => {
  const { post, pressure, answer } = await serve()
  const accepted = Array.from({ length: 50 }, () => post('/upload'))
  await expect.poll(() => pressure.uploads).toBe(50)
  expect([await post('/upload'), await post('/json')]).toEqual([503, 200])
  answer()
  expect(await Promise.all(accepted)).toEqual(accepted.map(() => 200))
  await expect.poll(() => pressure.uploads).toBe(0)
  expect(await post('/upload')).toBe(200)
})

test('while the serving thread is late, uploads are refused and the rest is served', async () => {
  const { post, answer } = await serve({ maxDelayMs: -1 })
  answer()
  expect([await post('/upload'), await post('/json')]).toEqual([503, 200])
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
