import { beforeAll, expect, test } from 'vitest'
import { TaskAbandoned, TaskOverrun } from '../analysis/pool.ts'
import { testClock } from '../core/clock.ts'
import { cpuSecondsPerHour } from '../core/plans.ts'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { useTestApp } from '../testing/start-test-app.ts'
import { assertMayWork, countOverrun } from './analyse.ts'
import { assertWorkLeft, createWorkMeter, type WorkMeter } from './work-meter.ts'

describeOnEachDatabase('CPU time', (context) => {
  const suite = useTestApp(context)
  let accountId: string
  beforeAll(async () => {
    accountId = (await suite.app.signUp()).userId
  })

  const openMeter = (clock = testClock()): WorkMeter =>
    createWorkMeter({
      db: context.database.db,
      clock,
      onError(error) {
        throw error
      },
    })

  test('what several processes note of an account is one sum, until the hour is over', async () => {
    const clock = testClock('2026-05-01T10:59:00.000Z')
    const meters = [openMeter(clock), openMeter(clock)]
    for (const meter of meters) {
      meter.note(accountId, 200)
      expect(await meter.countMs(accountId)).toBe(200)
    }
    for (const meter of meters) await meter.flush()
    expect(await meters[0]?.countMs(accountId)).toBe(400)
    clock.travel('PT2M')
    expect(await meters[0]?.countMs(accountId)).toBe(0)
  })

  test('an account that has used its hour is refused, on a better plan not yet, and in the next hour no more', async () => {
    const clock = testClock('2026-05-02T10:15:00.000Z')
    const workMeter = openMeter(clock)
    workMeter.note(accountId, cpuSecondsPerHour.free * 1000)
    const deps = { clock, workMeter }
    await expect(assertWorkLeft(deps, accountId, { plan: 'free' })).rejects.toMatchObject({
      refusal: 'workSpent',
      status: 429,
      headers: { 'retry-after': '2700' },
    })
    await workMeter.flush()
    await expect(assertWorkLeft(deps, accountId, { plan: 'free' })).rejects.toMatchObject({ refusal: 'workSpent' })
    await assertWorkLeft(deps, accountId, { plan: 'basic' })
    clock.travel('PT45M')
    await assertWorkLeft(deps, accountId, { plan: 'free' })
  })

  const endings: readonly [words: string, error: Error, isCounted: boolean][] = [
    ['stopped for its CPU time', new TaskOverrun('timeout', { cpuMs: 20_000 }), true],
    ['stopped on a machine that gave it none', new TaskOverrun('starved', { cpuMs: 40 }), false],
    ['stopped for its memory', new TaskOverrun('memory', { cpuMs: 40 }), true],
    ['given up after a second of work', new TaskAbandoned({ isGivenUp: true, cpuMs: 1_000 }), true],
    ['given up at once', new TaskAbandoned({ isGivenUp: true, cpuMs: 999 }), false],
    ['ended by a restart', new TaskAbandoned({ cpuMs: 9_000 }), false],
    ['failed', new Error('no'), false],
  ]
  test.each(endings)('five scans an hour that were %s', async (_words, error, isCounted) => {
    const { userId } = await suite.app.signUp()
    for (let n = 0; n < 5; n++) await countOverrun(suite.app.deps, userId, error)
    const allowed = assertMayWork(suite.app.deps, userId, { plan: 'free' })
    if (isCounted) await expect(allowed).rejects.toMatchObject({ refusal: 'tooManyOverruns' })
    else await allowed
  })
})
