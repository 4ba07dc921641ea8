import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { createLog } from '../core/log.ts'
import { bindJob, defineJob } from './job.ts'
import type { JobStorage, TakenJob } from './job-storage.ts'
import { createRunner, type Runner } from './runner.ts'

// Nothing passes by itself here: a job that runs after so many milliseconds was looked for after so many.
beforeEach(() => vi.useFakeTimers())
let runner: Runner | undefined
afterEach(async () => {
  const stopped = runner?.stop()
  // As long as a stop may take. Running all timers would never end if something else in this process sets one again and again.
  await vi.advanceTimersByTimeAsync(15_000)
  await stopped
  vi.useRealTimers()
})

/** A started runner over a list of waiting jobs, and what it has run. */
async function start(everySeconds?: number) {
  const waiting: TakenJob[] = []
  const runs: string[] = []
  const job = defineJob<{ id: string }, object>(
    {
      name: 'noted',
      payload: z.object({ id: z.string() }),
      retryAfterSeconds: [],
      ...(everySeconds !== undefined && { everySeconds }),
    },
    async (_deps, { id }) => void runs.push(id),
  )
  const storage = {
    take: async (_name: string, limit: number) => waiting.splice(0, limit),
    finish: async () => {},
  } as unknown as JobStorage
  const deps = { storage, scheduler: { tick: async () => {} }, log: createLog({ level: 'silent' }) }
  runner = createRunner({ ...deps, settle: async () => {} } as never, [bindJob(job, {})])
  runner.start()
  await vi.advanceTimersByTimeAsync(0)
  const add = (id: string) => waiting.push({ id, name: 'noted', payload: { id }, key: undefined, attempt: 1 })
  return { runner, runs, add }
}

test('a job of this process runs as soon as its transaction has had time to commit', async () => {
  const { runner, runs, add } = await start()
  runner.wake('noted')
  add('woken')
  await vi.advanceTimersByTimeAsync(25)
  expect(runs).toEqual(['woken'])
})

test('a job that another process enqueued is found within a second', async () => {
  const { runs, add } = await start()
  for (const id of ['first', 'second']) {
    add(id)
    await vi.advanceTimersByTimeAsync(1000)
    expect(runs.at(-1)).toBe(id)
  }
})

test('what comes round once in minutes is looked for every ten seconds, and at once when this process enqueues it', async () => {
  const { runner, runs, add } = await start(300)
  add('found')
  await vi.advanceTimersByTimeAsync(9_999)
  expect(runs).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(runs).toEqual(['found'])
  runner.wake('noted')
  add('woken')
  await vi.advanceTimersByTimeAsync(25)
  expect(runs).toEqual(['found', 'woken'])
})
