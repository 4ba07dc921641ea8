import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db } from '../stores/database.ts'
import { describeOnEachDatabase } from './describe-on-each-database.ts'
import { form } from './form.ts'
import { floatingSource, type ScanService, startScanService } from './scan-service.ts'
import { startTestApp } from './start-test-app.ts'

interface Planted {
  readonly make: (db: Db) => Promise<unknown>
  readonly undo: (db: Db) => Promise<unknown>
  /** What the check must say, without ids. */
  readonly found: readonly string[]
}

const setCount = (n: number) => (db: Db) => db.updateTable('scan_counts').set({ n }).execute()
const setRequest = (status: 'completed' | 'failed' | 'running') => (db: Db) =>
  db.updateTable('scan_requests').set({ status }).execute()
const setFinding = (state: 'open' | 'fixed') => (db: Db) => db.updateTable('findings').set({ state }).execute()
const setRef = (state: 'open' | 'fixed') => async (db: Db) => {
  await setFinding(state)(db)
  await db.updateTable('finding_refs').set({ state }).execute()
}
const setWebhook = (status: 'active' | 'disabled') => (db: Db) => db.updateTable('webhooks').set({ status }).execute()
const place = { id: 'a', instance_id: 'gone', account_id: 'b', day: 0, key_id: null }

const violations: Readonly<Record<string, Planted>> = {
  'a result is charged twice': {
    make: setCount(2),
    undo: setCount(1),
    found: ['1 charges more than results, of which 0 were swept'],
  },
  'a result is not charged': { make: setCount(0), undo: setCount(1), found: ['1 results of …, 0 charged'] },
  'an accepted scan never ends': {
    make: setRequest('running'),
    undo: setRequest('completed'),
    found: ['1 accepted scans never ended', '… is running and its result says otherwise'],
  },
  'a scan with a result failed, for no reason': {
    make: setRequest('failed'),
    undo: setRequest('completed'),
    found: ['… is failed and its result says otherwise', '… is failed for no reason'],
  },
  'a place of the day is held': {
    make: (db) => db.insertInto('scan_reservations').values(place).execute(),
    undo: (db) => db.deleteFrom('scan_reservations').execute(),
    found: ['1 places of the day are held by nobody'],
  },
  'a finding is fixed, and its ref has it open': {
    make: setFinding('fixed'),
    undo: setFinding('open'),
    found: ['… is fixed on no ref and by nobody'],
  },
  'a finding is fixed on a ref that no other scan looked at': {
    make: setRef('fixed'),
    undo: setRef('open'),
    found: ['… is fixed on main by no scan'],
  },
  'a webhook is disabled for no reason': {
    make: setWebhook('disabled'),
    undo: setWebhook('active'),
    found: ['… is disabled for no reason'],
  },
}

describeOnEachDatabase('the end of every test app', (context) => {
  let service: ScanService
  beforeAll(async () => {
    service = await startScanService(context.database)
    const { key } = await service.newCaller('pro')
    const labels = [
      { name: 'project', value: 'vault' },
      { name: 'ref', value: 'main' },
    ]
    const body = form({ name: 'file', fileName: 'Vault.sol', bytes: floatingSource }, ...labels)
    expect((await service.scan(key, body, '/api/v1/scan?async=true')).statusCode).toBe(202)
    await service.runJobs()
    await service.post('/api/v1/webhooks', { url: 'https://example.com' }, key)
  })
  afterAll(() => service.close())

  test.each(Object.entries(violations))('fails when %s', async (_, { make, undo, found }) => {
    const { db } = service.deps
    await expect(service.findBroken()).resolves.toEqual([])
    await make(db)
    const words = (await service.findBroken()).map((text) => text.replace(/\b[a-z]+_\w{20,}/g, '…'))
    expect(words).toEqual(found)
    await undo(db)
    await expect(service.findBroken()).resolves.toEqual([])
  })

  test('fails when something is held while the app has nothing to do', async () => {
    let held = 1
    service.deps.gauges.add('made_up', () => held)
    await expect(service.findBroken()).resolves.toEqual(['1 made_up are held'])
    held = 0
  })

  test('fails at the end of the app, unless the test says what it leaves', async () => {
    const leaving = await startTestApp({ database: context.database })
    leaving.leaves('places', 'held by hand')
    const app = await startTestApp({ database: context.database })
    await context.database.db.insertInto('scan_reservations').values(place).execute()
    await leaving.close()
    await expect(app.close(0)).rejects.toThrow('1 places of the day are held by nobody')
    await context.database.db.deleteFrom('scan_reservations').execute()
  })
})
