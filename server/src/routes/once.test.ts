import { afterAll, beforeAll, expect, test } from 'vitest'
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

  test('202: says when to look', async () => {
    const answer = await service.scan(caller.key, sourceForm(source), '/api/v1/scan?async=true')
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([202, '1'])
  })

  test('200: a session is told its limits too', async () => {
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
