import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Analysis } from '../analysis/analysis.ts'
import { type QueuedScanDeps, runQueuedScan } from '../services/run-queued-scan.ts'
import type { ScanEvent } from '../services/scan-events.ts'
import { reviveScans } from '../services/tend-scan-queue.ts'
import { createAccountLimitsStore } from '../stores/account-limits.ts'
import { makeTar, makeZip } from '../testing/archives.ts'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { type Form, form, sourceForm } from '../testing/form.ts'
import { type ScanService, startScanService, type TestCaller } from '../testing/scan-service.ts'

const never = { signal: new AbortController().signal, stopping: new AbortController().signal }
const url = '/api/v1/scans/batch'
const contract = (name: string): string => `pragma solidity 0.8.26;\ncontract ${name} { uint public x; }\n`
const json = (body: unknown): Form =>
  ({ payload: Buffer.from(JSON.stringify(body)), headers: { 'content-type': 'application/json' } }) as Form

describeOnEachDatabase('batches', (context) => {
  let service: ScanService
  let real: Analysis
  beforeAll(async () => {
    service = await startScanService(context.database)
    real = service.deps.analysis
  })
  afterEach(async () => {
    service.deps.analysis = real
    await service.runJobs()
    await context.database.db.deleteFrom('scan_requests').execute()
    await context.database.db.deleteFrom('scan_lanes').execute()
  })
  afterAll(() => service.close())

  const queue = (caller: TestCaller, body: Form, headers: Record<string, string> = {}) =>
    service.scan({ ...caller.key, ...headers }, body, url)
  const read = async ({ key }: TestCaller, id: string, query = '') =>
    (await service.get(`${url}/${id}${query}`, key)).json().data
  const cancel = ({ key }: TestCaller, id: string) =>
    service.inject({ method: 'DELETE', url: `${url}/${id}`, headers: key })
  const scansToday = async ({ account }: TestCaller): Promise<number> =>
    (await service.get(`/api/v1/user-plan?userId=${account.userId}`, account.session)).json().data.usage.scansToday
  const named = (count: number): Record<string, string> =>
    Object.fromEntries(
      Array.from({ length: count }, (_, n) => [`src/C${String(n).padStart(3, '0')}.sol`, contract(`C${n}`)]),
    )
  const sourcesOf = (files: Record<string, string>) =>
    json({ sources: Object.fromEntries(Object.entries(files).map(([path, content]) => [path, { content }])) })

  test.each([
    [
      'a zip',
      () =>
        sourceForm(makeZip({ 'app/A.sol': contract('A'), 'app/B.sol': contract('B'), 'app/readme.md': '' }), 'a.zip'),
    ],
    ['a tar.gz', () => sourceForm(gzipSync(makeTar({ 'A.sol': contract('A'), 'B.sol': contract('B') })), 'a.tar.gz')],
    [
      'parts',
      () =>
        form(
          { name: 'file', fileName: 'A.sol', bytes: contract('A') },
          { name: 'file', fileName: 'B.sol', bytes: contract('B') },
        ),
    ],
    ['sources in JSON', () => sourcesOf({ 'A.sol': contract('A'), 'B.sol': contract('B') })],
    [
      'scans in JSON',
      () =>
        json({
          scans: [
            { fileName: 'A.sol', source: contract('A') },
            { name: 'B.sol', sources: { 'B.sol': { content: contract('B') }, 'C.sol': { content: contract('C') } } },
          ],
        }),
    ],
  ])('202: each source of %s is a scan of its own', async (_name, body) => {
    const caller = await service.newCaller('basic')
    const answer = await queue(caller, body())
    expect(answer.statusCode, answer.body).toBe(202)
    const { batchId } = answer.json()
    expect(answer.json()).toMatchObject({ success: true, message: '2 scans are queued.', total: 2 })
    expect(answer.headers.location).toBe(`${url}/${batchId}`)
    expect(answer.headers.ratelimit).toContain('"daily-scans";r=98;')
    expect(await read(caller, batchId)).toMatchObject({
      batchId,
      status: 'running',
      total: 2,
      counts: { queued: 2, running: 0, completed: 0, failed: 0, cancelled: 0 },
      scans: [{ fileName: 'A.sol', status: 'queued', batchId, score: null }, { fileName: 'B.sol' }],
    })
    await service.runJobs()
    const done = await read(caller, batchId)
    expect(done).toMatchObject({ status: 'completed', counts: { queued: 0, completed: 2 }, nextCursor: null })
    expect(done.scans).toMatchObject([
      { status: 'completed', score: 100, rating: 'Excellent', vulnerabilitiesCount: 0 },
      { status: 'completed', score: 100 },
    ])
    const [first] = done.scans
    const scan = (await service.get(`/api/v1/scans/${first.scanId}`, caller.key)).json().data
    expect(scan).toMatchObject({ status: 'completed', fileName: 'A.sol' })
    expect(await scansToday(caller)).toBe(2)
  })

  test('200: the scans of a batch come page by page in the order of the upload', async () => {
    const caller = await service.newCaller('basic')
    const files = named(7)
    const { batchId } = (await queue(caller, sourcesOf(files))).json()
    const names: string[] = []
    for (let cursor = '', more = true; more; ) {
      const page = await read(caller, batchId, `?limit=3${cursor}`)
      names.push(...page.scans.map(({ fileName }: { fileName: string }) => fileName))
      more = page.nextCursor !== null
      cursor = `&cursor=${page.nextCursor}`
    }
    expect(names).toEqual(Object.keys(files))
    await cancel(caller, batchId)
  })

  test('202: a repeated request with the same key is one batch', async () => {
    const caller = await service.newCaller('basic')
    const headers = { 'idempotency-key': 'batch' }
    const first = await queue(caller, sourcesOf(named(2)), headers)
    const second = await queue(caller, sourcesOf(named(2)), headers)
    expect([second.statusCode, second.json(), second.headers['idempotent-replayed']]).toEqual([
      202,
      first.json(),
      'true',
    ])
    expect((await queue(caller, sourcesOf(named(3)), headers)).statusCode).toBe(422)
    expect(await scansToday(caller)).toBe(2)
  })

  test.each([
    [400, 'No file uploaded.', () => form()],
    [400, 'No file uploaded.', () => json({ scans: [] })],
    [400, 'The request body is not valid JSON.', () => ({ ...json({}), payload: Buffer.from('{') })],
    [400, 'scans must be an array, or sources an object.', () => json({ files: [] })],
    [400, 'B.sol: The file is empty.', () => sourcesOf({ 'A.sol': contract('A'), 'B.sol': '' })],
    [400, 'scans[1]: No file uploaded.', () => json({ scans: [{ source: contract('A') }, { repository: 'a/b' }] })],
    [400, 'notes.txt: Only .sol files can be scanned.', () => sourceForm('x', 'notes.txt')],
    [
      400,
      'The path ../A.sol is refused: it leads out of the project.',
      () => sourceForm(makeZip({ '../A.sol': 'x' }), 'a.zip'),
    ],
    [
      400,
      'The archive cannot be read: it is not a zip file, or its end is missing.',
      () => sourceForm('no zip'.repeat(10), 'a.zip'),
    ],
    [413, 'A batch can have at most 10000 scans.', () => json({ scans: Array.from({ length: 10_001 }, () => ({})) })],
    [
      400,
      'Big.sol: File size exceeds maximum limit of 1048576 bytes. Upload a smaller file.',
      () => sourceForm(contract('A').padEnd(1_048_577), 'Big.sol'),
    ],
    [
      413,
      'File size exceeds maximum limit of 10485760 bytes. Upload a smaller file.',
      () => sourceForm(contract('A').padEnd(10_485_761), 'Big.sol'),
    ],
  ])('%i: %s Nothing is queued', async (status, error, body) => {
    const caller = await service.newCaller('basic')
    const answer = await queue(caller, body())
    expect([answer.statusCode, answer.json()]).toEqual([status, { error }])
    expect(await scansToday(caller)).toBe(0)
  })

  test('401, 403: without a key, with a wrong one, and on the free plan', async () => {
    expect((await service.scan({}, sourcesOf(named(1)), url)).statusCode).toBe(401)
    expect((await service.scan({ 'x-api-key': 'assay_live_x' }, sourcesOf(named(1)), url)).statusCode).toBe(403)
    const free = await queue(await service.newCaller(), sourcesOf(named(1)))
    expect([free.statusCode, free.json()]).toEqual([
      403,
      { error: 'Batches are available on the basic and pro plans only.' },
    ])
  })

  test('404: of anything that is not the caller’s own', async () => {
    const [owner, stranger] = [await service.newCaller('basic'), await service.newCaller('basic')]
    const { batchId } = (await queue(owner, sourcesOf(named(1)))).json()
    for (const id of [batchId, 'bat_0', 'nonsense']) {
      const answer = await service.get(`${url}/${id}`, stranger.key)
      expect([answer.statusCode, answer.json()]).toEqual([404, { error: 'Batch not found.' }])
      expect((await cancel(stranger, id)).statusCode).toBe(404)
    }
    expect((await service.get(`${url}/${batchId}?cursor=x`, owner.key)).statusCode).toBe(400)
  })

  test('429: a batch that the day has no room for is not begun', async () => {
    const caller = await service.newCaller('basic')
    await createAccountLimitsStore(context.database.db).override(caller.account.userId, { scans_per_day: 3 })
    expect((await queue(caller, sourcesOf(named(4)))).statusCode).toBe(429)
    expect(await scansToday(caller)).toBe(0)
    const { batchId } = (await queue(caller, sourcesOf(named(3)))).json()
    expect((await queue(caller, sourcesOf(named(1)))).statusCode).toBe(429)
    const cancelled = await cancel(caller, batchId)
    expect(cancelled.json()).toEqual({ success: true, message: '3 scans were cancelled.', cancelled: 3 })
    expect(await scansToday(caller)).toBe(0)
    expect(await read(caller, batchId)).toMatchObject({ status: 'completed', counts: { cancelled: 3 } })
    expect((await cancel(caller, batchId)).json().cancelled).toBe(0)
    expect(await scansToday(caller)).toBe(0)
  })

  test('503: of one account two batches arrive at a time', async () => {
    const caller = await service.newCaller('basic')
    const leave = [1, 2].map(() => service.deps.batchSlots.enter(caller.account.userId))
    const refused = await queue(caller, sourcesOf(named(1)))
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '2'])
    for (const go of leave) go()
    expect((await queue(caller, sourcesOf(named(1)))).statusCode).toBe(202)
  })

  test('sixty contracts over three workers, one of them killed in the middle: each result once', async () => {
    const caller = await service.newCaller('basic')
    const { batchId } = (await queue(caller, sourcesOf(named(60)))).json()
    const announced: ScanEvent[] = []
    const announceScan = async (_tx: unknown, event: ScanEvent): Promise<void> => void announced.push(event)
    const worker = (instanceId: string, analysis = real): QueuedScanDeps => ({
      ...service.deps,
      instanceId,
      analysis,
      announceScan,
      scansAtHand: new Set(),
    })
    const takes = async (deps: QueuedScanDeps, count: number): Promise<void> => {
      for (let n = 0; n < count; n++) await runQueuedScan(deps, never)
    }
    // It dies over its eleventh scan, and what it would have stored comes when everybody has given it up.
    let comeBack = (): void => {}
    const isBack = new Promise<void>((resolve) => {
      comeBack = resolve
    })
    let begun = 0
    const dying = worker('job_dying', {
      ...real,
      async scan(task, options) {
        begun += 1
        if (begun === 11) await isBack
        return real.scan(task, options)
      },
    })
    const killed = takes(dying, 11)
    await Promise.all([takes(worker('job_first'), 25), takes(worker('job_second'), 24)])
    const before = await read(caller, batchId)
    expect(before.counts).toEqual({ queued: 0, running: 1, completed: 59, failed: 0, cancelled: 0 })
    expect(await reviveScans(service.deps)).toBe(1)
    await takes(worker('job_first'), 1)
    comeBack()
    await killed
    const after = await read(caller, batchId, '?limit=100')
    expect(after.counts).toEqual({ queued: 0, running: 0, completed: 60, failed: 0, cancelled: 0 })
    const ids = after.scans.map(({ scanId }: { scanId: string }) => scanId)
    const stored = await context.database.db.selectFrom('scans').select('id').where('id', 'in', ids).execute()
    expect(stored).toHaveLength(60)
    expect(announced.map(({ scanId }) => scanId).sort()).toEqual(ids)
    expect(await scansToday(caller)).toBe(60)
    expect(await context.database.db.selectFrom('scan_uploads').select('scan_id').execute()).toEqual([])
  })
})
