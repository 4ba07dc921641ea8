import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findCommand } from '../admin/commands.ts'
import { createScanStore } from '../stores/scans.ts'
import { createSweepStateStore } from '../stores/sweep-states.ts'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { useTestApp } from '../testing/start-test-app.ts'
import { sweepScans } from './retention.ts'
import { sweepAccounts } from './sweep.ts'
import { observeTime } from './sweep-guard.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

describe('what a sweep knows of time', () => {
  const trusted = { trusted_at: 100 * DAY, jumped_at: null, seen_at: null }
  const isTrusted = (state: { jumped_at: number | null }): boolean => state.jumped_at === null

  test('a step of minutes, of a day, and one back are trusted', () => {
    for (const step of [600_000, DAY, -400 * DAY]) {
      expect(observeTime(trusted, 100 * DAY + step)).toEqual({ ...trusted, trusted_at: 100 * DAY + step })
    }
  })

  test('a jump ahead is not, for a day; a clock that comes back is trusted at once', () => {
    const jumped = observeTime(trusted, 500 * DAY)
    expect(jumped).toEqual({ trusted_at: 100 * DAY, jumped_at: 500 * DAY, seen_at: 500 * DAY })
    const later = observeTime(jumped, 500 * DAY + 23 * HOUR)
    expect(isTrusted(later)).toBe(false)
    expect(isTrusted(observeTime(later, 501 * DAY))).toBe(true)
    expect(isTrusted(observeTime(later, 100 * DAY + HOUR))).toBe(true)
  })

  test('a second jump begins the day anew', () => {
    const again = observeTime(observeTime(trusted, 500 * DAY), 900 * DAY)
    expect(again.jumped_at).toBe(900 * DAY)
    expect(isTrusted(observeTime(again, 900 * DAY + 23 * HOUR))).toBe(false)
  })
})

describeOnEachDatabase('what deletes for good', (context) => {
  const suite = useTestApp(context, { environment: { METRICS_TOKEN: 'a-token-of-sixteen-characters' } })
  let owner: Awaited<ReturnType<typeof suite.app.signUp>>
  let count = 0
  beforeAll(() => suite.app.leaves('charges', 'its scans are rows that nobody made'))

  const addScans = async (n: number): Promise<void> => {
    const at = suite.app.clock.now().getTime()
    for (let i = 0; i < n; i++) {
      await createScanStore(context.database.db).add(
        {
          id: `scn_${String(at).padStart(14, '0')}${String(count++).padStart(8, '0')}`,
          account_id: owner.userId,
          kind: 'standard',
          status: 'completed',
          file_name: 'A.sol',
          size_bytes: 1,
          score: 100,
          rating: 'A',
          total: 0,
          critical: 0,
          high: 0,
          medium: 0,
          low: 0,
          completeness: 'full',
          created_at: at,
          info: 0,
          advisories: 0,
          suppressed: 0,
          sha256: '',
          engine_version: '',
          file_count: 1,
          is_project: 0,
          via: 'key',
        },
        { source: Buffer.from('a'), result: Buffer.from('b') },
      )
    }
  }
  const stored = async (): Promise<number> =>
    (await context.database.db.selectFrom('scans').select('id').where('account_id', '=', owner.userId).execute()).length
  const sweep = () => sweepScans(suite.app.deps)
  const waiting = async () => (await createSweepStateStore(context.database.db).listWaiting()).map(({ name }) => name)

  beforeEach(async () => {
    await context.database.db.deleteFrom('sweep_states').execute()
    await context.database.db.deleteFrom('scans').execute()
    owner = await suite.app.signUp()
  })

  test('a clock 400 days ahead for a while deletes nothing, and says so', async () => {
    await addScans(3)
    await sweep()
    await sweepAccounts(suite.app.deps)
    suite.app.clock.travel('P400D')
    expect(await sweep()).toBe(0)
    await sweepAccounts(suite.app.deps)
    expect(await waiting()).toEqual(['accounts', 'scans'])
    expect(suite.app.logLines.join('')).toContain('nothing is deleted: the clock jumped')
    expect((await suite.app.get('/metrics', { authorization: 'Bearer a-token-of-sixteen-characters' })).body).toMatch(
      /assay_sweeps_waiting 2/,
    )
    suite.app.clock.travel('-P400D')
    await sweep()
    await sweepAccounts(suite.app.deps)
    expect(await waiting()).toEqual([])
    expect(await stored()).toBe(3)
    expect((await suite.app.get('/api/me', owner.session)).statusCode).toBe(200)
  })

  test('a service that starts with a wrong clock believes its newest row', async () => {
    await addScans(3)
    suite.app.clock.travel('P400D')
    expect(await sweep()).toBe(0)
    expect(await stored()).toBe(3)
    suite.app.clock.travel('-P400D')
  })

  test('an expired scan is hidden at once and deleted a day later', async () => {
    await addScans(1)
    const { keyValue: key } = await suite.app.makeKey(owner)
    for (let day = 0; day < 7; day++) {
      suite.app.clock.travel('P1D')
      await sweep()
    }
    const listed = await suite.app.get('/api/v1/scans', { 'x-api-key': key })
    expect([listed.statusCode, listed.json().data.scans]).toEqual([200, []])
    expect(await stored()).toBe(1)
    suite.app.clock.travel('P1D')
    await sweep()
    expect(await stored()).toBe(0)
  })

  test('far more than ever before waits for the operator, who lets it go ahead once', async () => {
    await addScans(1001)
    for (let day = 0; day < 8; day++) {
      suite.app.clock.travel('P1D')
      await sweep()
    }
    expect(await stored()).toBe(1001)
    expect(await waiting()).toContain('scans')
    const admin = suite.app.deps
    const release = findCommand('release-sweep')
    await expect(release?.run(admin, ['nothing'])).rejects.toThrow('No sweep called nothing waits.')
    expect(await release?.run(admin, ['scans'])).toEqual([expect.stringContaining('goes ahead')])
    await sweep()
    expect(await stored()).toBe(0)
    expect(await waiting()).not.toContain('scans')
  })

  test("a clock that differs from the database's deletes nothing", async () => {
    await addScans(1)
    await sweep()
    suite.app.clock.travel('P1D')
    const deps = { ...suite.app.deps, readDatabaseClock: async () => suite.app.clock.now().getTime() - 600_000 }
    expect(await sweepScans(deps)).toBe(0)
    expect(suite.app.logLines.join('')).toContain("the clock differs from the database's")
    suite.app.clock.travel('-P1D')
  })
})
