import { afterAll, beforeAll, expect, test, vi } from 'vitest'
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

  test('500: an answer that cannot be kept leaves nothing behind', async () => {
    const headers = { ...caller.account.session, 'idempotency-key': 'lost' }
    const make = () => service.post('/api/v1/organisations', { name: 'Lost' }, headers)
    const seal = vi.spyOn(service.deps.secrets, 'sealBytes').mockImplementationOnce(() => {
      throw new Error('no room left')
    })
    expect((await make()).statusCode).toBe(500)
    seal.mockRestore()
    const named = async () => {
      const { organisations } = (await service.get('/api/v1/organisations', caller.account.session)).json().data
      return (organisations as { name: string }[]).filter(({ name }) => name === 'Lost').length
    }
    expect(await named()).toBe(0)
    expect((await make()).statusCode).toBe(201)
    expect(await named()).toBe(1)
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
