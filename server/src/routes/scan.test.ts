import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Analysis, createAnalysis } from '../analysis/analysis.ts'
import { PoolFull, TaskOverrun } from '../analysis/pool.ts'
import { startInstance } from '../services/scan-quota.ts'
import { createAccountLimitsStore } from '../stores/account-limits.ts'
import { createScanCountStore } from '../stores/scan-counts.ts'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { type Form, form, sourceForm } from '../testing/form.ts'
import { startTestApp, type TestAccount, type TestApp } from '../testing/start-test-app.ts'

const floating = 'pragma solidity ^0.8.20;\ncontract Vault { uint public x; }\n'
const pinned = '// SPDX-License-Identifier: MIT\npragma solidity 0.8.28;\ncontract Vault { uint public x; }\n'

describeOnEachDatabase('POST /api/v1/scan', (context) => {
  let service: TestApp
  let real: Analysis
  /** What the next scans meet instead of the engine. */
  let sabotage: Partial<Pick<Analysis, 'scan' | 'secondsUntilRoom'>> = {}

  beforeAll(async () => {
    real = createAnalysis({
      scanWorkers: 2,
      scanTimeoutMs: 20_000,
      scanMemoryMb: 256,
      scanQueue: 100,
      scanWaitMs: 30_000,
    })
    const analysis: Analysis = {
      ...real,
      scan: (task, options) => (sabotage.scan ?? real.scan)(task, options),
      secondsUntilRoom: (owner) => (sabotage.secondsUntilRoom ?? real.secondsUntilRoom)(owner),
    }
    service = await startTestApp({ database: context.database, analysis })
    await startInstance(service.deps, { isAlone: false, onError: () => {} })
  })
  afterEach(() => {
    sabotage = {}
  })
  afterAll(async () => {
    await service.close()
    await real.close()
  })

  const scan = (body: Form, headers: Record<string, string> = {}, query = '') =>
    service.inject({
      method: 'POST',
      url: `/api/v1/scan${query}`,
      payload: body.payload,
      headers: { ...body.headers, ...headers },
    })

  const newCaller = async (plan?: 'free' | 'basic' | 'pro', type: 'PRODUCTION' | 'TEST' = 'PRODUCTION') => {
    const account = await service.signUp(plan ? { plan } : {})
    const { keyValue, id } = await service.makeKey(account, type)
    return { account, keyId: id, key: { 'x-api-key': keyValue } }
  }

  const scansToday = ({ userId }: TestAccount) =>
    createScanCountStore(service.deps.db).count(
      userId,
      Math.floor(service.clock.now().getTime() / 86_400_000) * 86_400_000,
    )

  const limit = (
    { userId }: TestAccount,
    overrides: Parameters<ReturnType<typeof createAccountLimitsStore>['override']>[1],
  ) => createAccountLimitsStore(service.deps.db).override(userId, overrides)

  test('200: a result in the final shape, stored, and counted once', async () => {
    const { account, key } = await newCaller()
    const answer = await scan(sourceForm(floating), key)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    const result = answer.json()
    expect(result).toMatchObject({
      success: true,
      message: expect.stringContaining('Scan completed'),
      scanId: expect.stringMatching(/^scn_[0-9a-z]+$/),
      file: `uploads/${result.scanId}.sol`,
      completeness: 'full',
      advisories: expect.any(Array),
      suppressed: expect.any(Array),
      parseErrors: [],
      bestPractices: { recommendations: expect.any(Array) },
    })
    expect(result.dataVulnerabilities).toContainEqual(
      expect.objectContaining({
        vulnerabilityId: 'SWC-103',
        name: 'Floating Pragma',
        severity: 'high',
        line: 1,
        column: 1,
      }),
    )
    expect(result.vulnerabilitiesCount).toBe(result.dataVulnerabilities.length)
    expect(result.securityScore.summary.total).toBe(result.vulnerabilitiesCount)
    expect(await scansToday(account)).toBe(1)
    const stored = await service.get(`/api/v1/scans/${result.scanId}`, key)
    expect(stored.json().data).toMatchObject({ ...result, fileName: 'Vault.sol' })
    const source = await service.get(`/api/v1/scans/${result.scanId}/source`, key)
    expect(source.body).toBe(floating)
  })

  test('200: the headers say what is left of the hour and of the day', async () => {
    service.clock.travelTo('2026-03-10T12:15:00.000Z')
    const { key } = await newCaller()
    const answer = await scan(sourceForm(floating), key)
    expect(answer.headers).toMatchObject({
      'x-ratelimit-limit': '60',
      'x-ratelimit-remaining': '59',
      'x-ratelimit-reset': String(Date.parse('2026-03-10T13:00:00.000Z') / 1000),
      'ratelimit-policy': '"hourly";q=60;w=3600, "daily-scans";q=5;w=86400',
      ratelimit: '"hourly";r=59;t=2700, "daily-scans";r=4;t=42300',
    })
  })

  test('200: fields may come before and after the file, and other parts are let be', async () => {
    const { key } = await newCaller()
    const body = form(
      { name: 'note', value: 'before' },
      { name: 'other', fileName: 'other.bin', bytes: new Uint8Array([0, 1, 2]) },
      { name: 'file', fileName: 'C:\\fakepath\\Vault.sol', bytes: floating },
      { name: 'after', value: 'the file' },
    )
    const answer = await scan(body, key)
    expect(answer.statusCode).toBe(200)
    const { data } = (await service.get('/api/v1/scans', key)).json()
    expect(data.scans[0].fileName).toBe('Vault.sol')
  })

  test.each([
    ['?format=sarif', {}, 'application/sarif+json; charset=utf-8', '"version":"2.1.0"'],
    ['?format=markdown', {}, 'text/markdown; charset=utf-8', 'SWC-103'],
    ['?format=html', {}, 'text/html; charset=utf-8', '<!doctype html>'],
    ['', { accept: 'application/sarif+json' }, 'application/sarif+json; charset=utf-8', '"version":"2.1.0"'],
    ['', { accept: 'text/html;q=0.4, text/markdown;q=0.9, */*;q=0.1' }, 'text/markdown; charset=utf-8', 'SWC-103'],
    ['?format=json', { accept: 'text/html' }, 'application/json; charset=utf-8', '"success":true'],
    ['', { accept: 'image/png' }, 'application/json; charset=utf-8', '"success":true'],
  ])('200: %s %o answers as %s', async (query, headers, type, mark) => {
    const { key } = await newCaller()
    const answer = await scan(sourceForm(floating), { ...key, ...headers } as Record<string, string>, query)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toBe(type)
    expect(answer.body).toContain(mark)
  })

  test('200: a report as the answer is as safe to keep as one that is fetched later', async () => {
    const { key } = await newCaller()
    for (const format of ['html', 'markdown', 'sarif']) {
      const { headers } = await scan(sourceForm(floating), key, `?format=${format}`)
      expect(headers['content-security-policy']).toBe("sandbox; default-src 'none'; style-src 'unsafe-inline'")
      expect(headers['content-disposition']).toBe('attachment')
      expect(headers['x-content-type-options']).toBe('nosniff')
    }
  })

  test('200: a baseline marks each finding as new or unchanged and lists the fixed ones', async () => {
    const { key } = await newCaller()
    const before = (await scan(sourceForm(floating), key)).json()
    const same = (await scan(sourceForm(`${floating}\n// moved\n`), key, `?baseline=${before.scanId}`)).json()
    expect(same.dataVulnerabilities.map((finding: { baselineState: string }) => finding.baselineState)).toEqual(
      before.dataVulnerabilities.map(() => 'unchanged'),
    )
    const fixed = (await scan(sourceForm(pinned), key, `?baseline=${before.scanId}`)).json()
    expect(fixed.baseline.fixed).toContainEqual(expect.objectContaining({ vulnerabilityId: 'SWC-103' }))
  })

  test('200: suppressed findings count again when suppressions are ignored', async () => {
    const { key } = await newCaller()
    const silenced = `// assay-ignore SWC-103: the library must float\n${floating}`
    const kept = (await scan(sourceForm(silenced), key)).json()
    expect(kept.suppressed).toHaveLength(1)
    const all = (await scan(sourceForm(silenced), key, '?suppressions=ignore')).json()
    expect(all.suppressed).toHaveLength(0)
    expect(all.vulnerabilitiesCount).toBe(kept.vulnerabilitiesCount + 1)
  })

  test('200: a session may scan without a key; it counts toward the day, and toward an hour of its own', async () => {
    const account = await service.signUp()
    const answer = await scan(sourceForm(floating), account.session)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['x-ratelimit-limit']).toBe('600')
    expect(await scansToday(account)).toBe(1)
    const { data } = (await service.get(`/api/v1/user-plan?userId=${account.userId}`, account.session)).json()
    expect(data.usage.requestsThisHour).toBe(0)
  })

  test('200: if both are sent, the key decides', async () => {
    const { account, key } = await newCaller()
    const other = await service.signUp()
    await scan(sourceForm(floating), { ...key, ...other.session })
    expect([await scansToday(account), await scansToday(other)]).toEqual([1, 0])
    const wrong = await scan(sourceForm(floating), { 'x-api-key': 'nonsense', ...other.session })
    expect(wrong.statusCode).toBe(403)
  })

  test('200: an Idempotency-Key repeats the answer, charges once, and says so', async () => {
    const { account, key } = await newCaller()
    const headers = { ...key, 'idempotency-key': 'one-scan' }
    const first = await scan(sourceForm(floating), headers)
    const second = await scan(sourceForm(floating), headers)
    expect([first.statusCode, second.statusCode]).toEqual([200, 200])
    expect(second.body).toBe(first.body)
    expect(first.headers['idempotent-replayed']).toBeUndefined()
    expect(second.headers['idempotent-replayed']).toBe('true')
    expect(await scansToday(account)).toBe(1)
    const { data } = (await service.get('/api/v1/scans', key)).json()
    expect(data.scans).toHaveLength(1)
  })

  test.each(['json', 'html', 'sarif'])(
    '200: an answer kept for a repeated request rests compressed: %s',
    async (format) => {
      const { account, key } = await newCaller()
      const headers = { ...key, 'idempotency-key': `kept-${format}` }
      const many = `${floating}contract B { function f(address a) public { ${'a.send(1);'.repeat(200)} } }`
      const first = await scan(sourceForm(many), headers, `?format=${format}`)
      const row = await service.deps.db
        .selectFrom('idempotent_requests')
        .select('response_body')
        .where('account_id', '=', account.userId)
        .executeTakeFirstOrThrow()
      expect(row.response_body?.length).toBeLessThan(first.rawPayload.length / 4)
      const second = await scan(sourceForm(many), headers, `?format=${format}`)
      expect(second.body).toBe(first.body)
      expect(second.headers['content-type']).toBe(first.headers['content-type'])
    },
  )

  test('200: a replay comes before the daily limit, and ends after a day', async () => {
    const { account, key } = await newCaller()
    await limit(account, { scans_per_day: 1 })
    const headers = { ...key, 'idempotency-key': 'last-of-the-day' }
    const first = await scan(sourceForm(floating), headers)
    expect((await scan(sourceForm(floating), headers)).body).toBe(first.body)
    expect((await scan(sourceForm(floating), key)).statusCode).toBe(429)
    service.clock.travel('P1DT1S')
    const later = await scan(sourceForm(floating), headers)
    expect(later.statusCode).toBe(200)
    expect(later.json().scanId).not.toBe(first.json().scanId)
  })

  test('200: a key whose request was refused can be used again', async () => {
    const { key } = await newCaller()
    const headers = { ...key, 'idempotency-key': 'second-chance' }
    expect((await scan(sourceForm('no solidity at all'), headers)).statusCode).toBe(422)
    expect((await scan(sourceForm(floating), headers)).statusCode).toBe(200)
  })

  test('400: No file uploaded.', async () => {
    const { key } = await newCaller()
    const bodies = [
      { payload: '', headers: {} },
      { payload: '{"file":"x"}', headers: { 'content-type': 'application/json' } },
      { payload: 'pragma solidity 0.8.28;', headers: { 'content-type': 'text/plain' } },
      { payload: 'file=x', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      { payload: 'no form', headers: { 'content-type': 'multipart/form-data' } },
      { payload: 'no form', headers: { 'content-type': 'multipart/form-data; boundary=x' } },
      form({ name: 'file', value: 'a text field' }),
      form({ name: 'contract', fileName: 'Vault.sol', bytes: floating }),
      // What a browser sends when nothing was chosen.
      form({ name: 'file', fileName: '', bytes: '' }),
    ]
    for (const body of bodies) {
      const answer = await service.inject({
        method: 'POST',
        url: '/api/v1/scan',
        payload: body.payload,
        headers: { ...(body.headers as Record<string, string>), ...key },
      })
      expect([answer.statusCode, answer.json()]).toEqual([400, { error: 'No file uploaded.' }])
    }
  })

  test.each([
    ['not .sol', 'Vault.txt', floating, 'Only .sol files can be scanned.'],
    ['empty', 'Vault.sol', '', 'The file is empty.'],
    ['a NUL byte', 'Vault.sol', 'contract A {\0}', 'The file is not UTF-8 text.'],
    ['invalid UTF-8', 'Vault.sol', new Uint8Array([0x63, 0xff, 0xfe]), 'The file is not UTF-8 text.'],
  ])('400: %s', async (_case, fileName, bytes, error) => {
    const { account, key } = await newCaller()
    const answer = await scan(sourceForm(bytes, fileName), key)
    expect([answer.statusCode, answer.json()]).toEqual([400, { error }])
    expect(await scansToday(account)).toBe(0)
  })

  test('400: a form that ends too early holds no file', async () => {
    const { key } = await newCaller()
    const whole = sourceForm(floating)
    const answer = await scan({ ...whole, payload: whole.payload.subarray(0, -60) }, key)
    expect([answer.statusCode, answer.json()]).toEqual([400, { error: 'No file uploaded.' }])
  })

  test('400: a part without a head, however long, is answered at once', async () => {
    const { key } = await newCaller()
    for (const length of [10, 17_000, 90_000]) {
      const payload = Buffer.from(`--x\r\n${'y'.repeat(length)}\r\n--x--\r\n`)
      const answer = await scan({ payload, headers: { 'content-type': 'multipart/form-data; boundary=x' } }, key)
      expect([answer.statusCode, answer.json()]).toEqual([400, { error: 'No file uploaded.' }])
    }
  })

  test('400: an unknown format or suppression mode, named', async () => {
    const { key } = await newCaller()
    const answer = await scan(sourceForm(floating), key, '?format=pdf')
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      { error: 'format must be one of: json, sarif, markdown, html.' },
    ])
    expect((await scan(sourceForm(floating), key, '?suppressions=no')).statusCode).toBe(400)
  })

  test('401: no key', async () => {
    const answer = await scan(sourceForm(floating))
    expect([answer.statusCode, answer.json()]).toEqual([
      401,
      { error: 'API key is required. Please provide X-API-Key header.' },
    ])
  })

  test('403: an unknown, revoked or expired key', async () => {
    const refusal = [403, { error: 'Invalid or expired API key' }]
    const { account, keyId, key } = await newCaller()
    const unknown = await scan(sourceForm(floating), { 'x-api-key': 'assay_live_0123456789' })
    expect([unknown.statusCode, unknown.json()]).toEqual(refusal)
    expect((await scan(sourceForm(floating), key)).statusCode).toBe(200)
    await service.inject({ method: 'DELETE', url: `/api/v1/user-api-keys/${keyId}`, headers: account.session })
    const revoked = await scan(sourceForm(floating), key)
    expect([revoked.statusCode, revoked.json()]).toEqual(refusal)
    const late = await newCaller()
    service.clock.travel('P400D')
    const expired = await scan(sourceForm(floating), late.key)
    expect([expired.statusCode, expired.json()]).toEqual(refusal)
  })

  test('404: a baseline that is not mine, unknown or malformed', async () => {
    const mine = await newCaller()
    const other = await newCaller()
    const foreign = (await scan(sourceForm(floating), other.key)).json().scanId
    for (const id of [foreign, 'scn_00000000000000000000000000000000000', 'not an id']) {
      const answer = await scan(sourceForm(floating), mine.key, `?baseline=${encodeURIComponent(id)}`)
      expect([answer.statusCode, answer.json()]).toEqual([404, { error: 'Scan not found.' }])
    }
    expect(await scansToday(mine.account)).toBe(0)
  })

  test('409: the same Idempotency-Key while the first request is at work', async () => {
    const { key } = await newCaller()
    const headers = { ...key, 'idempotency-key': 'in-flight' }
    let go = () => {}
    const gate = new Promise<void>((resolve) => {
      go = resolve
    })
    let arrived = () => {}
    const atWork = new Promise<void>((resolve) => {
      arrived = resolve
    })
    sabotage.scan = async (task, options) => {
      arrived()
      await gate
      return real.scan(task, options)
    }
    const first = scan(sourceForm(floating), headers)
    await atWork
    const second = await scan(sourceForm(floating), headers)
    expect([second.statusCode, second.json()]).toEqual([
      409,
      { error: 'A request with this Idempotency-Key is still in progress.' },
    ])
    go()
    expect((await first).statusCode).toBe(200)
  })

  test('413: a file larger than the plan allows, by one byte', async () => {
    const { account, key } = await newCaller()
    const fits = `${pinned}//${'x'.repeat(102_400 - pinned.length - 2)}`
    expect(Buffer.byteLength(fits)).toBe(102_400)
    expect((await scan(sourceForm(fits), key)).statusCode).toBe(200)
    const answer = await scan(sourceForm(`${fits}x`), key)
    expect([answer.statusCode, answer.json()]).toEqual([
      413,
      { error: 'File size exceeds maximum limit of 102400 bytes. Upload a smaller file.' },
    ])
    expect(await scansToday(account)).toBe(1)
  })

  test('413: a contract larger than the plan allows, by one byte', async () => {
    const { account, key } = await newCaller()
    const sized = (bytes: number) => `contract C { /*${'x'.repeat(bytes - 'contract C { /**/ }'.length)}*/ }`
    expect((await scan(sourceForm(`pragma solidity 0.8.28;\n${sized(5120)}`), key)).statusCode).toBe(200)
    const answer = await scan(sourceForm(`pragma solidity 0.8.28;\n${sized(5121)}`), key)
    expect([answer.statusCode, answer.json()]).toEqual([
      413,
      { error: 'Contract size exceeds maximum limit of 5120 bytes. Upload a smaller contract.' },
    ])
    expect(await scansToday(account)).toBe(1)
  })

  test('422: nothing in it is Solidity, and nothing is charged', async () => {
    const { account, key } = await newCaller()
    const answer = await scan(sourceForm('%%% this is a poem %%%'), key)
    expect(answer.statusCode).toBe(422)
    expect(answer.json().error).toMatch(/^The file is not valid Solidity: line 1: .+/)
    expect(Object.keys(answer.json())).toEqual(['error'])
    expect(await scansToday(account)).toBe(0)
  })

  test('422: the same Idempotency-Key with other content', async () => {
    const { key } = await newCaller()
    const headers = { ...key, 'idempotency-key': 'used' }
    await scan(sourceForm(floating), headers)
    const answer = await scan(sourceForm(pinned), headers)
    expect([answer.statusCode, answer.json()]).toEqual([
      422,
      { error: 'This Idempotency-Key was already used with a different request.' },
    ])
  })

  test('429: the hour is spent; every request with an accepted key counts, whatever came of it', async () => {
    service.clock.travelTo('2026-05-10T12:15:00.000Z')
    const { account, key } = await newCaller()
    await limit(account, { requests_per_hour: 3 })
    await scan(sourceForm(''), key)
    await service.get('/api/v1/scans', key)
    await scan(sourceForm(floating), key)
    const answer = await scan(sourceForm(floating), key)
    expect([answer.statusCode, answer.json()]).toEqual([429, { error: 'API rate limit exceeded' }])
    expect(answer.headers).toMatchObject({
      'retry-after': '2700',
      'x-ratelimit-limit': '3',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(Date.parse('2026-05-10T13:00:00.000Z') / 1000),
    })
    service.clock.travelTo('2026-05-10T13:00:00.000Z')
    expect((await scan(sourceForm(floating), key)).statusCode).toBe(200)
  })

  test('429: the hour is per account and type of key: more keys buy nothing, and TEST keys have twice the number', async () => {
    service.clock.travelTo('2026-05-11T12:00:00.000Z')
    const { account, key } = await newCaller()
    await limit(account, { requests_per_hour: 2 })
    const second = { 'x-api-key': (await service.makeKey(account)).keyValue }
    const trial = { 'x-api-key': (await service.makeKey(account, 'TEST')).keyValue }
    const status = async (headers: Record<string, string>) => (await service.get('/api/v1/scans', headers)).statusCode
    expect([await status(key), await status(second), await status(key), await status(second)]).toEqual([
      200, 200, 429, 429,
    ])
    const trials = [
      await status(trial),
      await status(trial),
      await status(trial),
      await status(trial),
      await status(trial),
    ]
    expect(trials).toEqual([200, 200, 200, 200, 429])
  })

  test('429: sessions have ten times the hour of a key, together and apart from it', async () => {
    service.clock.travelTo('2026-05-11T14:00:00.000Z')
    const { account, key } = await newCaller()
    await limit(account, { requests_per_hour: 1 })
    const list = async (headers: Record<string, string>) => service.get('/api/v1/scans', headers)
    for (let i = 0; i < 10; i++) expect((await list(account.session)).statusCode).toBe(200)
    const answer = await scan(sourceForm(floating), account.session)
    expect([answer.statusCode, answer.json(), answer.headers['retry-after']]).toEqual([
      429,
      { error: 'API rate limit exceeded' },
      '3600',
    ])
    expect((await list(key)).statusCode).toBe(200)
    service.clock.travelTo('2026-05-11T15:00:00.000Z')
    expect((await list(account.session)).statusCode).toBe(200)
  })

  test('429: the day is spent, over all keys and types, until 00:00 UTC', async () => {
    service.clock.travelTo('2026-05-12T18:00:00.000Z')
    const { account, key } = await newCaller()
    const trial = { 'x-api-key': (await service.makeKey(account, 'TEST')).keyValue }
    for (const headers of [key, trial, account.session, key, trial]) {
      expect((await scan(sourceForm(floating), headers)).statusCode).toBe(200)
    }
    for (const headers of [key, trial, account.session]) {
      const answer = await scan(sourceForm(floating), headers)
      expect([answer.statusCode, answer.json()]).toEqual([
        429,
        { error: 'Daily scan limit exceeded. Limit resets at 2026-05-13T00:00:00.000Z' },
      ])
      expect(answer.headers['retry-after']).toBe('21600')
    }
    service.clock.travelTo('2026-05-13T00:00:00.000Z')
    expect((await scan(sourceForm(floating), key)).statusCode).toBe(200)
  })

  test('429: fifty parallel scans on a quota of five admit five', async () => {
    const { account, key } = await newCaller()
    const answers = await Promise.all(Array.from({ length: 50 }, () => scan(sourceForm(floating), key)))
    const statuses = answers.map((answer) => answer.statusCode)
    expect(statuses.filter((status) => status === 200)).toHaveLength(5)
    expect(statuses.filter((status) => status === 429)).toHaveLength(45)
    expect(await scansToday(account)).toBe(5)
    const { data } = (await service.get('/api/v1/scans', account.session)).json()
    expect(data.scans).toHaveLength(5)
  })

  test('429 comes before 400, and 400 before 413: the order of checks', async () => {
    const { account, key } = await newCaller()
    const tooLarge = 'x'.repeat(102_401)
    expect((await scan(sourceForm(tooLarge, 'large.txt'), key)).statusCode).toBe(400)
    expect((await scan(sourceForm(`\0${tooLarge}`), key)).statusCode).toBe(400)
    expect((await scan(sourceForm(tooLarge), key)).statusCode).toBe(413)
    await limit(account, { scans_per_day: 0 })
    for (const body of [form(), sourceForm(''), sourceForm(tooLarge)]) {
      expect((await scan(body, key)).statusCode).toBe(429)
    }
    await limit(account, { requests_per_hour: 0 })
    const hourly = await scan(form(), key)
    expect(hourly.json()).toEqual({ error: 'API rate limit exceeded' })
  })

  test.each([
    ['a crash', () => Promise.reject(new Error('secret path /srv/engine'))],
    ['too long a time', () => Promise.reject(new TaskOverrun('timeout'))],
    ['too much memory', () => Promise.reject(new TaskOverrun('memory'))],
  ])('500: %s says only a reference, charges nothing, and announces the failure', async (_case, fail) => {
    const { account, key } = await newCaller()
    sabotage.scan = fail
    for (const url of ['/api/v1/scan', '/scan']) {
      const { payload, headers } = sourceForm(floating)
      const answer = await service.inject({ method: 'POST', url, payload, headers: { ...headers, ...key } })
      expect(answer.statusCode, url).toBe(500)
      expect(answer.json()).toEqual({ error: `Scan failed. Reference ${answer.headers['x-request-id']}` })
    }
    expect(await scansToday(account)).toBe(0)
    sabotage = {}
    expect((await scan(sourceForm(floating), key)).statusCode).toBe(200)
  })

  test('429: five scans stopped for time or memory within an hour make the account pause, and no other', async () => {
    service.clock.travelTo('2026-05-14T12:00:00.000Z')
    const { account, key } = await newCaller()
    sabotage.scan = () => Promise.reject(new TaskOverrun('timeout'))
    for (let i = 0; i < 5; i++) expect((await scan(sourceForm(floating), key)).statusCode).toBe(500)
    sabotage = {}
    const answer = await scan(sourceForm(floating), key)
    expect([answer.statusCode, answer.json()]).toEqual([
      429,
      { error: 'Too many scans of this account had to be stopped for time or memory. Try again later.' },
    ])
    expect(answer.headers['retry-after']).toBe('3600')
    expect(await scansToday(account)).toBe(0)
    expect((await scan(sourceForm(floating), (await newCaller()).key)).statusCode).toBe(200)
    service.clock.travel('PT1H1S')
    expect((await scan(sourceForm(floating), key)).statusCode).toBe(200)
  })

  test('503: without room the body is not even read', async () => {
    const { account, key } = await newCaller()
    sabotage.secondsUntilRoom = ({ rank }) => (rank === 2 ? 7 : undefined)
    const answer = await scan(form(), key)
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '7'])
    expect(await scansToday(account)).toBe(0)
    expect((await scan(form(), (await newCaller('pro')).key)).statusCode).toBe(400)
  })

  test('a client that goes away is not charged, and its result is not kept', async () => {
    const { account, key } = await newCaller()
    const address = await service.app.listen({ port: 0, host: '127.0.0.1' })
    const gone = new AbortController()
    let end = () => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    sabotage.scan = async (task, { owner, signal }) => {
      // It goes away while its scan is under way; the result comes all the same.
      gone.abort()
      await new Promise((resolve) => signal?.addEventListener('abort', resolve))
      const result = await real.scan(task, { owner })
      end()
      return result
    }
    const body = new FormData()
    body.set('file', new Blob([floating]), 'Vault.sol')
    const request = fetch(`${address}/api/v1/scan`, { method: 'POST', headers: key, body, signal: gone.signal })
    await expect(request).rejects.toThrow()
    await ended
    await expect.poll(() => scansToday(account)).toBe(0)
    // What comes after it is kept, so whatever became of it has been decided.
    sabotage = {}
    const { scanId } = (await scan(sourceForm(floating), key)).json()
    const { scans } = (await service.get('/api/v1/scans', key)).json().data
    expect(scans.map((each: { scanId: string }) => each.scanId)).toEqual([scanId])
  })

  test('503: too many scans waiting, with Retry-After, and nothing is charged', async () => {
    const { account, key } = await newCaller()
    sabotage.scan = () => Promise.reject(new PoolFull())
    const answer = await scan(sourceForm(floating), key)
    expect([answer.statusCode, answer.json()]).toEqual([
      503,
      { error: 'Too many scans are waiting. Try again shortly.' },
    ])
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    expect(await scansToday(account)).toBe(0)
  })

  test('an operator may override any number of the plan', async () => {
    const { account, key } = await newCaller()
    await limit(account, { scans_per_day: 10_000, requests_per_hour: 7, max_file_bytes: 300, max_contract_bytes: 20 })
    const answer = await scan(sourceForm(`pragma solidity 0.8.28;\n//${'x'.repeat(200)}`), key)
    expect(answer.statusCode).toBe(413)
    expect(answer.json().error).toContain('Contract size exceeds maximum limit of 20 bytes')
    expect(answer.headers['x-ratelimit-limit']).toBe('7')
    expect(answer.headers['ratelimit-policy']).toContain('"daily-scans";q=10000')
    expect((await scan(sourceForm('x'.repeat(301)), key)).json().error).toContain('maximum limit of 300 bytes')
  })
})
