import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { form, sourceForm } from '../testing/form.ts'
import { type ScanService, startScanService } from '../testing/scan-service.ts'

describeOnEachDatabase('POST /scan', (context) => {
  let service: ScanService
  beforeAll(async () => {
    service = await startScanService(context.database)
  })
  afterAll(() => service.close())

  const deprecation = {
    deprecation: expect.stringMatching(/^@\d{10}$/),
    sunset: expect.stringMatching(/GMT$/),
    link: '</api/v1/scan>; rel="successor-version"',
  }

  test('200: the earlier shape, with success as a string and bare numbers', async () => {
    const { key } = await service.newCaller()
    const answer = await service.scan(key, undefined, '/scan')
    expect(answer.statusCode).toBe(200)
    const result = answer.json()
    expect(result).toEqual({
      success: expect.any(String),
      message: expect.any(String),
      file: expect.stringMatching(/^uploads\/scn_[0-9a-z]+\.sol$/),
      vulnerabilitiesCount: result.dataVulnerabilities.length,
      dataVulnerabilities: expect.arrayContaining([{ vulnerabilityId: 103 }]),
    })
    expect(answer.headers).toMatchObject(deprecation)
  })

  test('200: the end is announced a year ahead at least', async () => {
    const { key } = await service.newCaller()
    const { headers } = await service.scan(key, undefined, '/scan')
    const since = Number(String(headers.deprecation).slice(1)) * 1000
    expect(Date.parse(String(headers.sunset)) - since).toBeGreaterThanOrEqual(365 * 86_400_000)
  })

  test('200: the same charge, and the same history', async () => {
    const { account, key } = await service.newCaller()
    await service.scan(key, undefined, '/scan')
    const plan = await service.get(`/api/v1/user-plan?userId=${account.userId}`, account.session)
    expect(plan.json().data.usage.scansToday).toBe(1)
    expect((await service.get('/api/v1/scans', key)).json().data.scans).toHaveLength(1)
  })

  test('200: an Idempotency-Key repeats the earlier shape', async () => {
    const { key } = await service.newCaller()
    const headers = { ...key, 'idempotency-key': 'legacy' }
    const first = await service.scan(headers, undefined, '/scan')
    const second = await service.scan(headers, undefined, '/scan')
    expect(second.body).toBe(first.body)
    expect(second.headers['idempotent-replayed']).toBe('true')
  })

  test('400: No file uploaded.', async () => {
    const { key } = await service.newCaller()
    const answer = await service.scan(key, form(), '/scan')
    expect([answer.statusCode, answer.json()]).toEqual([400, { error: 'No file uploaded.' }])
    expect(answer.headers).toMatchObject(deprecation)
  })

  test('401: no key', async () => {
    const answer = await service.scan({}, undefined, '/scan')
    expect([answer.statusCode, answer.json()]).toEqual([
      401,
      { error: 'API key is required. Please provide X-API-Key header.' },
    ])
    expect(answer.headers).toMatchObject(deprecation)
  })

  test('403: a bad key', async () => {
    expect((await service.scan({ 'x-api-key': 'nonsense' }, undefined, '/scan')).statusCode).toBe(403)
  })

  test('422: nothing in it is Solidity', async () => {
    const { key } = await service.newCaller()
    expect((await service.scan(key, sourceForm('%%%'), '/scan')).statusCode).toBe(422)
  })

  test('429: the day is spent together with the other endpoint', async () => {
    const { key } = await service.newCaller()
    for (let i = 0; i < 5; i++) await service.scan(key, undefined, i % 2 ? '/scan' : '/api/v1/scan')
    expect((await service.scan(key, undefined, '/scan')).statusCode).toBe(429)
  })
})
