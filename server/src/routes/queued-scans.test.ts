import { expect, test } from 'vitest'
import type { Analysis } from '../analysis/analysis.ts'
import { PoolFull, TaskAbandoned, TaskOverrun } from '../analysis/pool.ts'
import { getLimits } from '../services/limits.ts'
import { queuedScanJob } from '../services/queue-scans.ts'
import { runQueuedScan, runQueuedScans } from '../services/run-queued-scan.ts'
import { runScan } from '../services/run-scan.ts'
import { reviveScans, tendScanQueue } from '../services/tend-scan-queue.ts'
import { count } from '../services/throttle.ts'
import { createAccountStore } from '../stores/accounts.ts'
import { makeZip } from '../testing/archives.ts'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { form, sourceForm } from '../testing/form.ts'
import { answerToSilence, gate, unstopped, useQueuedWork } from '../testing/queued-work.ts'
import { floatingSource, type TestCaller } from '../testing/scan-service.ts'

describeOnEachDatabase('queued scans', (context) => {
  const work = useQueuedWork(context)
  const { own, scansToday, takeAs, uploads } = work
  const ownScan = (scan: Analysis['scan']): void => own({ scan })

  /** A scan that is given back is begun again after a moment. */
  const runTurns = async (turns: number): Promise<void> => {
    for (let n = 0; n < turns; n++) {
      await work.service.runJobs()
      work.service.clock.travel('PT3S')
    }
  }

  const url = '/api/v1/scan?async=true'
  const queue = async ({ key }: TestCaller, name = 'Vault.sol', source = floatingSource): Promise<string> => {
    work.service.clock.travel('PT1S')
    const answer = await work.service.scan(key, sourceForm(source, name), url)
    expect(answer.statusCode, answer.body).toBe(202)
    return answer.json().scanId
  }
  const read = async ({ key }: TestCaller, id: string) =>
    (await work.service.get(`/api/v1/scans/${id}`, key)).json().data
  const remove = ({ key }: TestCaller, id: string) =>
    work.service.inject({ method: 'DELETE', url: `/api/v1/scans/${id}`, headers: key })
  const results = (id: string) => context.database.db.selectFrom('scans').select('id').where('id', '=', id).execute()

  test('202: answers at once where the scan can be found, and its result is the one of a scan that is waited for', async () => {
    const caller = await work.service.newCaller()
    const form = sourceForm(floatingSource, 'Token.sol')
    const answer = await work.service.scan({ ...caller.key, prefer: 'return=minimal, respond-async; wait=5' }, form)
    expect(answer.statusCode).toBe(202)
    const { scanId } = answer.json()
    expect(answer.json()).toEqual({
      success: true,
      message: 'The scan is queued.',
      scanId,
      status: 'queued',
      createdAt: '2026-03-10T12:00:00.000Z',
    })
    expect(answer.headers).toMatchObject({
      location: `/api/v1/scans/${scanId}`,
      'preference-applied': 'respond-async',
    })
    expect(answer.headers.ratelimit).toContain('"daily-scans";r=4;')
    expect(await read(caller, scanId)).toEqual({
      scanId,
      kind: 'standard',
      status: 'queued',
      batchId: null,
      fileName: 'Token.sol',
      sizeBytes: Buffer.byteLength(floatingSource),
      position: 1,
      progress: null,
      reason: null,
      createdAt: '2026-03-10T12:00:00.000Z',
      startedAt: null,
      finishedAt: null,
      expiresAt: '2026-03-17T12:00:00.000Z',
      project: null,
      ref: null,
      commit: null,
    })
    expect(await uploads()).toEqual([{ scan_id: scanId }])
    await work.service.runJobs()
    const done = await read(caller, scanId)
    const waited = (await work.service.scan(caller.key, sourceForm(floatingSource, 'Token.sol'))).json()
    expect(done).toMatchObject({ status: 'completed', fileName: 'Token.sol', createdAt: '2026-03-10T12:00:00.000Z' })
    // Without a project each has records of its own.
    const unrecorded = (findings: { record: unknown }[]) => findings.map(({ record: _, ...finding }) => finding)
    expect(unrecorded(done.dataVulnerabilities)).toEqual(unrecorded(waited.dataVulnerabilities))
    expect(done.securityScore).toEqual(waited.securityScore)
    // Its source is that of the result now, and no longer waits anywhere.
    expect(await uploads()).toEqual([])
    expect((await work.service.get(`/api/v1/scans/${scanId}/source`, caller.key)).body).toBe(floatingSource)
    expect(await scansToday(caller)).toBe(2)
  })

  test('202: a project with labels and options, and its report in any format afterwards', async () => {
    const caller = await work.service.newCaller('pro')
    const project = form(
      {
        name: 'file',
        fileName: 'src/A.sol',
        bytes: 'pragma solidity ^0.8.20;\nimport "./B.sol";\ncontract A is B {}\n',
      },
      { name: 'file', fileName: 'src/B.sol', bytes: 'pragma solidity ^0.8.20;\ncontract B {}\n' },
      { name: 'project', value: 'app' },
      { name: 'commit', value: 'abc' },
    )
    const { scanId } = (await work.service.scan(caller.key, project, `${url}&format=sarif`)).json()
    await work.service.runJobs()
    const done = await read(caller, scanId)
    expect(done.files.map(({ path }: { path: string }) => path)).toEqual(['src/A.sol', 'src/B.sol'])
    const projects = (await work.service.get('/api/v1/projects', caller.key)).json().data.projects
    expect(projects).toMatchObject([{ name: 'app', trend: [{ scanId, commit: 'abc', ref: null }] }])
    const sarif = await work.service.get(`/api/v1/scans/${scanId}/report?format=sarif`, caller.key)
    expect(sarif.json().version).toBe('2.1.0')
  })

  test('202: a repeated request with the same key is one scan, charged once', async () => {
    const caller = await work.service.newCaller()
    const headers = { ...caller.key, 'idempotency-key': 'once' }
    const first = await work.service.scan(headers, sourceForm(floatingSource), url)
    const second = await work.service.scan(headers, sourceForm(floatingSource), url)
    expect([first.statusCode, second.statusCode]).toEqual([202, 202])
    expect(second.json()).toEqual(first.json())
    expect(second.headers).toMatchObject({ 'idempotent-replayed': 'true', location: first.headers.location })
    expect(await scansToday(caller)).toBe(1)
    const other = await work.service.scan(headers, sourceForm('contract Other {}'), url)
    expect([other.statusCode, other.json().error]).toEqual([
      422,
      'This Idempotency-Key was already used with a different request.',
    ])
    await work.service.runJobs()
  })

  test.each([
    [400, 'No file uploaded.', form()],
    [400, 'Only .sol files can be scanned.', sourceForm('x', 'x.txt')],
    [413, 'File size exceeds maximum limit of 102400 bytes. Upload a smaller file.', sourceForm('x'.repeat(102_401))],
  ])('%i: what can be known of an upload is reported at once: %s', async (status, error, body) => {
    const caller = await work.service.newCaller()
    const answer = await work.service.scan(caller.key, body, url)
    expect([answer.statusCode, answer.json()]).toEqual([status, { error }])
    expect(await scansToday(caller)).toBe(0)
  })

  test('401, 403: without a key, and with a wrong one', async () => {
    expect((await work.service.scan({}, sourceForm(floatingSource), url)).statusCode).toBe(401)
    expect((await work.service.scan({ 'x-api-key': 'assay_live_x' }, sourceForm(floatingSource), url)).statusCode).toBe(
      403,
    )
  })

  test('404: a baseline that is not there', async () => {
    const caller = await work.service.newCaller()
    const answer = await work.service.scan(caller.key, sourceForm(floatingSource), `${url}&baseline=scn_0`)
    expect([answer.statusCode, await scansToday(caller)]).toEqual([404, 0])
  })

  const zip = () => sourceForm(makeZip({ 'A.sol': floatingSource, 'B.sol': floatingSource }), 'app.zip')

  test('408: an upload that does not arrive within a minute takes no place', async () => {
    const caller = await work.service.newCaller()
    const answer = await answerToSilence(work.service, caller, url)
    expect([answer.statusCode, answer.json()]).toEqual([408, { error: 'The request took too long to arrive.' }])
    expect(await scansToday(caller)).toBe(0)
  })

  test('409: the same Idempotency-Key while the first request is at work', async () => {
    const caller = await work.service.newCaller()
    const headers = { ...caller.key, 'idempotency-key': 'in-flight' }
    const { arrived, open, pass } = gate()
    own({
      async unpack(task, options) {
        await pass()
        return work.real.unpack(task, options)
      },
    })
    const first = work.service.scan(headers, zip(), url)
    await arrived
    const second = await work.service.scan(headers, zip(), url)
    expect([second.statusCode, second.json()]).toEqual([
      409,
      { error: 'A request with this Idempotency-Key is still in progress.' },
    ])
    open()
    expect((await first).statusCode).toBe(202)
    expect(await scansToday(caller)).toBe(1)
  })

  test('429: an account whose scans keep running into their limits pauses before it may queue more', async () => {
    const caller = await work.service.newCaller()
    for (let n = 0; n < 5; n++) await count(work.service.deps, 'overruns', caller.account.userId)
    const answer = await work.service.scan(caller.key, sourceForm(floatingSource), url)
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([429, '3600'])
    expect(await scansToday(caller)).toBe(0)
  })

  test('500: an upload over which the service breaks says only a reference, and takes no place', async () => {
    const caller = await work.service.newCaller()
    own({ unpack: () => Promise.reject(new Error('a disk is gone')) })
    const answer = await work.service.scan(caller.key, zip(), url)
    expect([answer.statusCode, answer.json().error]).toEqual([500, expect.stringMatching(/^Scan failed\. Reference /)])
    expect(await scansToday(caller)).toBe(0)
  })

  test('503: too many waiting for an archive to be opened, with Retry-After', async () => {
    const caller = await work.service.newCaller()
    own({ unpack: () => Promise.reject(new PoolFull(7)) })
    const answer = await work.service.scan(caller.key, zip(), url)
    expect([answer.statusCode, answer.json(), answer.headers['retry-after']]).toEqual([
      503,
      { error: 'Too many scans are waiting. Try again shortly.' },
      '7',
    ])
    expect(await scansToday(caller)).toBe(0)
  })

  test('429: the day is full of scans that wait, and free again when they are cancelled', async () => {
    const caller = await work.service.newCaller()
    const ids: string[] = []
    for (let n = 0; n < 5; n++) ids.push(await queue(caller))
    expect((await work.service.scan(caller.key, sourceForm(floatingSource), url)).statusCode).toBe(429)
    expect((await work.service.scan(caller.key)).statusCode).toBe(429)
    for (const id of ids) expect((await remove(caller, id)).json().message).toBe('Scan cancelled.')
    expect(await scansToday(caller)).toBe(0)
    expect(await uploads()).toEqual([])
    await work.service.runJobs()
    for (const id of ids) expect(await read(caller, id)).toMatchObject({ status: 'cancelled', reason: null })
  })

  test('200: a scan that fails is kept with its reason, is not charged, and its owner is notified under its id', async () => {
    const caller = await work.service.newCaller('pro')
    const events: unknown[] = []
    const announce = work.service.deps.announceScan
    work.service.deps.announceScan = async (tx, event) => {
      events.push(event)
      await announce(tx, event)
    }
    const wrong = await queue(caller, 'Wrong.sol', 'this is no program at all')
    const slow = await queue(caller, 'Slow.sol')
    ownScan((task, options) =>
      task.fileName === 'Slow.sol'
        ? Promise.reject(new TaskOverrun('timeout', { limitMs: 120_000 }))
        : work.real.scan(task, options),
    )
    await work.service.runJobs()
    work.service.deps.announceScan = announce
    expect(await read(caller, wrong)).toMatchObject({
      status: 'failed',
      reason: expect.stringMatching(/^The file is not valid Solidity: line 1: /),
      finishedAt: expect.any(String),
    })
    expect(await read(caller, slow)).toMatchObject({
      status: 'failed',
      reason: 'The scan timed out after 120 s of CPU time.',
    })
    expect(events).toHaveLength(2)
    expect(events).toContainEqual(expect.objectContaining({ status: 'failed', scanId: wrong, fileName: 'Wrong.sol' }))
    expect(events).toContainEqual(expect.objectContaining({ status: 'failed', scanId: slow, fileName: 'Slow.sol' }))
    expect(await scansToday(caller)).toBe(0)
    expect(await uploads()).toEqual([])
    const listed = (await work.service.get('/api/v1/scans?status=failed&limit=1', caller.key)).json().data
    expect(listed.withoutResult).toMatchObject([{ scanId: slow, status: 'failed' }])
    const rest = await work.service.get(`/api/v1/scans?status=failed&cursor=${listed.nextCursor}`, caller.key)
    expect(rest.json().data).toMatchObject({
      scans: [{ scanId: wrong }],
      withoutResult: [{ scanId: wrong }],
      nextCursor: null,
    })
    expect((await work.service.get('/api/v1/scans?status=completed', caller.key)).json().data.scans).toEqual([])
    for (const part of ['source', 'report'])
      expect((await work.service.get(`/api/v1/scans/${wrong}/${part}`, caller.key)).statusCode).toBe(404)
    expect((await remove(caller, wrong)).json().message).toBe('Scan deleted.')
    expect((await work.service.get(`/api/v1/scans/${wrong}`, caller.key)).statusCode).toBe(404)
  })

  test('200: a scan that a slow machine stopped is tried again, and its owner hears of the result alone', async () => {
    const caller = await work.service.newCaller('pro')
    const id = await queue(caller)
    const tries: (number | undefined)[] = []
    ownScan((task, options) => {
      tries.push(options.tries)
      return tries.length < 3 ? Promise.reject(new TaskOverrun('starved')) : work.real.scan(task, options)
    })
    await runTurns(3)
    expect(tries).toEqual([0, 1, 2])
    expect(await read(caller, id)).toMatchObject({ status: 'completed' })
    expect(await scansToday(caller)).toBe(1)
  })

  test('200: a scan that was stopped too often is no longer tried, and not charged', async () => {
    const caller = await work.service.newCaller('pro')
    const id = await queue(caller)
    ownScan(() => Promise.reject(new TaskOverrun('starved')))
    await runTurns(11)
    expect(await read(caller, id)).toMatchObject({ status: 'failed', reason: 'Scan failed.' })
    expect(await scansToday(caller)).toBe(0)
  })

  test('503: a scan that a client waits for and a slow machine stopped', async () => {
    const caller = await work.service.newCaller('pro')
    ownScan(() => Promise.reject(new TaskOverrun('starved')))
    const answer = await work.service.scan(caller.key)
    expect([answer.statusCode, answer.headers['retry-after'], answer.json()]).toEqual([
      503,
      '5',
      { error: 'Too many scans are waiting. Try again shortly.' },
    ])
    expect(await scansToday(caller)).toBe(0)
  })

  test('200: a scan that failed while its client waited is kept under the id of its event', async () => {
    const caller = await work.service.newCaller('pro')
    const { accountId } = await work.service.deps.authenticateKey(caller.key['x-api-key'])
    const events: unknown[] = []
    const deps = {
      ...work.service.deps,
      analysis: { ...work.real, scan: () => Promise.reject(new Error('the engine broke')) },
      announceScan: async (_tx: unknown, event: unknown) => void events.push(event),
    }
    const file = { name: 'Vault.sol', bytes: Buffer.from(floatingSource), isTooLarge: false }
    const scan = runScan(deps, {
      accountId,
      limits: await getLimits(deps, accountId),
      via: 'key',
      signal: unstopped.signal,
      receive: async () => ({ files: [file], fields: [] }),
      suppressions: 'honour',
      format: 'json',
      scope: 'product',
    })
    await expect(scan).rejects.toThrow('the engine broke')
    const { withoutResult: scans } = (await work.service.get('/api/v1/scans?status=failed', caller.key)).json().data
    expect(scans).toMatchObject([{ kind: 'standard', status: 'failed', reason: 'Scan failed.', fileName: 'Vault.sol' }])
    expect(events).toMatchObject([{ status: 'failed', scanId: scans[0].scanId }])
    expect(await read(caller, scans[0].scanId)).toEqual(scans[0])
    expect(await scansToday(caller)).toBe(0)
  })

  test('200: DELETE of a running scan stops the work, wherever it is done', async () => {
    const caller = await work.service.newCaller()
    const id = await queue(caller)
    let begin = (): void => {}
    const begun = new Promise<void>((resolve) => {
      begin = resolve
    })
    ownScan((_task, { signal }) => {
      begin()
      return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(new TaskAbandoned())))
    })
    const done = work.service.runJobs()
    await begun
    expect(await read(caller, id)).toMatchObject({ status: 'running', startedAt: expect.any(String), position: null })
    expect((await remove(caller, id)).json().message).toBe('Scan cancelled.')
    await done
    expect(await read(caller, id)).toMatchObject({ status: 'cancelled' })
    expect([await scansToday(caller), await results(id)]).toEqual([0, []])
  })

  test('404: an outsider neither sees nor cancels it', async () => {
    const owner = await work.service.newCaller()
    const outsider = await work.service.newCaller()
    const id = await queue(owner)
    expect((await work.service.get(`/api/v1/scans/${id}`, outsider.key)).statusCode).toBe(404)
    expect((await remove(outsider, id)).statusCode).toBe(404)
    expect(await read(owner, id)).toMatchObject({ status: 'queued' })
    await remove(owner, id)
  })

  test('a scan that a killed process began is begun anew, and has one result', async () => {
    const caller = await work.service.newCaller()
    const id = await queue(caller)
    expect((await takeAs('job_killed'))?.id).toBe(id)
    // Its job ended with it as far as anyone knows; it never announced itself, so it is not alive.
    await work.service.deps.queue.runDue([])
    expect(await reviveScans(work.service.deps)).toBe(1)
    expect(await read(caller, id)).toMatchObject({ status: 'queued', startedAt: null })
    await work.service.runJobs()
    expect(await read(caller, id)).toMatchObject({ status: 'completed' })
    expect([await scansToday(caller), (await results(id)).length]).toEqual([1, 1])
  })

  test('a process that is late finds that its scan is no longer its own, and leaves no second result', async () => {
    const caller = await work.service.newCaller()
    const id = await queue(caller)
    const late = { ...work.service.deps, instanceId: 'job_late', scansAtHand: new Set<string>() }
    late.analysis = {
      ...work.real,
      // While it was busy everybody thought that it was dead.
      async scan(task, options) {
        expect(await reviveScans(work.service.deps)).toBe(1)
        await work.service.runJobs()
        return work.real.scan(task, options)
      },
    }
    await runQueuedScan(late, unstopped)
    expect(await read(caller, id)).toMatchObject({ status: 'completed' })
    expect([await scansToday(caller), (await results(id)).length]).toEqual([1, 1])
  })

  test('one that ten processes did not survive is not begun again', async () => {
    const caller = await work.service.newCaller()
    const id = await queue(caller)
    for (let n = 0; n < 10; n++) {
      expect((await takeAs('job_killed'))?.id).toBe(id)
      expect(await reviveScans(work.service.deps)).toBe(1)
    }
    await work.service.runJobs()
    expect(await read(caller, id)).toMatchObject({ status: 'failed', reason: 'Scan failed.' })
    expect(await scansToday(caller)).toBe(0)
  })

  test('one that is queued may take more CPU time than one that someone waits for', async () => {
    const caller = await work.service.newCaller()
    const received: unknown[] = []
    ownScan((task, options) => {
      received.push(options.isQueued)
      return work.real.scan(task, options)
    })
    await queue(caller)
    await work.service.runJobs()
    await work.service.scan(caller.key)
    expect(received).toEqual([true, undefined])
  })

  test('a process that stops gives back what it has not finished', async () => {
    const caller = await work.service.newCaller()
    const id = await queue(caller)
    const stopping = new AbortController()
    ownScan((_task, { signal }) => {
      const gone = new Promise<never>((_resolve, reject) =>
        signal?.addEventListener('abort', () => reject(new TaskAbandoned())),
      )
      stopping.abort()
      return gone
    })
    await expect(runQueuedScan(work.service.deps, { ...unstopped, stopping: stopping.signal })).rejects.toThrow(
      'not begin yet',
    )
    expect(await read(caller, id)).toMatchObject({ status: 'queued', startedAt: null })
    own(work.real)
    await work.service.runJobs()
    expect(await read(caller, id)).toMatchObject({ status: 'completed' })
    expect(await scansToday(caller)).toBe(1)
  })

  test('one turn works off all that wait, and leaves the rest to another when its process stops', async () => {
    const caller = await work.service.newCaller()
    const ids = [await queue(caller), await queue(caller), await queue(caller)]
    const states = async () => Promise.all(ids.map(async (id) => (await read(caller, id)).status))
    const stopped = { ...work.service.deps, lifecycle: { isStopping: true } }
    await expect(runQueuedScans(stopped, unstopped)).rejects.toThrow('not begin yet')
    expect(await states()).toEqual(['completed', 'queued', 'queued'])
    await runQueuedScans(work.service.deps, unstopped)
    expect(await states()).toEqual(['completed', 'completed', 'completed'])
  })

  test('better plans come first, accounts take turns, and one has two workers while another waits', async () => {
    const [many, few, pro] = [
      await work.service.newCaller('basic'),
      await work.service.newCaller('basic'),
      await work.service.newCaller('pro'),
    ]
    const first: string[] = []
    for (let n = 0; n < 4; n++) first.push(await queue(many))
    const second = [await queue(few), await queue(few)]
    const third = await queue(pro)
    const order: (string | undefined)[] = []
    for (let n = 0; n < 7; n++) order.push((await takeAs('job_fair'))?.id)
    expect(order[0]).toBe(third)
    expect(new Set(order.slice(1, 3))).toEqual(new Set([first[0], second[0]]))
    expect(new Set(order.slice(3, 5))).toEqual(new Set([first[1], second[1]]))
    expect(order.slice(5)).toEqual([first[2], first[3]])
    expect(await takeAs('job_fair')).toBeUndefined()
    expect(await reviveScans(work.service.deps)).toBe(7)
    await work.service.runJobs()
  })

  test('whatever was lost between two statements, each scan that waits is begun', async () => {
    const caller = await work.service.newCaller()
    const id = await queue(caller)
    await context.database.db.deleteFrom('scan_lanes').execute()
    expect(await takeAs('job_any')).toBeUndefined()
    await tendScanQueue(work.service.deps)
    await work.service.runJobs()
    expect(await read(caller, id)).toMatchObject({ status: 'completed' })
    expect(await work.service.deps.queue.countWaiting(queuedScanJob)).toBe(0)
  })

  test('what the plan no longer keeps is gone', async () => {
    const caller = await work.service.newCaller('pro')
    const id = await queue(caller, 'Wrong.sol', 'no program')
    await work.service.runJobs()
    await createAccountStore(context.database.db).setPlan(caller.account.userId, 'free', 0)
    await work.service.passDays(8)
    expect((await work.service.get(`/api/v1/scans/${id}`, caller.key)).statusCode).toBe(404)
    await work.service.passDays(1)
    const rows = await context.database.db.selectFrom('scan_requests').select('id').where('id', '=', id).execute()
    expect(rows).toEqual([])
  })
})
