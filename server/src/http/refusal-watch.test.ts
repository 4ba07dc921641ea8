import { fastify } from 'fastify'
import { afterEach, expect, test, vi } from 'vitest'
import { refusalOf } from '../core/errors.ts'
import { createGauges } from '../core/gauges.ts'
import { answerErrors } from './answer-errors.ts'
import type { Route } from './define-route.ts'
import { createRefusalWatch } from './refusal-watch.ts'

const LOOK_MS = 1000

afterEach(() => {
  vi.useRealTimers()
})

/** An app whose uploads are refused or served as configured, and the watch over it. */
async function watched() {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const logged: string[] = []
  const log = {
    error: (_fields: object, words: string) => void logged.push(words),
    warn: (_fields: object, words: string) => void logged.push(words),
  }
  const analysis = { running: 0, waiting: 0 }
  const pressure = { isReal: false, forgotten: 0, forgetGone: () => ++pressure.forgotten }
  const gauges = createGauges()
  gauges.add('uploads', () => 7)
  const watch = createRefusalWatch({ analysis, gauges, log: log as never, lookMs: LOOK_MS })
  const app = fastify()
  answerErrors(app, { log: log as never })
  watch.watch(app, pressure)
  const state = { isFull: true }
  app.post('/upload', { config: { route: { bodyKind: 'upload' } as Route } }, async () => {
    if (state.isFull) throw refusalOf('scanQueueFull', 1)
    return 'done'
  })
  /** Uploads, and lets a look pass. */
  const round = async () => {
    await app.inject({ method: 'POST', url: '/upload' })
    vi.advanceTimersByTime(LOOK_MS)
  }
  return { analysis, pressure, watch, state, round, logged, app }
}

test('a service that refuses for a while without anything to do is stuck, says so, and forgets clients that are gone', async () => {
  const { watch, round, logged, pressure, app } = await watched()
  await round()
  await round()
  expect(watch.isStuck).toBe(false)
  await round()
  expect(watch.isStuck).toBe(true)
  expect(pressure.forgotten).toBe(1)
  expect(logged).toEqual(['uploads are refused although nothing is under way'])
  await app.close()
})

test('it is no longer stuck when an upload is served, or when nobody has asked for a while', async () => {
  const { watch, round, state, app } = await watched()
  for (let n = 0; n < 3; n++) await round()
  state.isFull = false
  await round()
  expect(watch.isStuck).toBe(false)
  state.isFull = true
  for (let n = 0; n < 3; n++) await round()
  expect(watch.isStuck).toBe(true)
  vi.advanceTimersByTime(LOOK_MS)
  expect(watch.isStuck).toBe(false)
  await app.close()
})

test('a service that has something to do may refuse', async () => {
  const { watch, round, analysis, pressure, app } = await watched()
  analysis.running = 1
  for (let n = 0; n < 4; n++) await round()
  expect(watch.isStuck).toBe(false)
  analysis.running = 0
  pressure.isReal = true
  for (let n = 0; n < 4; n++) await round()
  expect(watch.isStuck).toBe(false)
  await app.close()
})
