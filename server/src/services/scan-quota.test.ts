import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type TestClock, testClock } from '../core/clock.ts'
import { newId } from '../core/ids.ts'
import { plans } from '../core/plans.ts'
import { transaction } from '../stores/database.ts'
import { createScanCountStore } from '../stores/scan-counts.ts'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import type { Limits } from './admission.ts'
import { startOfDay } from './limits.ts'
import {
  assertQuotaLeft,
  chargeScan,
  giveBackOrphans,
  giveBackScan,
  giveBackSurely,
  type Instance,
  reserveScan,
  type ScanQuotaDeps,
  startInstance,
} from './scan-quota.ts'

const limits: Limits = { ...plans.free, plan: 'free' }

describeOnEachDatabase('scan quota', (context) => {
  let clock: TestClock
  let accountId: string
  const started: Instance[] = []

  beforeEach(() => {
    clock = testClock()
    accountId = newId('user')
  })
  afterEach(async () => {
    for (const instance of started.splice(0)) await instance.stop()
  })

  const process = async (isAlone = false): Promise<ScanQuotaDeps> => {
    const deps = { db: context.database.db, clock, instanceId: newId('job') }
    started.push(await startInstance(deps, { isAlone, onError: () => {} }))
    return deps
  }
  const count = () => createScanCountStore(context.database.db).count(accountId, startOfDay(clock.now()))
  const spent = 'Daily scan limit exceeded. Limit resets at 2026-03-11T00:00:00.000Z'

  test('a charge stays, what is given back is free again, and giving back twice frees one place', async () => {
    const deps = await process()
    const kept = await reserveScan(deps, accountId, limits)
    const dropped = await reserveScan(deps, accountId, limits)
    expect([kept.scansToday, dropped.scansToday, await count()]).toEqual([1, 2, 2])
    await transaction(deps.db, (tx) => chargeScan(tx, kept))
    await giveBackScan(deps, dropped)
    await giveBackScan(deps, dropped)
    await giveBackScan(deps, kept)
    expect(await count()).toBe(1)
  })

  test('the last place is taken once', async () => {
    const deps = await process()
    const tries = await Promise.allSettled(Array.from({ length: 40 }, () => reserveScan(deps, accountId, limits)))
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
    await expect(assertQuotaLeft(deps, accountId, limits)).rejects.toThrow(spent)
  })

  test('what a dead process held comes back, what it charged does not', async () => {
    const dead = await process()
    const alive = await process()
    const charged = await reserveScan(dead, accountId, limits)
    await transaction(dead.db, (tx) => chargeScan(tx, charged))
    for (let i = 0; i < 3; i++) await reserveScan(dead, accountId, limits)
    await reserveScan(alive, accountId, limits)
    await expect(assertQuotaLeft(alive, accountId, limits)).rejects.toThrow(spent)
    // Silence for longer than a process may be silent; only the living one goes on announcing itself.
    clock.travel('PT1M')
    await createScanCountStore(alive.db).keepAlive(alive.instanceId, clock.now().getTime() + 15_000)
    await assertQuotaLeft(alive, accountId, limits)
    expect(await count()).toBe(2)
  })

  test('what this process holds stays held when the clock jumps between two of its beats', async () => {
    const deps = await process()
    for (let i = 0; i < 5; i++) await reserveScan(deps, accountId, limits)
    clock.travel('PT1H')
    await expect(assertQuotaLeft(deps, accountId, limits)).rejects.toThrow(spent)
    expect(await count()).toBe(5)
  })

  test('a process that is alone frees at once what others held', async () => {
    const dead = await process()
    await reserveScan(dead, accountId, limits)
    const next = await process(true)
    expect(await count()).toBe(0)
    await reserveScan(next, accountId, limits)
    expect(await count()).toBe(1)
  })

  test('a result that comes after its place was given back is charged all the same', async () => {
    const slow = await process()
    const reservation = await reserveScan(slow, accountId, limits)
    clock.travel('PT1M')
    await giveBackOrphans(slow)
    expect(await count()).toBe(0)
    await transaction(slow.db, (tx) => chargeScan(tx, reservation))
    expect(await count()).toBe(1)
  })

  test('a scan that began before midnight is charged to the day it began', async () => {
    clock.travelTo('2026-03-10T23:59:59.000Z')
    const deps = await process()
    const reservation = await reserveScan(deps, accountId, limits)
    clock.travel('PT2S')
    await transaction(deps.db, (tx) => chargeScan(tx, reservation))
    expect(await count()).toBe(0)
    clock.travel('-PT2S')
    expect(await count()).toBe(1)
  })

  test('a place is given back later when the database is away', async () => {
    const deps = await process()
    const reservation = await reserveScan(deps, accountId, limits)
    let isAway = true
    const db = new Proxy(deps.db, {
      get(target, name) {
        if (isAway) throw new Error('the database is away')
        const value: unknown = Reflect.get(target, name, target)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    await giveBackSurely({ db }, reservation)
    expect(await count()).toBe(1)
    isAway = false
    await vi.waitFor(async () => expect(await count()).toBe(0), 60_000)
  })

  test('a place that was taken though its answer was lost is given back', async () => {
    const deps = await process()
    // Each does what it is asked for, and then the connection is gone.
    const db = new Proxy(deps.db, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target)
        if (name === 'executeQuery') return loseAnswer(target.executeQuery.bind(target))
        if (name === 'transaction')
          return () => ({ execute: loseAnswer((fn: never) => target.transaction().execute(fn)) })
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    let isLost = false
    const loseAnswer =
      <Args extends unknown[], T>(act: (...args: Args) => Promise<T>) =>
      async (...args: Args): Promise<T> => {
        const result = await act(...args)
        if (isLost) return result
        isLost = true
        expect(await count()).toBe(1)
        throw new Error('the connection was lost')
      }
    await expect(reserveScan({ ...deps, db }, accountId, limits)).rejects.toThrow('the connection was lost')
    expect([isLost, await count()]).toEqual([true, 0])
  })

  test('a rolled back charge leaves the place held', async () => {
    const deps = await process()
    const reservation = await reserveScan(deps, accountId, limits)
    const failing = transaction(deps.db, async (tx) => {
      await chargeScan(tx, reservation)
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    await giveBackScan(deps, reservation)
    expect(await count()).toBe(0)
  })
})
