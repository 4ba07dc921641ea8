import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { mailJob } from '../services/mail.ts'
import { deliverWebhookJob } from '../services/webhook-deliveries.ts'
import type { Schema } from '../stores/schema.ts'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { sourceForm } from '../testing/form.ts'
import { type ScanService, startScanService, type TestCaller } from '../testing/scan-service.ts'
import { routes } from './index.ts'

const source = 'pragma solidity 0.8.26;\ncontract A { uint256 public total; }\n'

describeOnEachDatabase('requests that may be repeated', (context) => {
  let service: ScanService
  let caller: TestCaller
  beforeAll(async () => {
    service = await startScanService(context.database)
    caller = await service.newCaller('pro')
  })
  afterAll(() => service.close())

  test('201: a webhook is made once for a key, and another request with it is refused', async () => {
    const headers = { ...caller.key, 'idempotency-key': 'hook' }
    const make = (url: string) => service.post('/api/v1/webhooks', { url }, headers)
    const first = await make('https://example.com/a')
    const second = await make('https://example.com/a')
    expect([first.statusCode, second.statusCode, second.headers['idempotent-replayed']]).toEqual([201, 201, 'true'])
    expect(second.json()).toEqual(first.json())
    const { total } = (await service.get('/api/v1/webhooks', caller.key)).json().data
    expect(total).toBe(1)
    expect((await make('https://example.com/b')).statusCode).toBe(422)
  })

  test('422: the name of the file is part of a scan', async () => {
    const headers = { ...caller.key, 'idempotency-key': 'named' }
    expect((await service.scan(headers, sourceForm(source, 'A.sol'))).statusCode).toBe(200)
    expect((await service.scan(headers, sourceForm(source, 'A.sol'))).headers['idempotent-replayed']).toBe('true')
    expect((await service.scan(headers, sourceForm(source, 'B.sol'))).statusCode).toBe(422)
  })

  test('every POST that makes something takes a key', () => {
    const makes = routes.filter(({ method, responses }) => method === 'POST' && 201 in responses)
    // A registration has no account yet that could keep an answer.
    const without = makes.filter(
      ({ requestHeaders, access }) => access !== 'public' && !requestHeaders?.['Idempotency-Key'],
    )
    expect(without.map(({ url }) => url)).toEqual([])
  })

  test('202: says when to look, also when it is repeated', async () => {
    const answer = await service.scan(caller.key, sourceForm(source), '/api/v1/scan?async=true')
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([202, '1'])
    const headers = { ...caller.key, 'idempotency-key': 'batch' }
    const queue = () => service.post('/api/v1/scans/batch', { sources: { 'A.sol': { content: source } } }, headers)
    const [first, second] = [await queue(), await queue()]
    expect(second.headers['idempotent-replayed']).toBe('true')
    const { batchId } = first.json()
    for (const { statusCode, headers } of [first, second])
      expect([statusCode, headers.location, headers['retry-after']]).toEqual([
        202,
        `/api/v1/scans/batch/${batchId}`,
        '1',
      ])
  })

  test('a repeated request makes nothing, and one that was refused is judged again', async () => {
    const scanId = (await service.scan(caller.key)).json().scanId
    const { keyId } = await service.deps.authenticateKey(caller.key['x-api-key'])
    const session = caller.account.session
    const requests: [string, object, Record<string, string>, number][] = [
      [`/api/v1/scans/${scanId}/links`, { expiresAt: '2099-01-01' }, caller.key, 400],
      [`/api/v1/scans/${scanId}/links`, {}, caller.key, 201],
      ['/api/v1/organisations', { name: 'Twice' }, session, 201],
      [`/api/v1/user-api-keys/${keyId}/rotate`, { userId: caller.account.userId, overlapSeconds: 3600 }, session, 200],
    ]
    for (const [url, body, headers, status] of requests) {
      const send = () =>
        service.post(url, body, { ...headers, 'idempotency-key': `twice ${url} ${status}`.replace(/\s/g, '-') })
      const [first, second] = [await send(), await send()]
      expect([url, first.statusCode, second.statusCode, second.json()]).toEqual([url, status, status, first.json()])
      expect(second.headers['idempotent-replayed']).toBe(status < 300 ? 'true' : undefined)
    }
  })

  describe('the answer is kept with the work', () => {
    beforeAll(() => {
      const { db, webhookSender } = service.deps
      vi.spyOn(webhookSender, 'post').mockResolvedValue({ kind: 'answered', status: 200, durationMs: 1 })
      // Names are looked up outside the transaction: on the embedded database this query would wait for its end.
      vi.spyOn(webhookSender, 'findProblem').mockImplementation(async () => {
        await db.selectFrom('accounts').select('id').execute()
        return null
      })
    })

    test('500: an answer that cannot be kept leaves nothing behind, and the repeated request makes one', async () => {
      const requests = await listRequests(service, caller)
      const paths = routes.filter(({ once }) => once).map(({ url }) => url)
      expect(Object.keys(requests).sort()).toEqual(paths.sort())
      for (const [route, [url, body]] of Object.entries(requests)) {
        const headers = { ...caller.account.session, 'idempotency-key': 'lost' }
        const send = () => service.post(url, body, headers)
        const before = await dump(service)
        vi.spyOn(service.deps.secrets, 'sealBytes').mockImplementationOnce(() => {
          throw new Error('no room left')
        })
        expect([route, (await send()).statusCode]).toEqual([route, 500])
        expect([route, await dump(service)]).toEqual([route, before])
        const first = await send()
        expect([route, Math.floor(first.statusCode / 100)]).toEqual([route, 2])
        const after = await dump(service)
        expect([route, after]).not.toEqual([route, before])
        const second = await send()
        expect([route, second.statusCode, second.headers['idempotent-replayed'], second.json()]).toEqual([
          route,
          first.statusCode,
          'true',
          first.json(),
        ])
        expect([route, await dump(service)]).toEqual([route, after])
      }
    })
  })

  test('200: a session sees its limits too', async () => {
    const answer = await service.get('/api/v1/scans', caller.account.session)
    expect(answer.headers).toMatchObject({ 'x-ratelimit-limit': '60000', ratelimit: expect.stringContaining('hourly') })
  })

  test('400: a problem says where it is', async () => {
    const accept = { accept: 'application/problem+json' }
    const body = await service.post('/api/v1/webhooks', { url: 7 }, { ...caller.key, ...accept })
    expect([body.statusCode, body.json()]).toEqual([400, expect.objectContaining({ pointer: '/url' })])
    const query = await service.get('/api/v1/scans?limit=0', { ...caller.key, ...accept })
    expect([query.statusCode, query.json()]).toEqual([400, expect.objectContaining({ parameter: 'limit' })])
    const unknown = await service.get('/api/v1/scans?limt=1', { ...caller.key, ...accept })
    expect(unknown.json()).toMatchObject({ parameter: 'limt' })
  })
})

/** What every request touches, whether it does its work or not. */
const touchedByAny = ['api_keys', 'idempotent_requests', 'key_usage', 'request_counts', 'sessions']

/** Everything that is stored, and how many jobs wait. */
async function dump({ deps: { db, queue } }: ScanService) {
  const tables = (await db.introspection.getTables()).filter(
    ({ schema, name }) => (schema ?? 'public') === 'public' && !touchedByAny.includes(name),
  )
  const stored: Record<string, unknown> = {}
  for (const { name } of tables)
    stored[name] = await db
      .selectFrom(name as keyof Schema)
      .selectAll()
      .execute()
  return { ...stored, waiting: [await queue.countWaiting(deliverWebhookJob), await queue.countWaiting(mailJob)] }
}

/** One for each route that keeps its answer, by its path. */
async function listRequests(
  service: ScanService,
  { account: { session }, key, keyId }: TestCaller,
): Promise<Record<string, readonly [url: string, body?: object]>> {
  const make = async (url: string, body?: object) => (await service.post(url, body, session)).json().data
  const { scanId } = (await service.scan(key)).json()
  const team = `/api/v1/organisations/${(await make('/api/v1/organisations', { name: 'Team' })).id}`
  const webhook = `/api/v1/webhooks/${(await make('/api/v1/webhooks', { url: 'https://example.com/each' })).id}`
  const [one, other] = [await make(`${webhook}/test`), await make(`${webhook}/test`)]
  await service.runJobs()
  return {
    '/api/v1/organisations': ['/api/v1/organisations', { name: 'Lost' }],
    '/api/v1/organisations/:organisationId/invitations': [`${team}/invitations`, { email: 'lost@example.com' }],
    '/api/v1/scans/:scanId/links': [`/api/v1/scans/${scanId}/links`, {}],
    '/api/v1/user-api-keys/:id/rotate': [`/api/v1/user-api-keys/${keyId}/rotate`, { overlapSeconds: 60 }],
    '/api/v1/webhooks': ['/api/v1/webhooks', { url: 'https://example.com/lost' }],
    '/api/v1/webhooks/:id/deliveries/:deliveryId/redeliver': [`${webhook}/deliveries/${one.id}/redeliver`],
    '/api/v1/webhooks/:id/rotate-secret': [`${webhook}/rotate-secret`, {}],
    '/api/v1/webhooks/:id/test': [`${webhook}/test`],
    '/api/v1/webhooks/deliveries/:deliveryId/redeliver': [`/api/v1/webhooks/deliveries/${other.id}/redeliver`],
  }
}
