import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { GivenUp } from '../core/given-up.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { readCpuMs } from './cpu-time.ts'
import { createPool, type Pool, PoolFull, type PoolSettings, TaskAbandoned, type TaskOverrun } from './pool.ts'
import { createRecentWork } from './recent-work.ts'
import { bundleWorker } from './worker-file.ts'

const hostile = bundleWorker(fileURLToPath(new URL('./hostile-worker.fixture.ts', import.meta.url)))
const opened: Pool[] = []

const open = (settings: Partial<PoolSettings> = {}): Pool => {
  const pool = createPool({
    workerFile: hostile,
    workers: 2,
    timeoutMs: 60_000,
    memoryMb: 96,
    maxWaiting: 100,
    maxWaitMs: 60_000,
    ...settings,
  })
  opened.push(pool)
  return pool
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((pool) => pool.close()))
})

/** By default each is another account's. */
let accounts = 0
const run = (pool: Pool, deed: string, n = 0, account = `stranger ${++accounts}`, rank = 2, signal?: AbortSignal) =>
  pool.run({ deed, n }, { owner: { account, rank }, signal })
const both = (pool: Pool) => Promise.all([1, 2, 3, 4].map((n) => run(pool, 'double', n)))

test('tasks run and answer', async () => {
  expect(await both(open())).toEqual([2, 4, 6, 8])
})

test('an ordinary failure reaches the caller as it is', async () => {
  const pool = open()
  await expect(run(pool, 'fail')).rejects.toThrow('an ordinary failure')
  await expect(run(pool, 'recurse')).rejects.toThrow('Maximum call stack size exceeded')
  expect(await both(pool)).toEqual([2, 4, 6, 8])
})

test('a worker knows nothing of the environment', async () => {
  expect(await run(open(), 'environment')).not.toContain('PATH')
})

test.each([
  ['CPU', { cpuMs: 200, wallMs: 600_000, mostWallMs: 600_000 }, 'loop', 'timeout'],
  ['own wall', { cpuMs: 600_000, wallMs: 200, mostWallMs: 600_000 }, 'sleep', 'timeout'],
  ['longest', { cpuMs: 600_000, wallMs: 600_000, mostWallMs: 200 }, 'loop', 'starved'],
])('a task that has a deadline of its own ends past its %s time', async (_, deadline, deed, overrun) => {
  const pool = open({ timeoutMs: 600_000 })
  const owner = { account: 'a', rank: 2 }
  await expect(pool.run({ deed, n: 600_000 }, { owner, deadline })).rejects.toMatchObject({ overrun })
  expect(await both(pool)).toEqual([2, 4, 6, 8])
})

test('the time that a task waits for a core is not its own', async () => {
  const pool = open({ workers: 1, timeoutMs: 600_000 })
  await run(pool, 'double', 1)
  const others = Array.from({ length: 4 * availableParallelism() }, () => spawn('sh', ['-c', 'while :; do :; done']))
  try {
    for (const { pid } of others) while (readCpuMs(pid) === 0) await pause(10)
    const deadline = { cpuMs: 600_000, wallMs: 800, mostWallMs: 600_000 }
    const started = performance.now()
    const computed = pool.run({ deed: 'compute', n: 500 }, { owner: { account: 'a', rank: 2 }, deadline })
    await Promise.race([computed, pause(3_000)])
    for (const other of others) other.kill('SIGKILL')
    expect(await computed).toBe('computed')
    expect(performance.now() - started).toBeGreaterThan(deadline.wallMs)
  } finally {
    for (const other of others) other.kill('SIGKILL')
  }
})

test('an endless loop ends at its deadline while other tasks go on, and the worker is replaced', {
  timeout: 60_000,
}, async () => {
  const pool = open({ timeoutMs: 5000 })
  // Its processes have started: what follows measures tasks alone.
  await both(pool)
  let hasEnded = false
  // However busy the machine is, it ends by its CPU time.
  const deadline = { cpuMs: 5000, wallMs: 600_000, mostWallMs: 600_000 }
  const loop = pool.run({ deed: 'loop' }, { owner: { account: 'a', rank: 2 }, deadline }).finally(() => {
    hasEnded = true
  })
  loop.catch(() => {})
  expect(await both(pool)).toEqual([2, 4, 6, 8])
  expect(hasEnded).toBe(false)
  await expect(loop).rejects.toMatchObject({ overrun: 'timeout' })
  expect(await both(pool)).toEqual([2, 4, 6, 8])
})

test('the deadline starts with the work, not with the waiting', async () => {
  const pool = open({ workers: 1, timeoutMs: 1200 })
  await run(pool, 'double', 1)
  const naps = Array.from({ length: 4 }, () => run(pool, 'sleep', 500))
  expect(await Promise.all(naps)).toEqual(['slept', 'slept', 'slept', 'slept'])
})

test('a task whose worker is killed by others is begun once more; one that takes down two is not', async () => {
  const pool = open({ workers: 1 })
  const flag = join(temporaryFolder(), 'flag')
  expect(await pool.run({ deed: 'dieOnce', flag }, { owner: { account: 'unlucky', rank: 0 } })).toBe('done')
  await expect(run(pool, 'exit')).rejects.toMatchObject({ overrun: 'crash' })
  expect(await both(pool)).toEqual([2, 4, 6, 8])
})

test.each(['fillHeap', 'fillBuffers', 'fillSmallBuffers', 'fillSlices', 'growArray', 'growMap'])(
  '%s is stopped at the memory limit, and nothing else is',
  { timeout: 60_000 },
  async (deed) => {
    const pool = open()
    const greedy = run(pool, deed)
    greedy.catch(() => {})
    expect(await both(pool)).toEqual([2, 4, 6, 8])
    await expect(greedy).rejects.toMatchObject({ overrun: 'memory' })
    expect(await both(pool)).toEqual([2, 4, 6, 8])
  },
)

test('a service that has grown is no reason to fail a task', async () => {
  const pool = open({ workers: 1, memoryMb: 64 })
  await run(pool, 'double', 1)
  const nap = run(pool, 'sleep', 300)
  const grown = Buffer.alloc(700 * 1024 * 1024, 1)
  expect(await nap).toBe('slept')
  expect(grown.length).toBe(700 * 1024 * 1024)
})

test('a gigabyte of buffers used one after the other is no overrun', async () => {
  expect(await run(open(), 'useAndDropBuffers', 1024)).toBe(1024 ** 3)
})

test('a worker that ends itself is replaced', async () => {
  const pool = open({ workers: 1 })
  await expect(run(pool, 'exit')).rejects.toMatchObject({ overrun: 'crash' })
  expect(await both(pool)).toEqual([2, 4, 6, 8])
})

test('past the bound of the line a task is refused at once, and the others are served', async () => {
  const pool = open({ workers: 1, maxWaiting: 2 })
  await run(pool, 'double', 1)
  const accepted = [1, 2, 3].map(() => run(pool, 'sleep', 100))
  await expect(run(pool, 'double', 1)).rejects.toBeInstanceOf(PoolFull)
  expect([pool.running, pool.waiting]).toEqual([1, 2])
  await Promise.all(accepted)
  expect([pool.running, pool.waiting]).toEqual([0, 0])
})

test('a task that would wait too long is refused at once; better plans are not held up by it', async () => {
  const pool = open({ workers: 1, maxWaitMs: 2000 })
  for (let i = 0; i < 10; i++) await run(pool, 'sleep', 300)
  const accepted: Promise<unknown>[] = []
  const owner = { account: 'late', rank: 2 }
  while (pool.secondsUntilRoom(owner) === undefined) accepted.push(run(pool, 'sleep', 5))
  expect(accepted.length).toBeLessThan(40)
  await expect(run(pool, 'sleep', 5)).rejects.toMatchObject({ retryAfterSeconds: expect.any(Number) })
  expect(pool.secondsUntilRoom({ account: 'pro', rank: 0 })).toBeUndefined()
  await Promise.all(accepted)
})

test('while those in the line wait longer than foretold, nobody is added behind them', async () => {
  const pool = open({ workers: 1, maxWaitMs: 6000, promiseAfterMs: 6000 })
  await run(pool, 'double', 1)
  // Two move to the slow places, the third holds the only place that is left.
  const held = [1, 2, 3].map(() => run(pool, 'loop'))
  const inLine = run(pool, 'double', 1)
  for (const one of [...held, inLine]) one.catch(() => {})
  expect(pool.secondsUntilRoom({ account: 'x', rank: 2 })).toBeUndefined()
  await expect.poll(() => pool.secondsUntilRoom({ account: 'x', rank: 2 })).toBeGreaterThan(0)
  expect(pool.secondsUntilRoom({ account: 'x', rank: 0 })).toBeUndefined()
})

test('one account never takes the last places in the line: others are let in when it is refused', async () => {
  const pool = open({ workers: 1, maxWaiting: 6 })
  await run(pool, 'double', 1)
  const flood = Array.from({ length: 20 }, () => run(pool, 'sleep', 20, 'flood'))
  const refused = flood.map((one) => one.then(() => false).catch((error) => error instanceof PoolFull))
  expect(pool.waiting).toBe(3)
  expect(pool.secondsUntilRoom({ account: 'flood', rank: 2 })).toBeGreaterThan(0)
  expect(await run(pool, 'double', 2)).toBe(4)
  expect((await Promise.all(refused)).filter(Boolean)).toHaveLength(16)
})

test('a task that better plans overtake is instructed to come back soon, not after all of its waiting', async () => {
  const pool = open({ workers: 1, maxWaitMs: 6000, promiseAfterMs: 100 })
  for (let i = 0; i < 10; i++) await run(pool, 'sleep', 300)
  const nap = run(pool, 'sleep', 900)
  const free = run(pool, 'double', 1, 'free', 2)
  free.catch(() => {})
  const better: Promise<unknown>[] = []
  while (pool.secondsUntilRoom({ account: 'next', rank: 0 }) === undefined)
    better.push(run(pool, 'sleep', 300, undefined, 0))
  for (const one of [nap, ...better]) one.catch(() => {})
  // It is reported while the first still runs: nothing of the line has been served yet.
  await expect(free).rejects.toBeInstanceOf(PoolFull)
  expect([pool.running, pool.waiting]).toEqual([1, better.length])
})

test('a task that was promised its turn is not overtaken any more', async () => {
  const pool = open({ workers: 1, promiseAfterMs: 1 })
  await run(pool, 'double', 1)
  const order: string[] = []
  const nap = run(pool, 'sleep', 500)
  const free = run(pool, 'double', 1, 'free', 2).then(() => order.push('free'))
  // Timers fire in the order in which they are due.
  await pause(20)
  const pro = run(pool, 'double', 1, 'pro', 0).then(() => order.push('pro'))
  await Promise.all([nap, free, pro])
  expect(order).toEqual(['free', 'pro'])
})

test('while an account waits for its own endless work, it alone is refused', async () => {
  const pool = open({ maxWaitMs: 4000 })
  await both(pool)
  for (let n = 0; n < 3; n++) run(pool, 'loop', 0, 'hostile').catch(() => {})
  // The third has waited so long by now that nobody would be added behind it; it did not slip in when the first was found to take long.
  await expect.poll(() => pool.secondsUntilRoom({ account: 'hostile', rank: 2 })).toBeGreaterThan(0)
  expect([pool.running, pool.waiting]).toEqual([2, 1])
  expect(pool.secondsUntilRoom({ account: 'other', rank: 2 })).toBeUndefined()
  expect(await both(pool)).toEqual([2, 4, 6, 8])
})

test('while an account that has used much of late waits for its own tasks, it alone is refused', async () => {
  const recent = { note() {}, of: (account: string) => (account === 'heavy' ? 60_000 : 0) }
  const pool = open({ workers: 2, maxWaitMs: 1_000, recent })
  await both(pool)
  const secondsOf = (account: string) => pool.secondsUntilRoom({ account, rank: 2 })
  while (secondsOf('heavy') === undefined) {
    // One is at work, one waits, and the place beside them is left to others.
    if (pool.waiting === 0) run(pool, 'sleep', 900, 'heavy').catch(() => {})
    await pause(10)
  }
  expect(secondsOf('other')).toBeUndefined()
})

test('a task that has waited too long is given up', async () => {
  const pool = open({ workers: 1, maxWaitMs: 200 })
  await run(pool, 'double', 1)
  const nap = run(pool, 'sleep', 1000)
  await expect(run(pool, 'double', 1)).rejects.toBeInstanceOf(PoolFull)
  expect(await nap).toBe('slept')
})

test('one account that fills every place with endless work delays nobody else', async () => {
  const pool = open()
  await both(pool)
  const loops = Array.from({ length: 6 }, () => run(pool, 'loop', 0, 'hostile'))
  for (const loop of loops) loop.catch(() => {})
  expect(await both(pool)).toEqual([2, 4, 6, 8])
  expect(pool.running).toBe(2)
  expect(pool.waiting).toBe(4)
})

test('when every place is held by endless work of many accounts, the least plan gives way first', async () => {
  const pool = open({ workers: 1 })
  const ended: string[] = []
  const loop = (account: string, rank: number) =>
    pool.run({ deed: 'loop', n: 0 }, { owner: { account, rank }, tries: 0 }).catch(({ overrun }: TaskOverrun) => {
      ended.push(`${account} ${overrun}`)
    })
  void loop('pro', 0)
  void loop('free', 2)
  void loop('basic', 1)
  expect(await run(pool, 'double', 4)).toBe(8)
  expect(ended).toEqual(['free starved'])
})

test('a task that had to give way is begun once more before its caller hears of it', { timeout: 60_000 }, async () => {
  const pool = open({ workers: 1 })
  for (const account of ['sure', 'as sure'])
    pool.run({ deed: 'loop', n: 0 }, { owner: { account, rank: 2 }, tries: 5 }).catch(() => {})
  const ended: string[] = []
  void run(pool, 'loop', 0, 'free').catch(({ overrun }: TaskOverrun) => ended.push(overrun))
  expect(await run(pool, 'double', 4)).toBe(8)
  await expect.poll(() => [pool.running, pool.waiting]).toEqual([3, 0])
  expect(ended).toEqual([])
  expect(await run(pool, 'double', 5)).toBe(10)
  expect(ended).toEqual(['starved'])
})

test('a task that had to give way before is sure of more time than the others', async () => {
  const pool = open({ workers: 1 })
  const ended: string[] = []
  const loop = (account: string, tries: number) =>
    pool.run({ deed: 'loop', n: 0 }, { owner: { account, rank: 2 }, tries }).catch(() => {
      ended.push(account)
    })
  void loop('again', 5)
  void loop('first', 0)
  void loop('second', 0)
  expect(await run(pool, 'double', 4)).toBe(8)
  expect(ended).toEqual(['first'])
})

test('a task that nobody waits for any more leaves the line, and one at work is stopped', async () => {
  const pool = open({ workers: 1 })
  await run(pool, 'double', 1)
  const gone = new AbortController()
  const atWork = run(pool, 'loop', 0, 'a', 2, gone.signal)
  const inLine = run(pool, 'loop', 0, 'b', 2, gone.signal)
  const other = run(pool, 'double', 3)
  atWork.catch(() => {})
  gone.abort()
  await expect(inLine).rejects.toBeInstanceOf(TaskAbandoned)
  await expect(atWork).rejects.toBeInstanceOf(TaskAbandoned)
  expect(await other).toBe(6)
  await expect(run(pool, 'double', 1, 'c', 2, gone.signal)).rejects.toBeInstanceOf(TaskAbandoned)
})

test('closing ends what runs and what waits', async () => {
  const pool = open({ workers: 1 })
  await run(pool, 'double', 1)
  const tasks = [run(pool, 'loop'), run(pool, 'loop')]
  for (const task of tasks) task.catch(() => {})
  await pool.close()
  for (const task of tasks) await expect(task).rejects.toBeInstanceOf(TaskAbandoned)
  await expect(run(pool, 'double', 1)).rejects.toBeInstanceOf(TaskAbandoned)
})

test('CPU time is reported of every task, however it ended, and to whom it belongs', async () => {
  const used: [string, number][] = []
  const observer = { onStart() {}, onEnd() {}, onUsed: (account: string, ms: number) => void used.push([account, ms]) }
  const pool = open({ observer })
  const gone = new AbortController()
  const givenUp = run(pool, 'loop', 0, 'gave up', 2, gone.signal)
  const deadline = { cpuMs: 1_500, mostWallMs: 600_000 }
  const stopped = pool.run({ deed: 'loop', n: 0 }, { owner: { account: 'ran on', rank: 2 }, deadline })
  for (const task of [givenUp, stopped]) task.catch(() => {})
  setTimeout(() => gone.abort(new GivenUp()), 100)
  await run(pool, 'double', 1, 'quick')
  await expect(run(pool, 'fail', 0, 'failed')).rejects.toThrow()
  const abandoned = await givenUp.catch((error: TaskAbandoned) => error)
  expect(abandoned).toMatchObject({ name: 'TaskAbandoned', isGivenUp: true })
  await expect(stopped).rejects.toMatchObject({ overrun: 'timeout' })
  const spent = Object.fromEntries(used)
  expect(Object.keys(spent).sort()).toEqual(['failed', 'gave up', 'quick', 'ran on'])
  expect(spent['ran on']).toBeGreaterThan(0)
  expect(spent['gave up']).toBeGreaterThan(0)
  expect((abandoned as TaskAbandoned).cpuMs).toBe(spent['gave up'])
})

test('a task that gets no CPU time is not stopped at its limit, but does not hold its place for ever', async () => {
  const pool = open({ workers: 1, timeoutMs: 600 })
  await run(pool, 'double', 1)
  expect(await run(pool, 'sleep', 1_000)).toBe('slept')
  const error = await run(pool, 'sleep', 3_600_000).catch((reason: TaskOverrun) => reason)
  expect(error).toMatchObject({ overrun: 'starved' })
  expect((error as TaskOverrun).cpuMs).toBeLessThan(600)
})

test('what took long does not leave a slow worker behind', async () => {
  const pool = open({ workers: 1 })
  await run(pool, 'double', 1)
  const before = await run(pool, 'priority')
  await run(pool, 'sleep', 1_300)
  expect(await run(pool, 'priority')).toBe(before)
})

test('an account that has used much of late leaves a place free, unless its plan is the best', async () => {
  const recent = { note() {}, of: (account: string) => (account === 'heavy' ? 60_000 : 0) }
  const pool = open({ workers: 2, recent })
  await run(pool, 'double', 1)
  const waiting = [1, 2].map(() => run(pool, 'sleep', 300, 'heavy', 2))
  expect([pool.running, pool.waiting]).toEqual([1, 1])
  expect(await run(pool, 'double', 4, 'somebody', 2)).toBe(8)
  await Promise.all(waiting)
  const best = [1, 2].map(() => run(pool, 'sleep', 300, 'heavy', 0))
  expect([pool.running, pool.waiting]).toEqual([2, 0])
  await Promise.all(best)
})

test('work of late is forgotten, half of it every ten seconds', () => {
  let now = 0
  const recent = createRecentWork(() => now)
  recent.note('ada', 6_000)
  now = 10_000
  recent.note('ada', 1_000)
  expect([recent.of('ada'), recent.of('bob')]).toEqual([4_000, 0])
  now = 110_000
  expect(recent.of('ada')).toBe(0)
})
