import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { heldBy } from './core/gauges.ts'
import { accountReference } from './core/log.ts'
import { describeOnEachDatabase } from './testing/describe-on-each-database.ts'
import { sourceForm } from './testing/form.ts'
import { floatingSource, type ScanService, startScanService } from './testing/scan-service.ts'
import { startTestApp, type TestApp } from './testing/start-test-app.ts'

interface Line {
  readonly msg: string
  readonly time: string
  readonly requestId?: string
  readonly scanId?: string
  readonly job?: string
  readonly route?: string
  readonly status?: number
}

/** What the log holds of the requests that `ask` makes; every line of it is one JSON text. */
async function requestsLogged(sendRequest: (app: Awaited<ReturnType<typeof startTestApp>>) => Promise<unknown>) {
  const app = await startTestApp()
  app.logLines.length = 0
  await sendRequest(app)
  await expect.poll(() => app.logLines.some((line) => line.includes('"request"'))).toBe(true)
  const lines = app.logLines.flatMap((written) => written.trimEnd().split('\n')).map((text) => JSON.parse(text) as Line)
  const metrics = await app.deps.metrics.registry.metrics()
  await app.close()
  return { lines, requests: lines.filter(({ msg }) => msg === 'request'), metrics }
}

test('each request is a line with its moment in UTC, its id, route and status', async () => {
  let requestId: unknown
  const { requests } = await requestsLogged(async (app) => {
    requestId = (await app.get('/api/v1/scans/scn_1?secret=1')).headers['x-request-id']
  })
  expect(requests).toMatchObject([{ requestId, route: '/api/v1/scans/:scanId', status: 401 }])
  expect(requests[0]?.time).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
})

test('each refusal is logged with its status and counted by its name', async () => {
  const { requests, metrics } = await requestsLogged(async (app) => {
    await app.get('/api/me')
    await app.post('/api/login', { email: 'nobody@example.com', password: 'a guess' })
    await app.get('/api/v1/scans', { 'x-api-key': 'assay_live_nonsense' })
  })
  expect(requests.map(({ status }) => status)).toEqual([401, 401, 403])
  for (const refusal of ['sessionMissing', 'keyInvalid']) {
    expect(metrics).toContain(`assay_refusals_total{refusal="${refusal}"} 1`)
  }
})

test('a request with a credential names its account by a reference, and the key that was used', async () => {
  let keyId = ''
  let userId = ''
  const { requests } = await requestsLogged(async (app) => {
    const account = await app.signUp()
    userId = account.userId
    const key = await app.makeKey(account)
    keyId = key.id
    app.logLines.length = 0
    await app.get('/api/v1/scans', { 'x-api-key': key.keyValue })
    await app.get('/api/me', account.session)
  })
  const account = accountReference(userId)
  expect(requests).toMatchObject([{ account, keyId }, { account }])
  expect(JSON.stringify(requests)).not.toContain(userId)
})

test('what a client sends cannot end a line of the log or begin another', async () => {
  const forged = '\n{"level":"info","msg":"request","status":200,"route":"/forged"}\n'
  const { lines, requests } = await requestsLogged(async (app) => {
    await app.get(`/${encodeURIComponent(forged)}`)
    await app.post('/api/register', { email: `a${forged}@example.com`, password: forged, name: forged })
    await app.post('/api/login', { email: 'a@example.com', password: 'x' }, { 'user-agent': 'a\tb' })
  })
  expect(requests).toHaveLength(3)
  expect(lines.filter(({ route }) => route === '/forged')).toEqual([])
})

const linesOf = (app: Pick<TestApp, 'logLines'>): Line[] =>
  app.logLines.flatMap((written) => written.trimEnd().split('\n')).map((text) => JSON.parse(text) as Line)

describeOnEachDatabase('one request through queue and worker', (context) => {
  let service: ScanService
  beforeAll(async () => {
    service = await startScanService(context.database)
  })
  afterAll(() => service.close())

  test('a queued scan names the request that asked for it', async () => {
    const caller = await service.newCaller('basic')
    service.logLines.length = 0
    const headers = { ...caller.key, prefer: 'respond-async' }
    const response = await service.scan(headers, sourceForm(floatingSource))
    const requestId = response.headers['x-request-id']
    const { scanId } = response.json() as { scanId: string }
    await service.runJobs()
    const lines = linesOf(service)
    const account = accountReference(caller.account.userId)
    expect(lines.find(({ msg }) => msg === 'request')).toMatchObject({ requestId, scanId, account, status: 202 })
    expect(lines.find(({ msg }) => msg === 'queued scan completed')).toMatchObject({ requestId, scanId, account })
  })

  test('a job names the request that it follows from', async () => {
    service.logLines.length = 0
    const person = { email: 'job@example.com', password: 'a long enough password', name: 'Ada' }
    const requestId = (await service.post('/api/register', person)).headers['x-request-id']
    await service.deps.background.drain()
    await service.runJobs()
    expect(linesOf(service).filter(({ job }) => job === 'mail')).toMatchObject([{ requestId, msg: 'job' }])
  })

  test('a scan that is answered at once is named on the line of its request, and on no other', async () => {
    const caller = await service.newCaller('basic')
    service.logLines.length = 0
    const { scanId } = (await service.scan(caller.key)).json() as { scanId: string }
    await service.get('/api/v1/scans', caller.key)
    expect(linesOf(service).filter(({ msg }) => msg === 'request')).toMatchObject([{ scanId }, {}])
    expect(linesOf(service).filter((line) => line.scanId === undefined && line.msg === 'request')).toHaveLength(1)
  })

  test('a client that hangs up leaves a line and a count of its own, once', async () => {
    const address = new URL(await service.app.listen({ port: 0, host: '127.0.0.1' }))
    const caller = await service.newCaller('basic')
    service.logLines.length = 0
    const socket = connect(Number(address.port), '127.0.0.1')
    await once(socket, 'connect')
    socket.write(
      `POST /api/v1/scan HTTP/1.1\r\nhost: here\r\nx-api-key: ${caller.key['x-api-key']}\r\ncontent-type: multipart/form-data; boundary=x\r\ncontent-length: 1000\r\n\r\n--x`,
    )
    await expect.poll(() => Object.keys(heldBy(service.deps.gauges))).not.toEqual([])
    socket.destroy()
    const requests = () => linesOf(service).filter(({ msg }) => msg === 'request')
    await expect.poll(requests).toMatchObject([{ status: 499, route: '/api/v1/scan' }])
    expect(requests()[0]).toMatchObject({ account: accountReference(caller.account.userId) })
    expect(await service.deps.metrics.registry.metrics()).toContain('route="/api/v1/scan",status="499"} 1')
  })
})
