import { expect, test } from 'vitest'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { useTestApp } from '../testing/start-test-app.ts'

const logInFirst = { error: 'Log in first: send the token from POST /api/login as a Bearer token or cookie.' }
const crossSite = {
  error: 'A change authorized by a cookie must come from the same origin. Send the token as a Bearer token instead.',
}

describeOnEachDatabase('sessions', (context) => {
  const suite = useTestApp(context)

  test('GET /api/me 200: the account, by Bearer token and by cookie', async () => {
    const { email, userId, token, session } = await suite.app.signUp()
    const expected = { userId, email, name: 'Ada', verified: true, plan: 'free', createdAt: '2026-03-10T12:00:00.000Z' }
    expect((await suite.app.get('/api/me', session)).json()).toEqual(expected)
    expect((await suite.app.get('/api/me', { cookie: `assay_session=${token}` })).json()).toEqual(expected)
  })

  test.each([
    ['nothing', {}],
    ['an unknown token', { authorization: `Bearer ${'0'.repeat(64)}` }],
    ['a malformed token', { authorization: 'Bearer x' }],
    ['another scheme', { authorization: 'Basic YTpi' }],
    ['an unknown cookie', { cookie: `assay_session=${'0'.repeat(64)}` }],
    ['an API key only', { 'x-api-key': 'assay_live_x' }],
  ])('GET /api/me 401: with %s', async (_what, headers) => {
    const answer = await suite.app.get('/api/me', headers)
    expect([answer.statusCode, answer.json()]).toEqual([401, logInFirst])
  })

  test('POST /api/logout 200: ends this session alone and clears the cookie', async () => {
    const { email, password, session } = await suite.app.signUp()
    const other = (await suite.app.post('/api/login', { email, password })).json().token
    const answer = await suite.app.post('/api/logout', undefined, session)
    expect([answer.statusCode, answer.json()]).toEqual([200, { message: 'Logged out.' }])
    expect(answer.cookies[0]).toMatchObject({ name: 'assay_session', value: '' })
    expect((await suite.app.get('/api/me', session)).statusCode).toBe(401)
    expect((await suite.app.get('/api/me', { authorization: `Bearer ${other}` })).statusCode).toBe(200)
  })

  test('POST /api/logout 401: without a session', async () => {
    const answer = await suite.app.post('/api/logout')
    expect([answer.statusCode, answer.json()]).toEqual([401, logInFirst])
  })

  test.each([
    ['from the same origin', { 'sec-fetch-site': 'same-origin' }],
    ['with our own Origin', { origin: 'http://127.0.0.1:3000', host: '127.0.0.1:3000' }],
    ['with a loopback Origin that was asked', { origin: 'http://localhost:3000', host: 'localhost:3000' }],
  ])('a cookie may change something %s', async (_where, headers) => {
    const { token } = await suite.app.signUp()
    const answer = await suite.app.post('/api/logout', undefined, { cookie: `assay_session=${token}`, ...headers })
    expect(answer.statusCode).toBe(200)
  })

  test.each([
    ['nothing said of where it comes from', {}],
    ['a cross-site fetch', { 'sec-fetch-site': 'cross-site' }],
    ['a sibling site', { 'sec-fetch-site': 'same-site' }],
    ['a typed address', { 'sec-fetch-site': 'none' }],
    ['a foreign Origin', { origin: 'https://evil.example', host: '127.0.0.1:3000' }],
    ['an Origin that is not the host asked', { origin: 'http://localhost:3000', host: '127.0.0.1:3000' }],
    ['a foreign host that resolves to us', { origin: 'http://evil.example', host: 'evil.example' }],
    ['a null Origin', { origin: 'null', host: '127.0.0.1:3000' }],
    [
      'our Origin with a fetch that is not ours',
      { 'sec-fetch-site': 'cross-site', origin: 'http://127.0.0.1:3000', host: '127.0.0.1:3000' },
    ],
  ])('403: a cookie may change nothing with %s', async (_what, headers) => {
    const { token } = await suite.app.signUp()
    const answer = await suite.app.post('/api/logout', undefined, { cookie: `assay_session=${token}`, ...headers })
    expect([answer.statusCode, answer.json()]).toEqual([403, crossSite])
  })

  test('a cookie may read from anywhere, and a Bearer token needs no origin', async () => {
    const { token, session } = await suite.app.signUp()
    const foreign = { 'sec-fetch-site': 'cross-site' }
    expect((await suite.app.get('/api/me', { cookie: `assay_session=${token}`, ...foreign })).statusCode).toBe(200)
    expect((await suite.app.post('/api/logout', undefined, { ...session, ...foreign })).statusCode).toBe(200)
  })

  test('GET /api/v1/sessions 200: where one is logged in', async () => {
    const { email, password, session } = await suite.app.signUp()
    suite.app.clock.travel('PT1M')
    await suite.app.post('/api/login', { email, password }, { 'user-agent': 'curl/8' })
    const answer = await suite.app.get('/api/v1/sessions', session)
    expect(answer.statusCode).toBe(200)
    const { sessions } = answer.json().data
    expect(sessions).toHaveLength(2)
    expect(sessions[0]).toMatchObject({ userAgent: 'curl/8', address: '127.0.0.1', current: false })
    expect(sessions[1]).toMatchObject({ current: true })
    expect(answer.body).not.toMatch(/[0-9a-f]{64}/)
  })

  test('GET /api/v1/sessions 401: without a session', async () => {
    expect((await suite.app.get('/api/v1/sessions')).json()).toEqual(logInFirst)
  })

  test('DELETE /api/v1/sessions/{id} 200: that session is over', async () => {
    const { email, password, session } = await suite.app.signUp()
    const { token } = (await suite.app.post('/api/login', { email, password })).json()
    const { sessions } = (await suite.app.get('/api/v1/sessions', session)).json().data
    const other = sessions.find(({ current }: { current: boolean }) => !current)
    const answer = await suite.app.inject({ method: 'DELETE', url: `/api/v1/sessions/${other.id}`, headers: session })
    expect([answer.statusCode, answer.json()]).toEqual([200, { success: true, message: 'Session ended.' }])
    expect((await suite.app.get('/api/me', { authorization: `Bearer ${token}` })).statusCode).toBe(401)
    expect((await suite.app.get('/api/me', session)).statusCode).toBe(200)
  })

  test.each(['ses_unknown', 'x', '%00', '%zz', 'a%20b'])('DELETE /api/v1/sessions/%s 404', async (id) => {
    const { session } = await suite.app.signUp()
    const answer = await suite.app.inject({ method: 'DELETE', url: `/api/v1/sessions/${id}`, headers: session })
    expect([answer.statusCode, answer.json()]).toEqual([404, { error: 'Session not found.' }])
  })

  test('DELETE /api/v1/sessions/{id} 401: without a session', async () => {
    const answer = await suite.app.inject({ method: 'DELETE', url: '/api/v1/sessions/ses_1' })
    expect([answer.statusCode, answer.json()]).toEqual([401, logInFirst])
  })

  test('GET /api/v1/security-log 200: newest first, page by page', async () => {
    const { email, password, session } = await suite.app.signUp()
    for (let n = 0; n < 3; n++) {
      suite.app.clock.travel('PT1S')
      await suite.app.post('/api/login', { email, password })
    }
    const first = (await suite.app.get('/api/v1/security-log?limit=2', session)).json().data
    expect(first.events).toHaveLength(2)
    expect(first.events[0]).toMatchObject({ event: 'login.succeeded', description: 'Logged in', address: '127.0.0.1' })
    const next = (await suite.app.get(`/api/v1/security-log?limit=100&cursor=${first.nextCursor}`, session)).json().data
    expect(next.nextCursor).toBeNull()
    expect(next.events.map(({ event }: { event: string }) => event)).toContain('account.verified')
    const ids = [...first.events, ...next.events].map(({ id }: { id: string }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test.each([
    ['limit=0', 'limit must be at least 1.'],
    ['limit=101', 'limit must be at most 100.'],
    ['limit=many', 'limit must be a number.'],
    ['limit=1.5', 'limit must be a whole number.'],
    ['cursor=%C3%BC', 'cursor must be a nextCursor of an earlier page.'],
    ['cursor=%00', 'cursor must not contain a NUL character.'],
  ])('GET /api/v1/security-log?%s 400', async (query, error) => {
    const { session } = await suite.app.signUp()
    const answer = await suite.app.get(`/api/v1/security-log?${query}`, session)
    expect([answer.statusCode, answer.json()]).toEqual([400, { error }])
  })

  test('GET /api/v1/security-log 401: without a session', async () => {
    expect((await suite.app.get('/api/v1/security-log')).json()).toEqual(logInFirst)
  })

  test('GET and PATCH /api/v1/mail-preferences 200: all but the weekly digest on, until changed', async () => {
    const { session } = await suite.app.signUp()
    const all = {
      scanFindings: true,
      quotaUsage: true,
      keyExpiring: true,
      planChanged: true,
      paymentFailed: true,
      webhookDisabled: true,
      weeklyDigest: false,
    }
    expect((await suite.app.get('/api/v1/mail-preferences', session)).json()).toEqual({ success: true, data: all })
    const changed = await suite.app.inject({
      method: 'PATCH',
      url: '/api/v1/mail-preferences',
      headers: session,
      payload: { quotaUsage: false, weeklyDigest: true },
    })
    const now = { ...all, quotaUsage: false, weeklyDigest: true }
    expect([changed.statusCode, changed.json().data]).toEqual([200, now])
    expect((await suite.app.get('/api/v1/mail-preferences', session)).json().data).toEqual(now)
  })

  test('PATCH /api/v1/mail-preferences 400 and 401', async () => {
    const { session } = await suite.app.signUp()
    const patch = (payload: object, headers = {}) =>
      suite.app.inject({ method: 'PATCH', url: '/api/v1/mail-preferences', headers, payload })
    expect((await patch({ quotaUsage: 'no' }, session)).json()).toEqual({ error: 'quotaUsage must be true or false.' })
    expect((await patch({ quotaUsage: false })).json()).toEqual(logInFirst)
    expect((await suite.app.get('/api/v1/mail-preferences')).json()).toEqual(logInFirst)
  })
})
