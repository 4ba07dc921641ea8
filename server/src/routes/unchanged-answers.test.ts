import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Route } from '../http/define-route.ts'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { type ScanService, startScanService, type TestCaller } from '../testing/scan-service.ts'
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
    const { scanId } = (await service.scan(key)).json()
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
    ids = (pattern) => pattern.replace(/:(\w+)/g, (_whole, name: string) => names[name] ?? 'none')
  })
  afterAll(() => service.close())

  test.each(readings)('200, then 304 without a body: GET %s', async (url) => {
    const query = { userId: caller.account.userId, newPlan: 'pro' }
    // Each is asked with the credential that it takes, and an upgrade by somebody who can still have one.
    const asker = url.endsWith('upgrade-preview') ? await service.newCaller() : caller
    const ask = (headers: Record<string, string> = {}) =>
      service.inject({
        method: 'GET',
        url: ids(url),
        query: { ...query, userId: asker.account.userId },
        headers: { ...asker.account.session, ...headers },
      })
    const first = await ask()
    expect(first.statusCode, first.body.slice(0, 200)).toBe(200)
    expect(first.headers.etag).toMatch(/^W\/"/)
    // What changes by itself is held under any name.
    const again = await ask({ 'if-none-match': '*' })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })
})
