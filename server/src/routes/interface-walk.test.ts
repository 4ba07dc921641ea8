import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { sourceForm } from '../testing/form.ts'
import { floatingSource, type ScanService, startScanService } from '../testing/scan-service.ts'

/** A client that knows the written interface and nothing else: it keeps no cookies and sends no token. */
describeOnEachDatabase('the flow of the interface', (context) => {
  let service: ScanService
  beforeAll(async () => {
    service = await startScanService(context.database)
  })
  afterAll(() => service.close())

  const home = '198.51.100.20'
  const post = (url: string, payload: object, remoteAddress = home) =>
    service.inject({ method: 'POST', url, payload, remoteAddress })
  const get = (url: string, remoteAddress = home) => service.inject({ method: 'GET', url, remoteAddress })

  async function logIn(email: string): Promise<string> {
    const password = 'a long enough password'
    const registered = await post('/api/register', { email, password, name: 'Ada' })
    expect(registered.statusCode, registered.body).toBe(201)
    await service.runJobs()
    const verified = await post('/api/verify-email', { email, otp: service.lastCode(email) })
    expect(verified.statusCode, verified.body).toBe(200)
    const loggedIn = await post('/api/login', { email, password })
    expect(loggedIn.statusCode, loggedIn.body).toBe(200)
    expect(loggedIn.json().userId).toBe(registered.json().userId)
    return loggedIn.json().userId
  }

  test('register, code, log in, generate a key by userId, scan, list keys, read the plan', async () => {
    const userId = await logIn('walk@example.com')
    const made = await post('/api/generate-api-key', { userId, type: 'PRODUCTION', name: 'production-key' })
    expect(made.statusCode, made.body).toBe(201)
    const { keyValue } = made.json().apiKey
    const { payload, headers } = sourceForm(floatingSource)
    const scanned = await service.inject({
      method: 'POST',
      url: '/api/v1/scan',
      payload,
      headers: { ...headers, 'x-api-key': keyValue },
      remoteAddress: home,
    })
    expect([scanned.statusCode, scanned.json().success]).toEqual([200, true])
    const listed = await get(`/api/v1/user-api-keys?userId=${userId}`)
    expect(listed.json().data).toMatchObject({ total: 1, apiKeys: [{ keyValue, status: 'ACTIVE' }] })
    const plan = await get(`/api/v1/user-plan?userId=${userId}`)
    expect(plan.json().data).toMatchObject({ plan: 'free', usage: { scansToday: 1 } })
  })

  test('401: the same walk from another address', async () => {
    const userId = await logIn('elsewhere@example.com')
    const other = '203.0.113.9'
    const wish = { userId, type: 'PRODUCTION', name: 'production-key' }
    for (const answer of [
      await post('/api/generate-api-key', wish, other),
      await get(`/api/v1/user-api-keys?userId=${userId}`, other),
      await get(`/api/v1/user-plan?userId=${userId}`, other),
    ]) {
      expect([answer.statusCode, answer.json()]).toEqual([
        401,
        { error: 'Log in first: send the token from POST /api/login as a Bearer token or cookie.' },
      ])
    }
    expect((await get(`/api/v1/user-api-keys?userId=${userId}`)).json().data.total).toBe(0)
  })
})
