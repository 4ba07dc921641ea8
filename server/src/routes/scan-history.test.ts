import { createHash } from 'node:crypto'
import { createInflateRaw, type InflateRaw } from 'node:zlib'
import { engineVersion } from '@assay/engine'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { PoolFull } from '../analysis/pool.ts'
import { pack } from '../core/stored.ts'
import { createAccountStore } from '../stores/accounts.ts'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { sourceForm } from '../testing/form.ts'
import { floatingSource, type ScanService, startScanService, type TestCaller } from '../testing/scan-service.ts'

/** How much has come out of decompressors so far. */
const inflated = { bytes: 0 }
const decompressor = Object.getPrototypeOf(createInflateRaw()) as InflateRaw
const { push } = decompressor
beforeAll(() => {
  vi.spyOn(decompressor, 'push').mockImplementation(function (this: InflateRaw, piece, encoding) {
    inflated.bytes += piece?.length ?? 0
    return push.call(this, piece, encoding)
  })
})
const aWhile = async (): Promise<void> => {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
}

const notFound = [404, { error: 'Scan not found.' }]

describeOnEachDatabase('scan history', (context) => {
  let service: ScanService
  beforeAll(async () => {
    service = await startScanService(context.database)
  })
  beforeEach(() => service.clock.travelTo('2026-03-10T12:00:00.000Z'))
  afterAll(() => service.close())

  const scanAs = async ({ key }: TestCaller, fileName = 'Vault.sol', source = floatingSource): Promise<string> => {
    service.clock.travel('PT1S')
    const answer = await service.scan(key, sourceForm(source, fileName))
    expect(answer.statusCode).toBe(200)
    return answer.json().scanId
  }
  const list = async ({ key }: TestCaller, query = '') => (await service.get(`/api/v1/scans${query}`, key)).json().data
  const ids = (page: { scans: { scanId: string }[] }) => page.scans.map((scan) => scan.scanId)
  const everyAddress = (id: string) =>
    [
      ['GET', `/api/v1/scans/${id}`],
      ['GET', `/api/v1/scans/${id}/source`],
      ['GET', `/api/v1/scans/${id}/report?format=json`],
      ['GET', `/api/v1/scans/${id}/findings`],
      ['GET', `/api/v1/scans/${id}/fixes`],
      ['DELETE', `/api/v1/scans/${id}`],
    ] as const

  test('200: the list is newest first and pages by cursor without repeating or losing one', async () => {
    const caller = await service.newCaller('pro')
    const made: string[] = []
    for (let i = 0; i < 7; i++) made.push(await scanAs(caller, `File${i}.sol`))
    const first = await list(caller, '?limit=3')
    // One that comes in between changes nothing for the pages that follow.
    const late = await scanAs(caller)
    const second = await list(caller, `?limit=3&cursor=${first.nextCursor}`)
    const third = await list(caller, `?limit=3&cursor=${second.nextCursor}`)
    expect([...ids(first), ...ids(second), ...ids(third)]).toEqual([...made].reverse())
    expect(third.nextCursor).toBeNull()
    expect(ids(await list(caller))[0]).toBe(late)
  })

  test.each(['', '/report?format=json', '/report?format=html', '/source', '/findings'])(
    '304: what the client holds of a scan is not sent again: %s',
    async (address) => {
      const caller = await service.newCaller()
      const [one, two] = [await scanAs(caller), await scanAs(caller)]
      const get = (id: string, held?: string) =>
        service.get(`/api/v1/scans/${id}${address}`, { ...caller.key, ...(held && { 'if-none-match': held }) })
      const etag = String((await get(one)).headers.etag)
      expect(etag).toMatch(/^W\/"[\w-]{27}"$/)
      const again = await get(one, etag)
      expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', etag])
      if (address !== '/findings') expect((await get(two, etag)).statusCode).toBe(200)
    },
  )

  test('200: a decision about a finding changes the tag of its scan', async () => {
    const caller = await service.newCaller()
    const scanId = await scanAs(caller)
    const { etag } = (await service.get(`/api/v1/scans/${scanId}`, caller.key)).headers
    const [finding] = (await service.get('/api/v1/findings', caller.key)).json().data.findings
    const url = `/api/v1/findings/${finding.id}`
    await service.inject({ method: 'PATCH', url, payload: { state: 'accepted' }, headers: caller.key })
    const answer = await service.get(`/api/v1/scans/${scanId}`, { ...caller.key, 'if-none-match': String(etag) })
    expect([answer.statusCode, answer.json().data.setAside.total]).toEqual([200, 1])
  })

  test('200: the findings of any scan, an older one too, page by page', async () => {
    const caller = await service.newCaller('pro')
    const source = `pragma solidity ^0.8.20;
contract Open {
  function close() external { selfdestruct(payable(msg.sender)); }
  // assay-ignore-next-line SWC-106 known
  function end() external { selfdestruct(payable(msg.sender)); }
}
`
    const scanId = await scanAs(caller, 'Open.sol', source)
    await scanAs(caller, 'Open.sol', floatingSource)
    const { data } = (await service.get(`/api/v1/scans/${scanId}`, caller.key)).json()
    const whole = [
      ...data.dataVulnerabilities.map((one: object) => ({ group: 'vulnerability', ...one })),
      ...data.advisories.map((one: object) => ({ group: 'advisory', ...one })),
      ...data.suppressed.map((one: object) => ({ group: 'suppressed', ...one })),
    ]
    expect(whole.length).toBeGreaterThanOrEqual(3)
    const paged: object[] = []
    let cursor = ''
    do {
      const address = `/api/v1/scans/${scanId}/findings?limit=2&cursor=${cursor}`
      const page = (await service.get(address, caller.key)).json().data
      expect(page.total).toBe(whole.length)
      paged.push(...page.findings)
      cursor = page.nextCursor ?? ''
    } while (cursor !== '')
    expect(paged).toEqual(whole)
    const odd = await service.get(`/api/v1/scans/${scanId}/findings?cursor=elsewhere`, caller.key)
    expect([odd.statusCode, odd.json()]).toEqual([400, { error: 'cursor must be a nextCursor of this list.' }])
  })

  test.each([
    ['page', '/findings'],
    ['render', '/report?format=sarif'],
  ] as const)('503: too many wait for the workers that %s results, with Retry-After', async (work, address) => {
    const caller = await service.newCaller()
    const scanId = await scanAs(caller)
    const busy = vi.spyOn(service.analysis, work).mockRejectedValueOnce(new PoolFull(3))
    const answer = await service.get(`/api/v1/scans/${scanId}${address}`, caller.key)
    expect([answer.statusCode, answer.headers['retry-after'], answer.json()]).toEqual([
      503,
      '3',
      { error: 'Too many scans are waiting. Try again shortly.' },
    ])
    expect((await service.get(`/api/v1/scans/${scanId}${address}`, caller.key)).statusCode).toBe(200)
    busy.mockRestore()
  })

  test.each(['', '/report?format=json', '/source'])(
    '200: a stored text of a hundred megabytes is passed on piece by piece, not held: %s',
    async (address) => {
      const caller = await service.newCaller()
      const scanId = await scanAs(caller)
      const huge = pack(Buffer.from(`{"message":"${'x'.repeat(100 * 1024 * 1024)}"}`))
      await service.deps.db
        .updateTable('scan_bodies')
        .set({ source: huge, result: huge })
        .where('scan_id', '=', scanId)
        .execute()
      inflated.bytes = 0
      const answer = await service.app.inject({
        method: 'GET',
        url: `/api/v1/scans/${scanId}${address}`,
        headers: caller.key,
        payloadAsStream: true,
      })
      let received = 0
      let held = 0
      for await (const chunk of answer.stream()) {
        received += chunk.length
        // A client that takes its time: whatever could run ahead of it now does.
        await aWhile()
        held = Math.max(held, inflated.bytes - received + chunk.length)
      }
      expect(received).toBeGreaterThan(100 * 1024 * 1024)
      expect(inflated.bytes).toBeGreaterThan(100 * 1024 * 1024)
      // What the client of these tests keeps ready for its reader is part of it.
      expect(held).toBeLessThan(16 * 1024 * 1024)
    },
  )

  test('200: an entry tells what was found, of which file, when, and until when it is kept', async () => {
    const caller = await service.newCaller()
    const scanId = await scanAs(caller, 'Token.sol')
    const { scans } = await list(caller)
    expect(scans).toEqual([
      {
        scanId,
        kind: 'standard',
        status: 'completed',
        fileName: 'Token.sol',
        sizeBytes: Buffer.byteLength(floatingSource),
        vulnerabilitiesCount: expect.any(Number),
        securityScore: { score: expect.any(Number), rating: expect.any(String), summary: expect.any(Object) },
        completeness: 'full',
        counts: { critical: 0, high: 1, medium: 0, low: 0, info: 0, advisories: 0, suppressed: 0 },
        tally: {
          findings: 1,
          bySeverity: { critical: 0, high: 1, medium: 0, low: 0, info: 0 },
          outsideSwc: 0,
          needsReview: 0,
          suppressed: 0,
        },
        sha256: createHash('sha256').update(floatingSource).digest('hex'),
        engineVersion,
        fileCount: 1,
        via: 'key',
        createdAt: '2026-03-10T12:00:01.000Z',
        expiresAt: '2026-03-17T12:00:01.000Z',
        project: null,
        ref: null,
        commit: null,
        gate: null,
        batchId: null,
        progress: null,
        reason: null,
        startedAt: '2026-03-10T12:00:01.000Z',
        finishedAt: '2026-03-10T12:00:01.000Z',
      },
    ])
  })

  test('200: filters by file, kind, status, rating and time, and a link to the next page that keeps them', async () => {
    const caller = await service.newCaller('basic')
    const a = await scanAs(caller, 'A.sol')
    const b = await scanAs(caller, 'B.sol')
    const c = await scanAs(caller, 'A.sol')
    expect(ids(await list(caller, '?fileName=A.sol'))).toEqual([c, a])
    expect(ids(await list(caller, '?nameContains=b.S'))).toEqual([b])
    expect(ids(await list(caller, '?nameContains=%25'))).toEqual([])
    expect(ids(await list(caller, '?kind=ai'))).toEqual([])
    expect(ids(await list(caller, '?kind=standard&status=completed'))).toEqual([c, b, a])
    expect(ids(await list(caller, '?status=failed'))).toEqual([])
    const { rating } = (await list(caller)).scans[0].securityScore
    expect(ids(await list(caller, `?rating=${rating}`))).toEqual([c, b, a])
    expect(ids(await list(caller, `?rating=${rating === 'Good' ? 'Poor' : 'Good'}`))).toEqual([])
    // A floating pragma is high, and there is nothing else in these.
    expect(ids(await list(caller, '?severity=high'))).toEqual([c, b, a])
    expect(ids(await list(caller, '?severity=critical'))).toEqual([])
    expect((await service.get('/api/v1/scans?severity=worst', caller.key)).statusCode).toBe(400)
    expect(ids(await list(caller, '?from=2026-03-10T12:00:02Z'))).toEqual([c, b])
    expect(ids(await list(caller, '?to=2026-03-10T12:00:02Z'))).toEqual([a])
    const { headers } = await service.get('/api/v1/scans?limit=1&fileName=A.sol', caller.key)
    const next = /<(.+)>; rel="next"/.exec(String(headers.link))?.[1] ?? ''
    expect(ids((await service.get(next, caller.key)).json().data)).toEqual([a])
  })

  test('200: the source comes back byte for byte, as an attachment that no browser runs', async () => {
    const caller = await service.newCaller()
    const source = `${floatingSource}// ünïcödé ☃ \r\n`
    const id = await scanAs(caller, 'Vault.sol', source)
    const answer = await service.get(`/api/v1/scans/${id}/source`, caller.key)
    expect(answer.body).toBe(source)
    expect(answer.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': `attachment; filename="Vault.sol"`,
      'x-content-type-options': 'nosniff',
    })
  })

  test('200: patches for the findings, each scanned again', async () => {
    const caller = await service.newCaller()
    const id = await scanAs(caller, 'Vault.sol', 'pragma solidity ^0.8.0;\ncontract Vault {}\n')
    const answer = await service.get(`/api/v1/scans/${id}/fixes`, caller.key)
    expect(answer.json()).toMatchObject({
      success: true,
      data: {
        patches: [{ file: 'Vault.sol', line: 1, detector: 'floating-pragma', isSafe: true }],
        files: [{ path: 'Vault.sol', diff: expect.stringContaining('+pragma solidity 0.8.28;') }],
        refused: 0,
        notTried: 0,
      },
    })
  })

  test('200: unsafe patches only when they are asked for', async () => {
    const caller = await service.newCaller()
    const source =
      'pragma solidity 0.8.28;\ncontract Vault {\n    address public owner = msg.sender;\n    function take() external {\n        require(tx.origin == owner);\n        payable(owner).transfer(address(this).balance);\n    }\n}\n'
    const id = await scanAs(caller, 'Vault.sol', source)
    const fixes = async (query: string) =>
      (await service.get(`/api/v1/scans/${id}/fixes${query}`, caller.key)).json().data.patches
    expect(await fixes('')).toEqual([])
    expect(await fixes('?unsafe=true')).toMatchObject([{ detector: 'tx-origin-authorization', isSafe: false }])
  })

  test('400: fixes that are neither safe nor unsafe', async () => {
    const caller = await service.newCaller()
    const id = await scanAs(caller)
    expect((await service.get(`/api/v1/scans/${id}/fixes?unsafe=maybe`, caller.key)).statusCode).toBe(400)
  })

  test.each([
    ['json', 'application/json; charset=utf-8', 'json', '"success":true'],
    ['sarif', 'application/sarif+json; charset=utf-8', 'sarif', '"version":"2.1.0"'],
    ['markdown', 'text/markdown; charset=utf-8', 'md', 'SWC-103'],
    ['html', 'text/html; charset=utf-8', 'html', '<!doctype html>'],
  ])('200: a report as %s is an attachment in a sandbox', async (format, type, extension, mark) => {
    const caller = await service.newCaller()
    const id = await scanAs(caller)
    const answer = await service.get(`/api/v1/scans/${id}/report?format=${format}`, caller.key)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': type,
      'content-disposition': `attachment; filename="Vault.${extension}"`,
      'content-security-policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'",
      'x-content-type-options': 'nosniff',
    })
    expect(answer.body).toContain(mark)
  })

  test('200: a deleted scan is gone, with its source and findings', async () => {
    const caller = await service.newCaller()
    const id = await scanAs(caller)
    const answer = await service.inject({ method: 'DELETE', url: `/api/v1/scans/${id}`, headers: caller.key })
    expect([answer.statusCode, answer.json()]).toEqual([200, { success: true, message: 'Scan deleted.' }])
    for (const [method, url] of everyAddress(id)) {
      const after = await service.inject({ method, url, headers: caller.key })
      expect([after.statusCode, after.json()]).toEqual(notFound)
    }
    const bodies = await sql`select 1 from scan_bodies where scan_id = ${id}`.execute(service.deps.db)
    expect(bodies.rows).toEqual([])
  })

  test('200: an empty limit or cursor is like none', async () => {
    const { key } = await service.newCaller()
    const plain = await service.get('/api/v1/scans', key)
    for (const query of ['?limit=', '?cursor=', '?limit=&cursor=']) {
      const answer = await service.get(`/api/v1/scans${query}`, key)
      expect([answer.statusCode, answer.json()]).toEqual([200, plain.json()])
    }
  })

  test('400: a limit, cursor or moment that is none', async () => {
    const { key } = await service.newCaller()
    for (const query of ['?limit=0', '?limit=101', '?limit=x', '?cursor=x', '?from=yesterday', '?kind=other']) {
      const answer = await service.get(`/api/v1/scans${query}`, key)
      expect([query, answer.statusCode]).toEqual([query, 400])
    }
    const answer = await service.get('/api/v1/scans?cursor=c2NhbnM6eA', key)
    expect(answer.json()).toEqual({ error: 'cursor must be a nextCursor of this list.' })
  })

  test('401: neither key nor session', async () => {
    for (const [method, url] of [['GET', '/api/v1/scans'] as const, ...everyAddress('scn_x')]) {
      const answer = await service.inject({ method, url })
      expect([answer.statusCode, answer.json()]).toEqual([
        401,
        { error: 'API key is required. Please provide X-API-Key header.' },
      ])
    }
  })

  test('404: the same answer for a foreign, an unknown and a malformed id', async () => {
    const mine = await service.newCaller()
    const other = await service.newCaller()
    const foreign = await scanAs(other)
    for (const id of [foreign, 'scn_00000000000000000000000000000000000', 'x', '%F0%9F%92%A9', "1'%20or%201=1"]) {
      for (const [method, url] of everyAddress(id)) {
        const answer = await service.inject({ method, url, headers: mine.key })
        expect([answer.statusCode, answer.json()]).toEqual(notFound)
      }
    }
    expect(ids(await list(mine))).toEqual([])
    expect(ids(await list(other))).toEqual([foreign])
  })

  test('404: an expired scan is invisible at once and really deleted a day later', async () => {
    const caller = await service.newCaller()
    const id = await scanAs(caller)
    await service.passDays(7)
    expect(ids(await list(caller))).toEqual([])
    for (const [method, url] of everyAddress(id)) {
      const answer = await service.inject({ method, url, headers: caller.key })
      expect([answer.statusCode, answer.json()]).toEqual(notFound)
    }
    const rows = async () =>
      (await sql`select 1 from scan_bodies where scan_id = ${id}`.execute(service.deps.db)).rows.length
    expect(await rows()).toBe(1)
    await service.passDays(1)
    expect(await rows()).toBe(0)
  })

  test.each([
    ['free', 7],
    ['basic', 30],
    ['pro', 90],
  ] as const)('on %s a scan is kept for %d days', async (plan, days) => {
    const caller = await service.newCaller(plan)
    const id = await scanAs(caller)
    service.clock.travel(`P${days - 1}DT23H`)
    await service.runJobs()
    expect(ids(await list(caller))).toEqual([id])
    service.clock.travel('PT1H')
    expect(ids(await list(caller))).toEqual([])
  })

  test('a downgrade applies at once, and an upgrade brings nothing deleted back', async () => {
    const caller = await service.newCaller('pro')
    const id = await scanAs(caller)
    await service.passDays(10)
    const setPlan = (plan: 'free' | 'pro') =>
      createAccountStore(service.deps.db).setPlan(caller.account.userId, plan, service.clock.now().getTime())
    expect(ids(await list(caller))).toEqual([id])
    await setPlan('free')
    expect(ids(await list(caller))).toEqual([])
    // A change of mind within a day costs nothing.
    await service.runJobs()
    await setPlan('pro')
    expect(ids(await list(caller))).toEqual([id])
    await setPlan('free')
    await service.passDays(2)
    await setPlan('pro')
    expect(ids(await list(caller))).toEqual([])
  })
})
