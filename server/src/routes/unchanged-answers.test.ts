import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Route } from '../http/define-route.ts'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { form } from '../testing/form.ts'
import { floatingSource, type ScanService, startScanService, type TestCaller } from '../testing/scan-service.ts'
import { routes } from './index.ts'

/** A stream has no content to compare; the other two need a model or an attack first, and stand in refused-uploads.test.ts. */
const elsewhere = [
  '/api/v1/scans/:scanId/events',
  '/api/v1/scans/:scanId/tests/:fingerprint',
  '/api/v1/reports/:outputFile',
]

const readings = (routes as readonly Omit<Route, 'handle'>[])
  .filter(({ method, hidden, url }) => method === 'GET' && !hidden && !elsewhere.includes(url))
  .map(({ url }) => url)

describeOnEachDatabase('answers that the client has already', (context) => {
  let service: ScanService
  let caller: TestCaller
  /** What stands for the names in an address. */
  let ids: (url: string) => string

  beforeAll(async () => {
    service = await startScanService(context.database)
    caller = await service.newCaller('pro')
    const { account, key } = caller
    const inProject = form(
      { name: 'file', fileName: 'Vault.sol', bytes: floatingSource },
      { name: 'project', value: 'vault' },
    )
    const { scanId } = (await service.scan(key, inProject)).json()
    const [finding] = (await service.get('/api/v1/findings', key)).json().data.findings
    const [project] = (await service.get('/api/v1/projects', key)).json().data.projects
    const link = (await service.post(`/api/v1/scans/${scanId}/links`, { shows: 'source' }, key)).json().data
    const url = 'https://hooks.example.com/assay'
    const webhook = (await service.post('/api/v1/webhooks', { url }, key)).json().data
    const organisation = (await service.post('/api/v1/organisations', { name: 'Acme' }, account.session)).json().data
    const batch = { scans: [{ source: 'contract A {}', fileName: 'A.sol' }] }
    const { batchId } = (await service.post('/api/v1/scans/batch', batch, key)).json()
    const names: Record<string, string> = {
      scanId,
      batchId,
      token: link.url.split('#')[1],
      id: webhook.id,
      organisationId: organisation.id,
      name: 'hour-spent',
    }
    const own: Record<string, string> = { findings: finding.id, projects: project.id }
    ids = (pattern) =>
      pattern.replace(/([\w-]+)\/:(\w+)/g, (_whole, before: string, name: string) => {
        const id = (name === 'id' ? own[before] : undefined) ?? names[name] ?? 'none'
        return `${before}/${id}`
      })
  })
  afterAll(() => service.close())

  const parametersOf = (url: string, { account }: TestCaller): Record<string, string> => {
    if (url === '/metrics') return { token: service.deps.trialToken }
    return { userId: account.userId, ...(url.endsWith('upgrade-preview') ? { newPlan: 'pro' } : {}) }
  }

  test.each(readings)('200, then 304 without a body: GET %s', async (url) => {
    // Each is asked with the credential that it takes, and an upgrade by a user who can still have one.
    const asker = url.endsWith('upgrade-preview') ? await service.newCaller() : caller
    const sendRequest = (headers: Record<string, string> = {}) =>
      service.inject({
        method: 'GET',
        url: ids(url),
        query: parametersOf(url, asker),
        headers: { ...asker.account.session, ...headers },
      })
    const first = await sendRequest()
    expect(first.statusCode, first.body.slice(0, 200)).toBe(200)
    expect(first.headers.etag).toMatch(/^W\/"/)
    // What changes by itself is held under any name.
    const again = await sendRequest({ 'if-none-match': '*' })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })
})
