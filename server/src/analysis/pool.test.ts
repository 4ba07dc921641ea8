import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { createPool, type Pool, PoolFull, type PoolSettings } from './pool.ts'
import { bundleWorker } from './worker-file.ts'

const hostile = bundleWorker(fileURLToPath(new URL('./hostile-worker.fixture.ts', import.meta.url)))
const opened: Pool[] = []

const open = (settings: Partial<PoolSettings> = {}): Pool => {
  const pool = createPool({
    workerFile: hostile,
    workers: 2,
    timeoutMs: 20_000,
    memoryMb: 96,
    maxWaiting: 100,
    ...settings,
  })
  opened.push(pool)
  return pool
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((pool) => pool.close()))
})

const both = (pool: Pool) => Promise.all([1, 2, 3, 4].map((n) => pool.run({ deed: 'double', n })))

test('tasks run and answer', async () => {
  expect(await both(open())).toEqual([2, 4, 6, 8])
})

test('an ordinary failure reaches the caller as it is', async () => {
  const pool = open()
  await expect(pool.run({ deed: 'fail' })).rejects.toThrow('an ordinary failure')
  await expect(pool.run({ deed: 'recurse' })).rejects.toThrow('Maximum call stack size exceeded')
  expect(await both(pool)).toEqual([2, 4, 6, 8])
})

test('an endless loop ends at its deadline while other tasks go on, and the worker is replaced', async () => {
  const pool = open({ timeoutMs: 1500 })
  await both(pool)
  const loop = pool.run({ deed: 'loop' })
  const started = performance.now()
  expect(await both(pool)).toEqual([2, 4, 6, 8])
  expect(performance.now() - started).toBeLessThan(1000)
  await expect(loop).rejects.toMatchObject({ overrun: 'timeout' })
  await expect(Promise.all([pool.run({ deed: 'loop' }), pool.run({ deed: 'loop' })])).rejects.toMatchObject({
    overrun: 'timeout',
  })
  expect(await both(pool)).toEqual([2, 4, 6, 8])
})

test('the deadline starts with the work, not with the waiting', async () => {
  const pool = open({ workers: 1, timeoutMs: 1200 })
  await pool.run({ deed: 'double', n: 1 })
  const naps = Array.from({ length: 4 }, () => pool.run({ deed: 'sleep', n: 500 }))
  expect(await Promise.all(naps)).toEqual(['slept', 'slept', 'slept', 'slept'])
})

test.each(['fillHeap', 'fillBuffers', 'fillSmallBuffers'])(
  '%s is stopped at the memory limit while other tasks go on',
  async (deed) => {
    const pool = open()
    await both(pool)
    const before = process.memoryUsage.rss()
    const greedy = pool.run({ deed })
    greedy.catch(() => {})
    expect(await both(pool)).toEqual([2, 4, 6, 8])
    await expect(greedy).rejects.toMatchObject({ overrun: 'memory' })
    expect(process.memoryUsage.rss() - before).toBeLessThan(400 * 1024 * 1024)
    expect(await both(pool)).toEqual([2, 4, 6, 8])
  },
)

test('memory that escapes the guard in the worker is stopped by the watch over the process', async () => {
  const pool = open({ memoryMb: 64 })
  await both(pool)
  await expect(pool.run({ deed: 'fillSlices' })).rejects.toMatchObject({ overrun: 'memory' })
  expect(await both(pool)).toEqual([2, 4, 6, 8])
})

test('a gigabyte of buffers used one after the other is no overrun', async () => {
  const pool = open()
  expect(await pool.run({ deed: 'useAndDropBuffers', n: 1024 })).toBe(1024 ** 3)
})

test('a worker that ends itself is replaced', async () => {
  const pool = open({ workers: 1 })
  await expect(pool.run({ deed: 'exit' })).rejects.toMatchObject({ overrun: 'crash' })
  expect(await both(pool)).toEqual([2, 4, 6, 8])
})

test('past the bound of the queue a task is refused at once, and the others are served', async () => {
  const pool = open({ workers: 1, maxWaiting: 2 })
  await pool.run({ deed: 'double', n: 1 })
  const accepted = [1, 2, 3].map(() => pool.run({ deed: 'sleep', n: 100 }))
  await expect(pool.run({ deed: 'double', n: 1 })).rejects.toBeInstanceOf(PoolFull)
  expect([pool.running, pool.waiting]).toEqual([1, 2])
  await Promise.all(accepted)
  expect([pool.running, pool.waiting]).toEqual([0, 0])
})
