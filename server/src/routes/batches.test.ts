import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { PoolFull } from '../analysis/pool.ts'
import { NotYet } from '../queue/job.ts'
import { sendBatchNotice } from '../services/batch-notice.ts'
import { type QueuedScanDeps, runQueuedScan } from '../services/run-queued-scan.ts'
import type { ScanEvent } from '../services/scan-events.ts'
import { reviveScans } from '../services/tend-scan-queue.ts'
import { count } from '../services/throttle.ts'
import { createAccountLimitsStore } from '../stores/account-limits.ts'
import { makeTar, makeZip } from '../testing/archives.ts'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { type Form, form, sourceForm } from '../testing/form.ts'
import { answerToSilence, gate, unstopped, useQueuedWork } from '../testing/queued-work.ts'
import { floatingSource, type TestCaller } from '../testing/scan-service.ts'

const url = '/api/v1/scans/batch'
const contract = (name: string): string => `pragma solidity 0.8.26;\ncontract ${name} { uint public x; }\n`
const json = (body: unknown): Form =>
  ({ payload: Buffer.from(JSON.stringify(body)), headers: { 'content-type': 'application/json' } }) as Form

describeOnEachDatabase('batches', (context) => {
  const work = useQueuedWork(context)
  const { own, scansToday, uploads } = work
  const queue = (caller: TestCaller, body: Form, headers: Record<string, string> = {}) =>
    work.service.scan({ ...caller.key, ...headers }, body, url)
  const read = async ({ key }: TestCaller, id: string, query = '') =>
    (await work.service.get(`${url}/${id}${query}`, key)).json().data
  const cancel = ({ key }: TestCaller, id: string) =>
    work.service.inject({ method: 'DELETE', url: `${url}/${id}`, headers: key })
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
    const caller = await work.service.newCaller('basic')
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
    await work.service.runJobs()
    const done = await read(caller, batchId)
    expect(done).toMatchObject({ status: 'completed', counts: { queued: 0, completed: 2 }, nextCursor: null })
    expect(done.scans).toMatchObject([
      { status: 'completed', score: 100, rating: 'Excellent', vulnerabilitiesCount: 0 },
      { status: 'completed', score: 100 },
    ])
    const [first] = done.scans
    const scan = (await work.service.get(`/api/v1/scans/${first.scanId}`, caller.key)).json().data
    expect(scan).toMatchObject({ status: 'completed', fileName: 'A.sol' })
    expect(await scansToday(caller)).toBe(2)
  })

  test('200: the scans of a batch come page by page in the order of the upload', async () => {
    const caller = await work.service.newCaller('basic')
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
    const caller = await work.service.newCaller('basic')
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
    [
      400,
      'The request body has "scans" twice in one object.',
      () => ({ ...json({}), payload: Buffer.from('{"scans":[],"scans":[]}') }),
    ],
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
    const caller = await work.service.newCaller('basic')
    const answer = await queue(caller, body())
    expect([answer.statusCode, answer.json()]).toEqual([status, { error }])
    expect(await scansToday(caller)).toBe(0)
  })

  test('401, 403: without a key, with a wrong one, and on the free plan', async () => {
    expect((await work.service.scan({}, sourcesOf(named(1)), url)).statusCode).toBe(401)
    expect((await work.service.scan({ 'x-api-key': 'assay_live_x' }, sourcesOf(named(1)), url)).statusCode).toBe(403)
    const free = await queue(await work.service.newCaller(), sourcesOf(named(1)))
    expect([free.statusCode, free.json()]).toEqual([
      403,
      { error: 'Batches are available on the basic and pro plans only.' },
    ])
  })

  test('408: a batch that does not arrive within a minute is not begun', async () => {
    const caller = await work.service.newCaller('basic')
    const answer = await answerToSilence(work.service, caller, url)
    expect([answer.statusCode, answer.json()]).toEqual([408, { error: 'The request took too long to arrive.' }])
  })

  test('409: the same Idempotency-Key while the first request is at work', async () => {
    const caller = await work.service.newCaller('basic')
    const headers = { 'idempotency-key': 'in-flight' }
    const { arrived, open, pass } = gate()
    own({
      async split(task, options) {
        await pass()
        return work.real.split(task, options)
      },
    })
    const first = queue(caller, sourcesOf(named(2)), headers)
    await arrived
    const second = await queue(caller, sourcesOf(named(2)), headers)
    expect([second.statusCode, second.json()]).toEqual([
      409,
      { error: 'A request with this Idempotency-Key is still in progress.' },
    ])
    open()
    expect((await first).statusCode).toBe(202)
    expect(await scansToday(caller)).toBe(2)
  })

  test('429: an account whose scans keep running into their limits pauses before it may queue more', async () => {
    const caller = await work.service.newCaller('basic')
    for (let n = 0; n < 5; n++) await count(work.service.deps, 'overruns', caller.account.userId)
    const answer = await queue(caller, sourcesOf(named(1)))
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([429, '3600'])
    expect(await scansToday(caller)).toBe(0)
  })

  test('500: a batch over which the service breaks says only a reference, and nothing is queued', async () => {
    const caller = await work.service.newCaller('basic')
    own({ split: () => Promise.reject(new Error('a disk is gone')) })
    const answer = await queue(caller, sourcesOf(named(2)))
    expect([answer.statusCode, answer.json().error]).toEqual([500, expect.stringMatching(/^Scan failed\. Reference /)])
    expect([await scansToday(caller), await uploads()]).toEqual([0, []])
  })

  test('503: too many waiting for a batch to be taken apart, with Retry-After', async () => {
    const caller = await work.service.newCaller('basic')
    own({ split: () => Promise.reject(new PoolFull(7)) })
    const answer = await queue(caller, sourcesOf(named(2)))
    expect([answer.statusCode, answer.json(), answer.headers['retry-after']]).toEqual([
      503,
      { error: 'Too many scans are waiting. Try again shortly.' },
      '7',
    ])
    expect(await scansToday(caller)).toBe(0)
  })

  test.each([
    [
      'a form',
      () =>
        form(
          { name: 'project', value: 'vaults' },
          { name: 'file', fileName: 'A.sol', bytes: contract('A') },
          { name: 'file', fileName: 'more.zip', bytes: makeZip({ 'B.sol': contract('B') }) },
          { name: 'commit', value: 'abc' },
        ),
      [
        ['A.sol', 'vaults', 'abc'],
        ['B.sol', 'vaults', 'abc'],
      ],
    ],
    [
      'sources in JSON',
      () => json({ project: 'vaults', commit: 'abc', sources: { 'A.sol': { content: contract('A') } } }),
      [['A.sol', 'vaults', 'abc']],
    ],
    [
      'scans in JSON, of which one says otherwise',
      () =>
        json({
          project: 'vaults',
          commit: 'abc',
          scans: [
            { fileName: 'A.sol', source: contract('A') },
            { fileName: 'B.sol', source: contract('B'), project: 'own' },
          ],
        }),
      [
        ['A.sol', 'vaults', 'abc'],
        ['B.sol', 'own', 'abc'],
      ],
    ],
  ] as const)('202: the labels of %s are those of its scans', async (_name, body, labelled) => {
    const caller = await work.service.newCaller('basic')
    const { batchId } = (await queue(caller, body())).json()
    await work.service.runJobs()
    const found: unknown[] = []
    const { projects } = (await work.service.get('/api/v1/projects', caller.key)).json().data
    for (const { scanId, fileName } of (await read(caller, batchId)).scans)
      for (const { name, trend } of projects)
        for (const one of trend) if (one.scanId === scanId) found.push([fileName, name, one.commit])
    expect(found).toEqual(labelled)
  })

  test('400: a label that is too long is reported as what it is; other labels are another batch', async () => {
    const caller = await work.service.newCaller('basic')
    const labelled = (project: string) =>
      form({ name: 'project', value: project }, { name: 'file', fileName: 'A.sol', bytes: contract('A') })
    const answer = await queue(caller, labelled('x'.repeat(201)))
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      { error: 'project must be a text of at most 200 characters.' },
    ])
    const headers = { 'idempotency-key': 'labels' }
    expect((await queue(caller, labelled('one'), headers)).statusCode).toBe(202)
    expect((await queue(caller, labelled('two'), headers)).statusCode).toBe(422)
  })

  test('404: of anything that is not the caller’s own', async () => {
    const [owner, outsider] = [await work.service.newCaller('basic'), await work.service.newCaller('basic')]
    const { batchId } = (await queue(owner, sourcesOf(named(1)))).json()
    for (const id of [batchId, 'bat_0', 'nonsense']) {
      const answer = await work.service.get(`${url}/${id}`, outsider.key)
      expect([answer.statusCode, answer.json()]).toEqual([404, { error: 'Batch not found.' }])
      expect((await cancel(outsider, id)).statusCode).toBe(404)
    }
    expect((await work.service.get(`${url}/${batchId}?cursor=x`, owner.key)).statusCode).toBe(400)
  })

  test('429: a batch that the day has no room for is not begun', async () => {
    const caller = await work.service.newCaller('basic')
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
    const caller = await work.service.newCaller('basic')
    const leave = [1, 2].map(() => work.service.deps.batchSlots.enter(caller.account.userId))
    const refused = await queue(caller, sourcesOf(named(1)))
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '2'])
    for (const go of leave) go()
    expect((await queue(caller, sourcesOf(named(1)))).statusCode).toBe(202)
  })

  test('one mail tells what a batch found, when it is done, and none where they are turned off', async () => {
    const [caller, silent] = [await work.service.newCaller('basic'), await work.service.newCaller('basic')]
    const off = { userId: silent.account.userId, scanFindings: false }
    await work.service.inject({
      method: 'PATCH',
      url: '/api/v1/mail-preferences',
      payload: off,
      headers: silent.account.session,
    })
    const sources = sourcesOf({ 'A.sol': floatingSource, 'B.sol': floatingSource, 'C.sol': contract('C') })
    const { batchId } = (await queue(caller, sources)).json()
    await queue(silent, sources)
    const notice = { accountId: caller.account.userId, batchId }
    await expect(sendBatchNotice(work.service.deps, notice)).rejects.toThrow(NotYet)
    await work.service.runJobs()
    // Whatever has it run again tells nobody twice.
    work.service.clock.travel('PT1M')
    await work.service.runJobs()
    await sendBatchNotice(work.service.deps, notice)
    await work.service.runJobs()
    const mailsTo = ({ account }: TestCaller) =>
      work.service.mails.filter(({ to, subject }) => to === account.email && subject.includes('findings'))
    expect(mailsTo(caller).map(({ subject }) => subject)).toEqual(['A batch found 0 critical and 2 high findings'])
    expect(mailsTo(caller)[0]?.text).toContain(`${batchId} is done: 2 of 3 scans found`)
    expect(mailsTo(silent)).toEqual([])
  })

  test('a second batch within the hour is reported at its end, and one from the browser not at all', async () => {
    const caller = await work.service.newCaller('basic')
    const { session } = caller.account
    const later = async (duration: string): Promise<number> => {
      // What was queued is done; then the job that waited for it looks again; then the mail leaves.
      await work.service.runJobs()
      work.service.clock.travel(duration)
      await work.service.runJobs()
      await work.service.runJobs()
      const isAboutIt = ({ to, subject }: { to: string; subject: string }) =>
        to === caller.account.email && subject.includes('A batch found')
      return work.service.mails.filter(isAboutIt).length
    }
    const send = (headers: Record<string, string>, name: string) =>
      work.service.post('/api/v1/scans/batch', { sources: { [name]: { content: floatingSource } } }, headers)
    expect((await send(session, 'Seen.sol')).statusCode).toBe(202)
    expect(await later('PT1M')).toBe(0)
    await send(caller.key, 'First.sol')
    expect(await later('PT1M')).toBe(1)
    await send(caller.key, 'Second.sol')
    expect(await later('PT1M')).toBe(1)
    expect(await later('PT50M')).toBe(1)
    expect(await later('PT10M')).toBe(2)
    expect(await later('PT2H')).toBe(2)
  })

  test('sixty contracts over three workers, one of them killed in the middle: each result once', async () => {
    const caller = await work.service.newCaller('basic')
    const { batchId } = (await queue(caller, sourcesOf(named(60)))).json()
    const announced: ScanEvent[] = []
    const announceScan = async (_tx: unknown, event: ScanEvent): Promise<void> => void announced.push(event)
    const worker = (instanceId: string, analysis = work.real): QueuedScanDeps => ({
      ...work.service.deps,
      instanceId,
      analysis,
      announceScan,
      scansAtHand: new Set(),
    })
    const takes = async (deps: QueuedScanDeps, count: number): Promise<void> => {
      for (let n = 0; n < count; n++) await runQueuedScan(deps, unstopped)
    }
    // It dies over its eleventh scan, and what it would have stored comes when everybody has given it up.
    let comeBack = (): void => {}
    const isBack = new Promise<void>((resolve) => {
      comeBack = resolve
    })
    let begun = 0
    const dying = worker('job_dying', {
      ...work.real,
      async scan(task, options) {
        begun += 1
        if (begun === 11) await isBack
        return work.real.scan(task, options)
      },
    })
    const killed = takes(dying, 11)
    await Promise.all([takes(worker('job_first'), 25), takes(worker('job_second'), 24)])
    const before = await read(caller, batchId)
    expect(before.counts).toEqual({ queued: 0, running: 1, completed: 59, failed: 0, cancelled: 0 })
    expect(await reviveScans(work.service.deps)).toBe(1)
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
    expect(await uploads()).toEqual([])
  })
})
