import { afterAll, beforeAll, expect, test } from 'vitest'
import { scopes } from '../core/scopes.ts'
import { createApiKeyStore } from '../stores/api-keys.ts'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { type ScanService, startScanService } from '../testing/scan-service.ts'
import type { TestAccount } from '../testing/start-test-app.ts'

const lacks = (scope: string) => ({ error: `This API key may not be used for this. It takes the scope: ${scope}.` })

describeOnEachDatabase('keys with scopes and limits', (context) => {
  let service: ScanService
  beforeAll(async () => {
    service = await startScanService(context.database)
  })
  afterAll(() => service.close())

  const make = async (account: TestAccount, body: object) => {
    const whole = { userId: account.userId, type: 'PRODUCTION', name: 'ci', ...body }
    const answer = await service.post('/api/generate-api-key', whole, account.session)
    const { id, keyValue } = answer.json().apiKey ?? {}
    return { answer, id: String(id), key: { 'x-api-key': String(keyValue) } }
  }
  const change = (account: TestAccount, id: string, payload: object) =>
    service.inject({ method: 'PATCH', url: `/api/v1/user-api-keys/${id}`, payload, headers: account.session })
  const listed = async (account: TestAccount, id: string) => {
    const answer = await service.get(`/api/v1/user-api-keys?userId=${account.userId}`, account.session)
    return answer.json().data.apiKeys.find((key: { id: string }) => key.id === id)
  }
  const log = async (account: TestAccount) =>
    (await service.get('/api/v1/security-log', account.session)).json().data.events as {
      event: string
      detail: object
    }[]

  test('a key opens what its scopes are for, 403 elsewhere; without a choice, and before there was one, all of it', async () => {
    const account = await service.signUp({ plan: 'pro' })
    const webhook = { url: 'https://127.0.0.1:1/' }
    const requests = {
      scan: (key: Record<string, string>) => service.scan(key),
      read: (key: Record<string, string>) => service.get('/api/v1/scans', key),
      manage: (key: Record<string, string>) => service.post('/api/v1/webhooks', webhook, key),
    }
    const granted = { scan: 200, read: 200, manage: 201 }
    for (const given of [['scan'], ['read'], ['manage'], ['read', 'scan', 'scan']] as const) {
      const { key, id } = await make(account, { scopes: given })
      expect((await listed(account, id)).scopes).toEqual(scopes.filter((scope) => given.includes(scope as never)))
      for (const scope of scopes) {
        const answer = await requests[scope](key)
        if (given.includes(scope as never)) expect(answer.statusCode).toBe(granted[scope])
        else expect([answer.statusCode, answer.json()]).toEqual([403, lacks(scope)])
      }
    }
    const { key, id } = await make(account, {})
    expect((await createApiKeyStore(service.deps.db).find(account.userId, id))?.scopes).toBeNull()
    for (const scope of scopes) expect((await requests[scope](key)).statusCode).toBe(granted[scope])
  })

  test('400: no scope, one that there is not, limits that are none or above those of the account', async () => {
    const account = await service.signUp()
    for (const [body, error] of [
      [{ scopes: [] }, /^scopes/],
      [{ scopes: ['write'] }, /^scopes/],
      [{ requestsPerHour: 0 }, /^requestsPerHour/],
      [{ scansPerDay: 1.5 }, /^scansPerDay must be a whole number/],
      [{ requestsPerHour: 61 }, /^requestsPerHour must be at most 60, the limit of the account\.$/],
      [{ type: 'TEST', requestsPerHour: 121 }, /^requestsPerHour must be at most 120/],
      [{ scansPerDay: 6 }, /^scansPerDay must be at most 5/],
    ] as const) {
      const { answer } = await make(account, body)
      expect(answer.statusCode).toBe(400)
      expect(answer.json().error).toMatch(error)
    }
  })

  test('PATCH 200: another name, other scopes and limits hold at once, and stand in the log', async () => {
    const account = await service.signUp()
    const { id, key } = await make(account, {})
    expect((await service.get('/api/v1/scans', key)).statusCode).toBe(200)
    const answer = await change(account, id, { name: 'nightly', scopes: ['scan'], scansPerDay: 2 })
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['cache-control']).toBe('no-store')
    const changed = { id, name: 'nightly', scopes: ['scan'], scansPerDay: 2, requestsPerHour: null, status: 'ACTIVE' }
    expect(answer.json().apiKey).toMatchObject(changed)
    expect(await listed(account, id)).toMatchObject({ ...changed, lastUsedAt: expect.any(String) })
    expect((await service.get('/api/v1/scans', key)).json()).toEqual(lacks('read'))
    expect(await log(account)).toContainEqual(
      expect.objectContaining({
        event: 'key.changed',
        detail: { keyId: id, changed: 'name, scopes, scansPerDay' },
      }),
    )
    const back = await change(account, id, { scopes: ['scan', 'read', 'manage'], scansPerDay: null })
    expect(back.json().apiKey).toMatchObject({ name: 'nightly', scopes, scansPerDay: null })
    expect((await change(account, id, {})).statusCode).toBe(200)
  })

  test('PATCH 400, 401, 404: a limit above the account’s, no session, a key of another account', async () => {
    const [account, other] = [await service.signUp(), await service.signUp()]
    const { id, key } = await make(account, {})
    expect((await change(account, id, { scansPerDay: 6 })).statusCode).toBe(400)
    expect((await change(account, id, { name: ' ' })).statusCode).toBe(400)
    const url = `/api/v1/user-api-keys/${id}`
    expect((await service.inject({ method: 'PATCH', url, payload: {}, headers: key })).statusCode).toBe(401)
    const foreign = await change(other, id, { name: 'mine' })
    expect([foreign.statusCode, foreign.json()]).toEqual([404, { error: 'API key not found.' }])
  })

  test('429: the hour of the key is spent before that of the account, and the headers tell so', async () => {
    const account = await service.signUp()
    const { key } = await make(account, { requestsPerHour: 2 })
    const first = await service.get('/api/v1/scans', key)
    expect(first.headers).toMatchObject({ 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '1' })
    expect(first.headers['ratelimit-policy']).toContain('"key-hourly";q=2;w=3600')
    expect(first.headers.ratelimit).toContain('"hourly";r=59;')
    await service.get('/api/v1/scans', key)
    const spent = await service.get('/api/v1/scans', key)
    expect([spent.statusCode, spent.json()]).toEqual([429, { error: 'The hourly limit of this API key is exceeded.' }])
    expect(spent.headers).toMatchObject({ 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '0' })
    expect(Number(spent.headers['retry-after'])).toBeGreaterThan(0)
    const { key: another } = await make(account, {})
    expect((await service.get('/api/v1/usage', another)).json().data.today.requestsThisHour).toBe(4)
    service.clock.travel('PT1H')
    expect((await service.get('/api/v1/scans', key)).statusCode).toBe(200)
  })

  test('429: of ten scans at once a key takes no more than its own day has, and gives back what failed', async () => {
    const account = await service.signUp({ plan: 'basic' })
    const { key } = await make(account, { scansPerDay: 3 })
    const empty = await service.scan(key, { payload: Buffer.from(''), headers: { 'content-type': 'text/plain' } })
    expect(empty.statusCode).toBe(400)
    const answers = await Promise.all(Array.from({ length: 10 }, () => service.scan(key)))
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(3)
    const spent = await service.scan(key)
    expect(spent.statusCode).toBe(429)
    expect(spent.json().error).toMatch(/^The daily scan limit of this API key is exceeded. It resets at 20/)
    expect(spent.headers).toMatchObject({ 'x-ratelimit-limit': '3', 'x-ratelimit-remaining': '0' })
    expect(spent.headers.ratelimit).toContain('"key-daily-scans";r=0;')
    const { key: another } = await make(account, {})
    const other = await service.scan(another)
    expect([other.statusCode, other.headers.ratelimit]).toEqual([200, expect.stringContaining('"daily-scans";r=96;')])
    service.clock.travel('P1D')
    const next = await service.scan(key)
    expect([next.statusCode, next.headers.ratelimit]).toEqual([200, expect.stringContaining('"key-daily-scans";r=2;')])
  })

  test('429: a scan with a result that is no Solidity costs a key nothing', async () => {
    const account = await service.signUp({ plan: 'basic' })
    const { key } = await make(account, { scansPerDay: 1 })
    const form = (text: string) => ({ payload: { fileName: 'A.sol', source: text }, headers: key })
    const scan = (text: string) => service.inject({ method: 'POST', url: '/api/v1/scan', ...form(text) })
    expect((await scan('this is no contract')).statusCode).toBe(422)
    expect((await scan('contract A {}')).statusCode).toBe(200)
    expect((await scan('contract A {}')).statusCode).toBe(429)
  })

  test('429: queued scans hold places of the key, which a cancelled one gives back', async () => {
    const account = await service.signUp({ plan: 'basic' })
    const { key } = await make(account, { scansPerDay: 2, scopes: ['scan', 'read'] })
    const batch = (count: number) => {
      const sources = Array.from({ length: count }, (_, n) => ({ fileName: `A${n}.sol`, source: 'contract A {}' }))
      return service.post('/api/v1/scans/batch', { scans: sources }, key)
    }
    const refused = await batch(3)
    expect(refused.statusCode, refused.body).toBe(429)
    expect(refused.json().error).toMatch(/^The daily scan limit of this API key/)
    const accepted = await batch(2)
    expect(accepted.statusCode, accepted.body).toBe(202)
    expect((await service.scan(key)).statusCode).toBe(429)
    const url = `/api/v1/scans/batch/${accepted.json().batchId}`
    const cancelled = await service.inject({ method: 'DELETE', url, headers: key })
    expect(cancelled.json().cancelled).toBe(2)
    expect((await service.scan(key)).statusCode).toBe(200)
  })

  test('a rotated key keeps scopes and limits', async () => {
    const account = await service.signUp()
    const { id } = await make(account, { scopes: ['scan'], requestsPerHour: 10, scansPerDay: 2 })
    const rotated = await service.post(`/api/v1/user-api-keys/${id}/rotate`, {}, account.session)
    expect(await listed(account, rotated.json().apiKey.id)).toMatchObject({
      scopes: ['scan'],
      requestsPerHour: 10,
      scansPerDay: 2,
    })
  })

  test('what a key changes stands in the log with the key: findings, upgrades, webhooks, deletions', async () => {
    const account = await service.signUp({ plan: 'basic' })
    const { key, id } = await make(account, {})
    const { scanId } = (await service.scan(key)).json()
    const [finding] = (await service.get('/api/v1/findings', key)).json().data.findings
    const url = `/api/v1/findings/${finding.id}`
    await service.inject({ method: 'PATCH', url, payload: { state: 'accepted' }, headers: key })
    expect((await service.post('/api/upgrade-plan', { newPlan: 'pro' }, key)).statusCode).toBe(200)
    await service.inject({ method: 'DELETE', url: `/api/v1/scans/${scanId}`, headers: key })
    const events = await log(account)
    // Within one millisecond they stand in any order.
    for (const event of [
      { event: 'scan.deleted', detail: { scanId, keyId: id } },
      { event: 'plan.upgrade-requested', detail: { plan: 'pro', keyId: id } },
      { event: 'finding.decided', detail: { findingId: finding.id, state: 'accepted', keyId: id } },
    ]) {
      expect(events).toContainEqual(expect.objectContaining(event))
    }
    await service.runJobs()
    const mails = service.mails.filter(({ to, subject }) => to === account.email && subject.includes('made a change'))
    expect(mails.map(({ text }) => text.split(' with the API key')[0]).sort()).toEqual([
      expect.stringContaining('A plan upgrade was started'),
      expect.stringContaining('A scan was deleted'),
    ])
  })
})
