import { expect, test } from 'vitest'
import { addMonths } from '../core/clock.ts'
import { createAccountStore } from '../stores/accounts.ts'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { startTestApp, type TestAccount, useTestApp } from '../testing/start-test-app.ts'

const logInFirst = { error: 'Log in first: send the token from POST /api/login as a Bearer token or cookie.' }
const foreign = { error: 'This userId does not belong to the logged-in account.' }
const invalidKey = { error: 'Invalid or expired API key' }

describeOnEachDatabase('API keys', (context) => {
  const suite = useTestApp(context)
  const generate = (account: TestAccount, body: object = {}, headers: object = {}) =>
    suite.app.post(
      '/api/generate-api-key',
      { userId: account.userId, type: 'PRODUCTION', name: 'ci', ...body },
      { ...account.session, ...headers },
    )
  const list = async (account: TestAccount) =>
    (await suite.app.get(`/api/v1/user-api-keys?userId=${account.userId}`, account.session)).json().data
  const rotate = (account: TestAccount, id: string, body: object = {}) =>
    suite.app.post(`/api/v1/user-api-keys/${id}/rotate`, body, account.session)
  const revoke = (account: TestAccount, id: string) =>
    suite.app.inject({ method: 'DELETE', url: `/api/v1/user-api-keys/${id}`, headers: account.session })
  /** A route that a key opens, whatever else it needs. */
  const use = (keyValue: string, app = suite.app) => app.get('/api/v1/scans', { 'x-api-key': keyValue })

  test('generate 201: a key of thirteen or of four calendar months, reported by mail without its value', async () => {
    const account = await suite.app.signUp()
    const live = await generate(account)
    expect(live.statusCode).toBe(201)
    expect(live.headers['cache-control']).toBe('no-store')
    expect(live.json()).toEqual({
      message: 'API key created. Keep it out of source code.',
      apiKey: {
        id: expect.stringMatching(/^key_/),
        keyValue: expect.stringMatching(/^assay_live_[0-9A-Za-z]{38}$/),
        type: 'PRODUCTION',
        expiresAt: '2027-04-10T12:00:00.000Z',
      },
    })
    const trial = (await generate(account, { type: 'TEST' })).json().apiKey
    expect(trial.keyValue).toMatch(/^assay_test_/)
    expect(trial.expiresAt).toBe('2026-07-10T12:00:00.000Z')
    await suite.app.runJobs()
    const mails = suite.app.mails.filter(({ to, subject }) => to === account.email && subject.includes('new API key'))
    expect(mails).toHaveLength(2)
    expect(JSON.stringify(suite.app.mails)).not.toContain(live.json().apiKey.keyValue)
  })

  test.each([
    [{ userId: undefined }, 'userId is required.'],
    [{ type: undefined }, 'type is required.'],
    [{ type: 'LIVE' }, 'type must be one of: PRODUCTION, TEST.'],
    [{ name: undefined }, 'name is required.'],
    [{ name: 'x'.repeat(101) }, 'name must have at most 100 characters.'],
  ])('generate 400: %j → %s', async (body, error) => {
    const answer = await generate(await suite.app.signUp(), body)
    expect([answer.statusCode, answer.json()]).toEqual([400, { error }])
  })

  test('generate 201: expiresInDays chooses another lifetime, up to three years or six months', async () => {
    const account = await suite.app.signUp()
    const { clock } = suite.app
    const day = (count: number) => new Date(clock.now().getTime() + count * 86_400_000)
    const latest = (months: number) =>
      Math.floor((addMonths(clock.now(), months).getTime() - day(0).getTime()) / 86_400_000)
    for (const [type, days] of [
      ['PRODUCTION', 30],
      ['PRODUCTION', latest(36)],
      ['TEST', latest(6)],
    ] as const) {
      const { apiKey } = (await generate(account, { type, expiresInDays: days })).json()
      expect(apiKey.expiresAt).toBe(day(days).toISOString())
    }
    for (const [type, days] of [
      ['PRODUCTION', latest(36) + 1],
      ['TEST', latest(6) + 1],
    ] as const) {
      const answer = await generate(account, { type, expiresInDays: days })
      expect([answer.statusCode, answer.json()]).toEqual([
        400,
        { error: `expiresInDays must be at most ${days - 1} for a ${type} key.` },
      ])
    }
    expect((await generate(account, { expiresInDays: 0 })).statusCode).toBe(400)
    expect((await generate(account, { expiresInDays: 1.5 })).json()).toEqual({
      error: 'expiresInDays must be a whole number.',
    })
  })

  test('429: sixty keys made, rotated or revoked within the hour, so that mails do not flood', async () => {
    const account = await suite.app.signUp()
    for (let n = 0; n < 30; n++) {
      const { id } = (await generate(account)).json().apiKey
      expect((await revoke(account, id)).statusCode).toBe(200)
    }
    const answer = await generate(account)
    expect([answer.statusCode, answer.json()]).toEqual([
      429,
      { error: 'Too many API keys created or revoked. Try again later.' },
    ])
    suite.app.clock.travel('PT1H')
    expect((await generate(account)).statusCode).toBe(201)
  })

  test('generate 401: without a session', async () => {
    const answer = await suite.app.post('/api/generate-api-key', { userId: 'usr_1', type: 'TEST', name: 'x' })
    expect([answer.statusCode, answer.json()]).toEqual([401, logInFirst])
  })

  test('generate 403: for another account', async () => {
    const [mine, other] = [await suite.app.signUp(), await suite.app.signUp()]
    const answer = await generate(mine, { userId: other.userId })
    expect([answer.statusCode, answer.json()]).toEqual([403, foreign])
  })

  test('generate 409: the twenty-sixth active key, also when many are asked for at once', async () => {
    const account = await suite.app.signUp()
    const answers = await Promise.all(Array.from({ length: 30 }, () => generate(account)))
    expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(25)
    const refused = answers.find(({ statusCode }) => statusCode === 409)
    expect(refused?.json()).toEqual({ error: 'An account can have at most 25 active API keys. Revoke one first.' })
    const { apiKeys } = await list(account)
    await revoke(account, apiKeys[0].id)
    expect((await generate(account)).statusCode).toBe(201)
  })

  test('generate with an Idempotency-Key: the same answer again, one key; other content 422', async () => {
    const account = await suite.app.signUp()
    const header = { 'idempotency-key': 'once-1' }
    const first = await generate(account, {}, header)
    const again = await generate(account, {}, header)
    expect([again.statusCode, again.json()]).toEqual([201, first.json()])
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect(first.headers['idempotent-replayed']).toBeUndefined()
    expect((await list(account)).total).toBe(1)
    const other = await generate(account, { name: 'other' }, header)
    expect([other.statusCode, other.json()]).toEqual([
      422,
      { error: 'This Idempotency-Key was already used with a different request.' },
    ])
    suite.app.clock.travel('P1D')
    expect((await generate(account, { name: 'other' }, header)).statusCode).toBe(201)
  })

  test('generate with an Idempotency-Key: of five at once one key is made', async () => {
    const account = await suite.app.signUp()
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => generate(account, {}, { 'idempotency-key': 'at-once' })),
    )
    const codes = new Set(answers.map(({ statusCode }) => statusCode))
    expect([...codes].every((code) => code === 201 || code === 409)).toBe(true)
    expect((await list(account)).total).toBe(1)
  })

  test('generate with an Idempotency-Key: a refused request may be tried again; a bad key is 400', async () => {
    const account = await suite.app.signUp()
    const header = { 'idempotency-key': 'after-refusal' }
    await Promise.all(Array.from({ length: 25 }, () => generate(account)))
    expect((await generate(account, {}, header)).statusCode).toBe(409)
    await revoke(account, (await list(account)).apiKeys[0].id)
    expect((await generate(account, {}, header)).statusCode).toBe(201)
    const bad = await generate(account, {}, { 'idempotency-key': 'x'.repeat(256) })
    expect([bad.statusCode, bad.json()]).toEqual([
      400,
      { error: 'Idempotency-Key must have 1 to 255 visible ASCII characters.' },
    ])
  })

  test('list 200: every key in full, with its status and last use', async () => {
    const account = await suite.app.signUp()
    const live = await suite.app.makeKey(account)
    const trial = await suite.app.makeKey(account, 'TEST')
    await revoke(account, live.id)
    await use(trial.keyValue)
    const answer = await suite.app.get(`/api/v1/user-api-keys?userId=${account.userId}`, account.session)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.json()).toMatchObject({ success: true, message: 'API keys retrieved.', data: { total: 2 } })
    const { apiKeys } = answer.json().data
    const byId = Object.fromEntries(apiKeys.map((key: { id: string }) => [key.id, key]))
    const now = suite.app.clock.now().toISOString()
    expect(byId[live.id]).toMatchObject({
      name: 'test',
      keyValue: live.keyValue,
      type: 'PRODUCTION',
      status: 'REVOKED',
      lastUsedAt: null,
    })
    expect(byId[trial.id]).toMatchObject({ keyValue: trial.keyValue, type: 'TEST', status: 'ACTIVE', lastUsedAt: now })
  })

  test('list 400, 401 and 403', async () => {
    const [mine, other] = [await suite.app.signUp(), await suite.app.signUp()]
    const get = (query: string, headers = {}) => suite.app.get(`/api/v1/user-api-keys${query}`, headers)
    expect((await get('', mine.session)).json()).toEqual({ error: 'userId is required.' })
    expect((await get(`?userId=${mine.userId}`)).json()).toEqual(logInFirst)
    const answer = await get(`?userId=${other.userId}`, mine.session)
    expect([answer.statusCode, answer.json()]).toEqual([403, foreign])
  })

  test('a key is kept as an index and a sealed text, neither of which holds it', async () => {
    const account = await suite.app.signUp()
    const { id, keyValue } = await suite.app.makeKey(account)
    const row = await context.database.db
      .selectFrom('api_keys')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toContain(keyValue)
    expect(JSON.stringify(row)).not.toContain(keyValue.slice(11, 30))
    expect(row.sealed).toMatch(/^v1\./)
  })

  test('revoke 200: the key is refused at once on this replica, within five seconds on another', async () => {
    const other = await startTestApp({ database: context.database, clock: suite.app.clock })
    const account = await suite.app.signUp()
    const { id, keyValue } = await suite.app.makeKey(account)
    expect((await use(keyValue)).statusCode).not.toBe(403)
    expect((await use(keyValue, other)).statusCode).not.toBe(403)
    const answer = await revoke(account, id)
    expect([answer.statusCode, answer.json()]).toEqual([200, { success: true, message: 'API key revoked.' }])
    const refused = await use(keyValue)
    expect([refused.statusCode, refused.json()]).toEqual([403, invalidKey])
    suite.app.clock.travel('PT5S')
    expect((await use(keyValue, other)).statusCode).toBe(403)
    expect((await revoke(account, id)).statusCode).toBe(200)
    await other.close()
  })

  test('revoke and rotate 404: unknown, foreign and malformed ids', async () => {
    const [mine, other] = [await suite.app.signUp(), await suite.app.signUp()]
    const { id } = await suite.app.makeKey(other)
    for (const wrong of [id, 'key_unknown', '%00', '%zz']) {
      const answers = [await revoke(mine, wrong), await rotate(mine, wrong)]
      for (const answer of answers) {
        expect([answer.statusCode, answer.json()]).toEqual([404, { error: 'API key not found.' }])
      }
    }
    expect((await list(other)).apiKeys[0].status).toBe('ACTIVE')
  })

  test('revoke and rotate 401: without a session', async () => {
    const answers = [
      await suite.app.inject({ method: 'DELETE', url: '/api/v1/user-api-keys/key_1' }),
      await suite.app.post('/api/v1/user-api-keys/key_1/rotate', {}),
    ]
    for (const answer of answers) expect([answer.statusCode, answer.json()]).toEqual([401, logInFirst])
  })

  test('rotate 200: both keys work during the overlap, then only the new one', async () => {
    const account = await suite.app.signUp()
    const old = await suite.app.makeKey(account, 'TEST')
    const answer = await rotate(account, old.id, { overlapSeconds: 3600 })
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['cache-control']).toBe('no-store')
    const { apiKey, previous, message } = answer.json()
    expect(message).toBe('API key rotated.')
    expect(apiKey).toMatchObject({ type: 'TEST' })
    const end = new Date(suite.app.clock.now().getTime() + 3_600_000).toISOString()
    expect(previous).toEqual({ id: old.id, expiresAt: end })
    expect((await use(old.keyValue)).statusCode).not.toBe(403)
    expect((await use(apiKey.keyValue)).statusCode).not.toBe(403)
    suite.app.clock.travel('PT1H')
    expect((await use(old.keyValue)).json()).toEqual(invalidKey)
    expect((await use(apiKey.keyValue)).statusCode).not.toBe(403)
    const byId = Object.fromEntries((await list(account)).apiKeys.map((key: { id: string }) => [key.id, key]))
    expect(byId[old.id].status).toBe('EXPIRED')
  })

  test('rotate 200: without an overlap the old key ends now', async () => {
    const account = await suite.app.signUp()
    const old = await suite.app.makeKey(account)
    await use(old.keyValue)
    expect((await rotate(account, old.id)).statusCode).toBe(200)
    expect((await use(old.keyValue)).statusCode).toBe(403)
  })

  test('rotate 400: an overlap that is none', async () => {
    const account = await suite.app.signUp()
    const { id } = await suite.app.makeKey(account)
    const errors = []
    for (const overlapSeconds of [-1, 1.5, 'long', 31 * 86_400]) {
      errors.push((await rotate(account, id, { overlapSeconds })).json().error)
    }
    expect(errors).toEqual([
      'overlapSeconds must be at least 0.',
      'overlapSeconds must be a whole number.',
      'overlapSeconds must be a number.',
      'overlapSeconds must be at most 2592000.',
    ])
  })

  test('rotate 409: a revoked key, and rotation cannot pile keys up', async () => {
    const account = await suite.app.signUp()
    const { id } = await suite.app.makeKey(account)
    await revoke(account, id)
    const answer = await rotate(account, id)
    expect([answer.statusCode, answer.json()]).toEqual([409, { error: 'Only an active API key can be rotated.' }])
    await Promise.all(Array.from({ length: 25 }, () => generate(account)))
    const [first, second] = (await list(account)).apiKeys.filter(
      ({ status }: { status: string }) => status === 'ACTIVE',
    )
    expect((await rotate(account, first.id, { overlapSeconds: 60 })).statusCode).toBe(200)
    expect((await rotate(account, second.id, { overlapSeconds: 60 })).statusCode).toBe(409)
  })

  test('401: no key where one is needed', async () => {
    for (const headers of [{}, { 'x-api-key': '' }, { 'x-api-key': '  ' }]) {
      const answer = await suite.app.get('/api/v1/scans', headers)
      expect([answer.statusCode, answer.json()]).toEqual([
        401,
        { error: 'API key is required. Please provide X-API-Key header.' },
      ])
    }
  })

  test('403: unknown, mistyped and expired keys, and the key decides when a session comes along', async () => {
    const account = await suite.app.signUp()
    const { keyValue } = await suite.app.makeKey(account, 'TEST')
    const mistyped = keyValue.slice(0, -1) + (keyValue.endsWith('a') ? 'b' : 'a')
    const { keyValue: unknown } = await suite.app.makeKey(await suite.app.signUp())
    await context.database.db.deleteFrom('api_keys').where('account_id', '!=', account.userId).execute()
    for (const value of ['x', 'assay_live_', mistyped, unknown, `${keyValue}a`]) {
      const answer = await suite.app.get('/api/v1/scans', { 'x-api-key': value, ...account.session })
      expect([answer.statusCode, answer.json()]).toEqual([403, invalidKey])
    }
    suite.app.clock.travel('P4M')
    expect((await use(keyValue)).json()).toEqual(invalidKey)
  })

  test('a mistyped key costs no query, a good one costs one for several requests', async () => {
    const account = await suite.app.signUp()
    const { keyValue } = await suite.app.makeKey(account)
    const { keyAuthenticator } = suite.app.deps
    const seen: string[] = []
    const real = suite.app.deps.secrets.indexes
    suite.app.deps.secrets.indexes = (purpose, value) => {
      seen.push(purpose)
      return real(purpose, value)
    }
    await expect(keyAuthenticator.authenticate(`${keyValue.slice(0, -1)}!`)).rejects.toThrow(
      'Invalid or expired API key',
    )
    for (let n = 0; n < 5; n++) await keyAuthenticator.authenticate(keyValue)
    suite.app.deps.secrets.indexes = real
    expect(seen).toEqual(['api-key'])
  })

  test('an owner on a paid plan is notified once that a key is about to expire', async () => {
    const account = await suite.app.signUp({ plan: 'basic' })
    const free = await suite.app.signUp()
    await suite.app.makeKey(account, 'TEST')
    await suite.app.makeKey(free, 'TEST')
    const notices = () => suite.app.mails.filter(({ subject }) => subject === 'An Assay API key is about to expire')
    suite.app.clock.travel('P107D')
    await suite.app.runJobs()
    expect(notices().map(({ to }) => to)).not.toContain(account.email)
    suite.app.clock.travel('P2D')
    // The plan lapsed with the time that passed: what matters here is the plan on that day.
    await createAccountStore(context.database.db).setPlan(account.userId, 'basic', suite.app.clock.now().getTime())
    await suite.app.runJobs()
    suite.app.clock.travel('P1D')
    await suite.app.runJobs()
    expect(notices().filter(({ to }) => to === account.email)).toHaveLength(1)
    expect(notices().map(({ to }) => to)).not.toContain(free.email)
  })
})
