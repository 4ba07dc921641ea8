import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { type TestClock, testClock } from '../core/clock.ts'
import { createLog } from '../core/log.ts'
import { systemRandomness } from '../core/randomness.ts'
import { connectPostgres, connectSqlite, transaction } from '../stores/database.ts'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { type Attempt, type BoundJob, bindJob, defineJob, type JobKind } from './job.ts'
import { createQueue, type Queue } from './queue.ts'

const payload = z.object({ id: z.string() })
type Payload = z.infer<typeof payload>

describeOnEachDatabase('queue', (context) => {
  let clock: TestClock
  const opened: Queue[] = []
  let round = 0

  beforeEach(() => {
    round += 1
    clock = testClock()
  })
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((queue) => queue.stop()))
  })

  const open = async (kinds: readonly JobKind<unknown>[], database = context.database): Promise<Queue> => {
    const deps = { database, clock, randomness: systemRandomness, log: createLog({ level: 'silent' }) }
    const queue = await createQueue(deps, kinds)
    opened.push(queue)
    return queue
  }

  /** A job of this test's own name that notes what it was run with. */
  const noting = (
    options: Partial<JobKind<Payload>> = {},
    act: (item: Payload, attempt: Attempt) => unknown = () => {},
  ) => {
    const runs: string[] = []
    const job = defineJob<Payload, object>(
      { name: `test-${round}`, payload, retryAfterSeconds: [], ...options },
      async (_deps, item, attempt) => {
        runs.push(item.id)
        await act(item, attempt)
      },
    )
    return { runs, job, bound: [bindJob(job, {})] as BoundJob[] }
  }

  test('a job enqueued in a transaction runs once that commits, and only once', async () => {
    const { runs, job, bound } = noting()
    const queue = await open([job])
    await transaction(context.database.db, async (tx) => {
      await queue.enqueue(tx, job, { id: 'a' })
    })
    expect(await queue.runDue(bound)).toBe(1)
    expect(await queue.runDue(bound)).toBe(0)
    expect(runs).toEqual(['a'])
  })

  test('a transaction that rolls back enqueues nothing', async () => {
    const { runs, job, bound } = noting()
    const queue = await open([job])
    const failing = transaction(context.database.db, async (tx) => {
      await queue.enqueue(tx, job, { id: 'a' })
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    await queue.runDue(bound)
    expect(runs).toEqual([])
  })

  test('a payload of the wrong shape is refused when it is enqueued', async () => {
    const { job } = noting()
    const queue = await open([job])
    await expect(queue.enqueue(context.database.db, job, { id: 1 } as never)).rejects.toThrow()
  })

  test('a kind that was not registered is refused when it is enqueued', async () => {
    const { job } = noting()
    const queue = await open([])
    await expect(queue.enqueue(context.database.db, job, { id: 'a' })).rejects.toThrow('registered')
  })

  test('a job that was put off while the clock ran ahead comes round as its schedule says', async () => {
    const { runs, job, bound } = noting({ retryAfterSeconds: [300, 300] }, ({ id }, { number }) => {
      if (id === 'retried' && number === 1) throw new Error('not yet')
    })
    const queue = await open([job])
    clock.travel('P1D')
    await queue.enqueue(context.database.db, job, { id: 'retried' })
    await queue.runDue(bound)
    await queue.enqueue(context.database.db, job, { id: 'new' })
    clock.travel('-P1D')
    await queue.runDue(bound)
    expect(runs).toEqual(['retried', 'new'])
    clock.travel('PT361S')
    await queue.runDue(bound)
    expect(runs).toEqual(['retried', 'new', 'retried'])
  })

  test('a later job with an earlier moment runs first', async () => {
    const { runs, job, bound } = noting({ maxDelaySeconds: 7200 })
    const queue = await open([job])
    const inHours = (hours: number) => ({ runAt: new Date(clock.now().getTime() + hours * 3_600_000) })
    await queue.enqueue(context.database.db, job, { id: 'late' }, inHours(2))
    await queue.enqueue(context.database.db, job, { id: 'early' }, inHours(1))
    expect(await queue.runDue(bound)).toBe(0)
    clock.travel('PT1H')
    await queue.runDue(bound)
    expect(runs).toEqual(['early'])
    clock.travel('PT1H')
    await queue.runDue(bound)
    expect(runs).toEqual(['early', 'late'])
  })

  test('a failing job is tried again by its schedule with at most a fifth of jitter, then given up', async () => {
    const attempts: string[] = []
    const { job, bound } = noting({ retryAfterSeconds: [5, 300] }, (_item, attempt) => {
      attempts.push(`${attempt.number}${attempt.isLast ? ' last' : ''}`)
      throw new Error('the other side is down')
    })
    const queue = await open([job])
    await queue.enqueue(context.database.db, job, { id: 'a' })
    await queue.runDue(bound)
    clock.travel('PT4S')
    expect(await queue.runDue(bound)).toBe(0)
    clock.travel('PT2S')
    expect(await queue.runDue(bound)).toBe(1)
    clock.travel('PT299S')
    expect(await queue.runDue(bound)).toBe(0)
    clock.travel('PT61S')
    expect(await queue.runDue(bound)).toBe(1)
    clock.travel('P30D')
    expect(await queue.runDue(bound)).toBe(0)
    expect(attempts).toEqual(['1', '2', '3 last'])
  })

  test('a try that takes too long is aborted and counts as failed', async () => {
    let aborted = false
    const { job, bound, runs } = noting(
      { retryAfterSeconds: [1], timeoutSeconds: 0.05 },
      async (_item, { signal, number }) => {
        if (number === 1) await new Promise((resolve) => signal.addEventListener('abort', resolve))
        aborted ||= signal.aborted
      },
    )
    const queue = await open([job])
    await queue.enqueue(context.database.db, job, { id: 'slow' })
    await queue.runDue(bound)
    expect(aborted).toBe(true)
    clock.travel('PT2S')
    await queue.runDue(bound)
    expect(runs).toEqual(['slow', 'slow'])
  })

  test('a key keeps a second waiting job of the same kind out, and only while the first waits', async () => {
    const { runs, job, bound } = noting()
    const queue = await open([job])
    await queue.enqueue(context.database.db, job, { id: 'first' }, { key: 'k' })
    await queue.enqueue(context.database.db, job, { id: 'second' }, { key: 'k' })
    await queue.enqueue(context.database.db, job, { id: 'other' }, { key: 'l' })
    await queue.enqueue(context.database.db, job, { id: 'free' })
    expect(await queue.countWaiting(job)).toBe(3)
    await queue.runDue(bound)
    expect([...runs].sort()).toEqual(['first', 'free', 'other'])
    await queue.enqueue(context.database.db, job, { id: 'third' }, { key: 'k' })
    await queue.runDue(bound)
    expect(runs).toContain('third')
  })

  test('two runners on one database run each of two hundred jobs once', async () => {
    const { runs, job, bound } = noting({ concurrency: 8 }, () => new Promise((resolve) => setImmediate(resolve)))
    const second =
      context.dialect === 'sqlite'
        ? connectSqlite(context.settings.dataDir)
        : connectPostgres(context.settings.databaseUrl!)
    const queues = [await open([job]), await open([job], second)]
    await transaction(context.database.db, async (tx) => {
      for (let i = 0; i < 200; i++) await queues[0]?.enqueue(tx, job, { id: `${i}` })
    })
    for (const queue of queues) await queue.start(bound)
    await vi.waitFor(() => expect(runs).toHaveLength(200), 60_000)
    await Promise.all(opened.splice(0).map((queue) => queue.stop()))
    expect(new Set(runs).size).toBe(200)
    await second.close()
  })

  test('a started queue runs a job after its commit, without being asked', async () => {
    const { runs, job, bound } = noting()
    const queue = await open([job])
    await queue.start(bound)
    await transaction(context.database.db, (tx) => queue.enqueue(tx, job, { id: 'now' }))
    await vi.waitFor(() => expect(runs).toEqual(['now']), 60_000)
  })

  test('stopping waits for the job in hand and leaves the rest queued', async () => {
    const finished: string[] = []
    let finish = (): void => {}
    const gate = new Promise<void>((resolve) => {
      finish = resolve
    })
    const { job, bound, runs } = noting({ concurrency: 1 }, async ({ id }) => {
      await gate
      finished.push(id)
    })
    const queue = await open([job])
    for (const id of ['a', 'b', 'c']) await queue.enqueue(context.database.db, job, { id })
    await queue.start(bound)
    await vi.waitFor(() => expect(runs).toHaveLength(1), 60_000)
    const stopping = queue.stop()
    expect(finished).toEqual([])
    finish()
    await stopping
    expect(finished).toEqual(runs)
    const next = await open([job])
    expect(await next.countWaiting(job)).toBe(2)
  })

  test('a recurring job runs once per interval, however many replicas ask', async () => {
    const recurring = defineJob<Record<string, never>, object>(
      { name: `recurring-${round}`, payload: z.object({}), retryAfterSeconds: [], everySeconds: 3600 },
      async () => void runs.push(clock.now().toISOString()),
    )
    const runs: string[] = []
    const queues = [await open([recurring]), await open([recurring]), await open([recurring])]
    const runDue = () => Promise.all(queues.map((queue) => queue.runDue([bindJob(recurring, {})])))
    await runDue()
    await runDue()
    expect(runs).toHaveLength(1)
    clock.travel('PT1H')
    await runDue()
    await runDue()
    expect(runs).toHaveLength(2)
  })

  test('a process that looked at its clock just before a moment does not serve it after another did', async () => {
    let runs = 0
    const recurring = defineJob<Record<string, never>, object>(
      { name: `recurring-${round}`, payload: z.object({}), retryAfterSeconds: [], everySeconds: 60 },
      async () => {
        runs += 1
      },
    )
    const runDue = async () => (await open([recurring])).runDue([bindJob(recurring, {})])
    clock.travelTo('2026-03-10T12:01:00.001Z')
    await runDue()
    clock.travelTo('2026-03-10T12:00:59.999Z')
    await runDue()
    clock.travelTo('2026-03-10T12:01:00.002Z')
    await runDue()
    expect(runs).toBe(1)
    clock.travelTo('2026-03-10T12:02:00.000Z')
    await runDue()
    expect(runs).toBe(2)
  })

  test('a recurring job goes on when a clock that was ahead is set back', async () => {
    let runs = 0
    const recurring = defineJob<Record<string, never>, object>(
      { name: `recurring-${round}`, payload: z.object({}), retryAfterSeconds: [], everySeconds: 60 },
      async () => {
        runs += 1
      },
    )
    clock.travel('P90D')
    const ahead = await open([recurring])
    await ahead.runDue([bindJob(recurring, {})])
    clock.travel('-P90D')
    for (const queue of [ahead, await open([recurring])]) {
      clock.travel('PT1M')
      await queue.runDue([bindJob(recurring, {})])
    }
    expect(runs).toBe(3)
  })

  test('a job whose process is killed in the middle runs again elsewhere', async () => {
    const { runs, job, bound } = noting(
      { name: 'survive', retryAfterSeconds: [1, 1, 1], timeoutSeconds: 30 },
      (_item, attempt) => {
        expect(attempt.number).toBe(2)
      },
    )
    clock.travelTo(new Date())
    const queue = await open([job])
    await queue.enqueue(context.database.db, job, { id: 'survivor' })

    const fixture = fileURLToPath(new URL('./lost-runner.fixture.ts', import.meta.url))
    const child = spawn(process.execPath, ['--import', 'tsx', fixture, JSON.stringify(context.settings)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(child.stdout, 'data')
    expect(await queue.runDue(bound)).toBe(0)
    child.kill('SIGKILL')
    await once(child, 'exit')

    clock.travel('PT1M')
    if (context.dialect === 'postgres') {
      // The library goes by the database's clock, which no test can move.
      await sql`update pgboss.job set started_on = started_on - interval '1 minute' where state = 'active'`.execute(
        context.database.db,
      )
    }
    expect(await queue.runDue(bound)).toBe(1)
    expect(runs).toEqual(['survivor'])
  })

  if (context.dialect === 'sqlite') {
    test('a process that is alone takes up at once what a killed one left', async () => {
      const { runs, job, bound } = noting({ retryAfterSeconds: [60] }, () => {})
      const left = await open([job])
      await left.enqueue(context.database.db, job, { id: 'left' })
      // Taken by a process that never comes back: its lease is good for another minute.
      const lease = clock.now().getTime() + 60_000
      await sql`update jobs set state = 'running', attempt = 1, lease_id = 'gone', lease_until = ${lease}`.execute(
        context.database.db,
      )
      expect(await left.runDue(bound)).toBe(0)
      const next = await open([job])
      await next.start(bound, { isAlone: true })
      await vi.waitFor(() => expect(runs).toEqual(['left']), 60_000)
    })
  }
})
