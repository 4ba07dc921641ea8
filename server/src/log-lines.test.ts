import { expect, test } from 'vitest'
import { accountReference } from './core/log.ts'
import { startTestApp } from './testing/start-test-app.ts'

interface Line {
  readonly msg: string
  readonly time: string
  readonly requestId?: string
  readonly route?: string
  readonly status?: number
}

/** What the log holds of the requests that `ask` makes; every line of it is one JSON text. */
async function requestsLogged(ask: (app: Awaited<ReturnType<typeof startTestApp>>) => Promise<unknown>) {
  const app = await startTestApp()
  app.logLines.length = 0
  await ask(app)
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
