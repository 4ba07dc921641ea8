import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Analysis, createAnalysis } from '../analysis/analysis.ts'
import { PoolFull } from '../analysis/pool.ts'
import { type OpenRouterStandIn, standInKey, startOpenRouterStandIn } from '../gateways/stand-ins/open-router.ts'
import { startInstance } from '../services/scan-quota.ts'
import { createAccountLimitsStore } from '../stores/account-limits.ts'
import { makeZip } from '../testing/archives.ts'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { type FormPart, form } from '../testing/form.ts'
import { answerToSilence } from '../testing/queued-work.ts'
import { floatingSource } from '../testing/scan-service.ts'
import { spendThrottle } from '../testing/spend-throttle.ts'
import { startTestApp, type TestAccount, type TestApp } from '../testing/start-test-app.ts'

const file = (bytes: string | Buffer = floatingSource, fileName = 'Vault.sol'): FormPart => ({
  name: 'file',
  fileName,
  bytes,
})
const fields = [
  { name: 'openrouterApiKey', value: standInKey },
  { name: 'model', value: 'acme/auditor-1' },
]

/** The same checks stand before each of the two; what the current endpoint of a standard scan refuses is reported in its own tests. */
const uploads = [
  ['/scan', []],
  ['/api/v1/ai-scan', fields],
] as const

const verdict = { summary: 'Nothing more.', verdicts: [], vulnerabilities: [], recommendations: [] }

describeOnEachDatabase('uploads', (context) => {
  let app: TestApp
  let openRouter: OpenRouterStandIn
  let real: Analysis
  /** In place of the real analysis until the end of a test. */
  let instead: Partial<Analysis> = {}
  let instance: { stop(): Promise<void> }

  beforeAll(async () => {
    openRouter = await startOpenRouterStandIn()
    openRouter.reply = () => JSON.stringify(verdict)
    real = createAnalysis({
      scanWorkers: 1,
      scanTimeoutMs: 20_000,
      scanMemoryMb: 256,
      scanQueue: 100,
      scanWaitMs: 30_000,
    })
    const analysis = new Proxy(real, { get: (all, name) => Reflect.get(name in instead ? instead : all, name) })
    const environment = { AI_GATEWAY_URL: openRouter.url }
    app = await startTestApp({ database: context.database, analysis, environment })
    instance = await startInstance(app.deps, { isAlone: false, onError: () => {} })
  })
  afterEach(() => {
    instead = {}
  })
  afterAll(async () => {
    await instance.stop()
    await app.close()
    await openRouter.close()
  })

  interface Uploader {
    readonly account: TestAccount
    readonly key: { 'x-api-key': string }
  }
  async function newUploader(limits: object = {}): Promise<Uploader> {
    const account = await app.signUp({ plan: 'pro' })
    const made = { userId: account.userId, type: 'PRODUCTION', name: 'test', ...limits }
    const { keyValue } = (await app.post('/api/generate-api-key', made, account.session)).json().apiKey
    return { account, key: { 'x-api-key': keyValue } }
  }
  async function send(
    url: string,
    { key }: Uploader,
    parts: readonly FormPart[],
    headers: Record<string, string> = {},
  ) {
    const body = form(...parts)
    const answer = await app.inject({
      method: 'POST',
      url,
      payload: body.payload,
      headers: { ...body.headers, ...key, ...headers },
    })
    return [answer.statusCode, answer.json().error]
  }
  const inFlight = [409, 'A request with this Idempotency-Key is still in progress.']
  /** As if the answering process were still at work. */
  const forgetAnswers = ({ account: { userId } }: Uploader) =>
    app.deps.db
      .updateTable('idempotent_requests')
      .set({ response: null, response_body: null })
      .where('account_id', '=', userId)
      .execute()

  describe.each(uploads)('POST %s', (url, more) => {
    test('400: no Solidity file, an empty one, or no text', async () => {
      const caller = await newUploader()
      expect(await send(url, caller, [file('x', 'x.txt'), ...more])).toEqual([400, 'Only .sol files can be scanned.'])
      expect(await send(url, caller, [file(''), ...more])).toEqual([400, 'The file is empty.'])
      expect(await send(url, caller, [file('\0'), ...more])).toEqual([400, 'The file is not UTF-8 text.'])
    })

    test('408: one that does not arrive within a minute', async () => {
      const answer = await answerToSilence(app, await newUploader(), url)
      expect([answer.statusCode, answer.json().error]).toEqual([408, 'The request took too long to arrive.'])
    })

    test('409, 422: the same Idempotency-Key while the first is at work, or with another file', async () => {
      const caller = await newUploader()
      const headers = { 'idempotency-key': 'once' }
      expect(await send(url, caller, [file(), ...more], headers)).toEqual([200, undefined])
      expect(await send(url, caller, [file('contract Other {}'), ...more], headers)).toEqual([
        422,
        'This Idempotency-Key was already used with a different request.',
      ])
      await forgetAnswers(caller)
      expect(await send(url, caller, [file(), ...more], headers)).toEqual(inFlight)
    })

    test('413: too large a file or contract, too many files', async () => {
      const caller = await newUploader()
      const thousands = Array.from({ length: 2001 }, (_, at) => file('x', `F${at}.sol`))
      expect(await send(url, caller, [...thousands, ...more])).toEqual([413, 'A project can have at most 2000 files.'])
      const limits = { max_file_bytes: 200, max_contract_bytes: 60 }
      await createAccountLimitsStore(context.database.db).override(caller.account.userId, limits)
      expect(await send(url, caller, [file(' '.repeat(201)), ...more])).toEqual([
        413,
        'File size exceeds maximum limit of 200 bytes. Upload a smaller file.',
      ])
      expect(await send(url, caller, [file(`contract C {${' '.repeat(60)}}`), ...more])).toEqual([
        413,
        'Contract size exceeds maximum limit of 60 bytes. Upload a smaller contract.',
      ])
    })

    test('429: the day of the key is spent, or too many scans had to be stopped', async () => {
      const tight = await newUploader({ scansPerDay: 1 })
      expect(await send('/api/v1/scan', tight, [file()])).toEqual([200, undefined])
      expect(await send(url, tight, [file(), ...more])).toEqual([
        429,
        expect.stringMatching(/^The daily scan limit of this API key is exceeded\./),
      ])
      const slow = await newUploader()
      await spendThrottle(app.deps, 'overruns', slow.account.userId)
      expect(await send(url, slow, [file(), ...more])).toEqual([
        429,
        'Too many scans of this account had to be stopped for time or memory. Try again later.',
      ])
    })

    test('503: too many wait', async () => {
      const caller = await newUploader()
      instead = { secondsUntilRoom: () => 3 }
      expect(await send(url, caller, [file(), ...more])).toEqual([
        503,
        'Too many scans are waiting. Try again shortly.',
      ])
    })
  })

  test('400: what only one of them refuses', async () => {
    const caller = await newUploader()
    const project = { name: 'project', value: 'x'.repeat(201) }
    expect(await send('/scan', caller, [file(), project])).toEqual([
      400,
      'project must be a text of at most 200 characters.',
    ])
    for (const [files, words] of [
      [{ 'README.md': 'x' }, 'There is no .sol file in it.'],
      [{ 'A.sol': Buffer.from([0xff, 0xfe]) }, 'The file A.sol is not UTF-8 text.'],
      [{ '../A.sol': 'x' }, 'The path ../A.sol is refused: it leads out of the project.'],
    ] as const)
      expect(await send('/scan', caller, [file(makeZip(files), 'a.zip')])).toEqual([400, words])
    expect(await send('/scan', caller, [file('no archive', 'a.zip')])).toEqual([
      400,
      expect.stringMatching(/^The archive cannot be read: /),
    ])
    expect(await send('/api/v1/ai-scan', caller, [file(), file('contract B {}', 'B.sol'), ...fields])).toEqual([
      400,
      'Upload one file: this endpoint scans a single .sol file.',
    ])
    expect(await send('/api/v1/scans/batch', caller, [file('', 'a.zip')])).toEqual([400, 'The file is empty.'])
  })

  test('304, 429, 503: what was made of them', async () => {
    const { account, key } = await newUploader()
    const body = form(file(), ...fields)
    const headers = { ...body.headers, ...key }
    const scanned = await app.inject({ method: 'POST', url: '/api/v1/ai-scan', payload: body.payload, headers })
    const { scanId, outputFile } = scanned.json()
    const report = await app.get(`/api/v1/reports/${outputFile}`, { ...key, 'if-none-match': '*' })
    expect(report.statusCode).toBe(304)
    instead = { foundryTest: async () => Buffer.from('contract Attack {}') }
    const attack = await app.get(`/api/v1/scans/${scanId}/tests/any`, { ...key, 'if-none-match': '*' })
    expect(attack.statusCode).toBe(304)
    const link = (await app.post(`/api/v1/scans/${scanId}/links`, {}, account.session)).json().data
    const shared = `/api/v1/shared/${link.url.split('#')[1]}`
    instead = { withhold: () => Promise.reject(new PoolFull()) }
    const crowded = await app.get(shared)
    expect([crowded.statusCode, crowded.json().error]).toEqual([503, 'Too many scans are waiting. Try again shortly.'])
    const remoteAddress = '10.55.0.1'
    await spendThrottle(app.deps, 'sharedReads', remoteAddress)
    for (const url of [shared, `${shared}/source`]) {
      const often = await app.inject({ method: 'GET', url, remoteAddress })
      expect([often.statusCode, often.json().error]).toEqual([
        429,
        'Too many shared results were opened from this address. Try again later.',
      ])
    }
    const leaves = Array.from({ length: 500 }, (_, at) => app.deps.streamSlots.enter(`usr_${at % 50}`))
    const followed = await app.get(`/api/v1/scans/${scanId}/events`, key)
    for (const leave of leaves) leave()
    expect([followed.statusCode, followed.json().error]).toEqual([503, 'The service is busy. Try again in 5 seconds.'])
  })

  test('409: a plan that is being bought under the same Idempotency-Key', async () => {
    const account = await app.signUp()
    const { keyValue } = await app.makeKey(account)
    const caller = { account, key: { 'x-api-key': keyValue } }
    const buy = () =>
      app.post('/api/upgrade-plan', { newPlan: 'basic' }, { ...caller.key, 'idempotency-key': 'buy-once' })
    expect((await buy()).statusCode).toBe(200)
    await forgetAnswers(caller)
    const again = await buy()
    expect([again.statusCode, again.json().error]).toEqual(inFlight)
  })
})
