import { expect, test } from 'vitest'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { type TestAccount, useTestApp } from '../testing/start-test-app.ts'

const logInFirst = { error: 'Log in first: send the token from POST /api/login as a Bearer token or cookie.' }

describeOnEachDatabase('ACCOUNT_ACCESS=login', (context) => {
  const suite = useTestApp(context)
  const home = '198.51.100.7'

  const from = (
    remoteAddress: string,
    request: { method: 'GET' | 'POST'; url: string; payload?: object },
    headers = {},
  ) => suite.app.inject({ ...request, headers, remoteAddress })
  const listKeys = ({ userId }: TestAccount) =>
    ({ method: 'GET', url: `/api/v1/user-api-keys?userId=${userId}` }) as const
  const makeKey = ({ userId }: TestAccount) =>
    ({ method: 'POST', url: '/api/generate-api-key', payload: { userId, type: 'PRODUCTION', name: 'ci' } }) as const

  async function loggedIn(): Promise<TestAccount> {
    const account = await suite.app.signUp()
    const { email, password } = account
    const answer = await from(home, { method: 'POST', url: '/api/login', payload: { email, password } })
    return { ...account, token: answer.json().token }
  }

  test('the flow of the interface works to the letter for a client without cookies', async () => {
    const account = await loggedIn()
    const made = await from(home, makeKey(account))
    expect(made.statusCode).toBe(201)
    const listed = await from(home, listKeys(account))
    expect(listed.json().data.apiKeys[0].keyValue).toBe(made.json().apiKey.keyValue)
    const plan = await from(home, { method: 'GET', url: `/api/v1/user-plan?userId=${account.userId}` })
    expect(plan.json().data.plan).toBe('free')
  })

  test('the owner is notified of the new key, and each use is in the security log', async () => {
    const account = await loggedIn()
    await from(home, makeKey(account))
    await suite.app.runJobs()
    expect(suite.app.mails.findLast(({ to }) => to === account.email)?.subject).toContain('new API key')
    const { data } = (await suite.app.get('/api/v1/security-log', account.session)).json()
    const use = data.events.find(({ event }: { event: string }) => event === 'user-id.used')
    expect(use).toMatchObject({ address: home, detail: { action: 'POST /api/generate-api-key' } })
  })

  test('401: from another address, also of the same network', async () => {
    const account = await loggedIn()
    for (const address of ['198.51.100.8', '127.0.0.1', '2001:db8::1']) {
      const answer = await from(address, listKeys(account))
      expect([answer.statusCode, answer.json()]).toEqual([401, logInFirst])
    }
  })

  test('401: through a proxy whose headers are not trusted, and the operator is notified once', async () => {
    const account = await loggedIn()
    for (const headers of [
      { 'x-forwarded-for': '203.0.113.5' },
      { 'x-forwarded-for': '' },
      { 'x-real-ip': '203.0.113.5' },
      { 'cf-connecting-ip': '203.0.113.5' },
      { forwarded: 'for=203.0.113.5' },
      { via: '1.1 proxy' },
    ]) {
      const answer = await from(home, listKeys(account), headers)
      expect([headers, answer.statusCode, answer.json()]).toEqual([headers, 401, logInFirst])
      expect((await from(home, listKeys(account), { ...headers, ...account.session })).statusCode).toBe(200)
    }
    const warnings = suite.app.logLines.filter((line) =>
      line.includes('came through a proxy whose headers are not trusted'),
    )
    expect(warnings).toHaveLength(1)
  })

  test('401: fifteen minutes after the log-in, though the session lives on', async () => {
    const account = await loggedIn()
    suite.app.clock.travel('PT14M59S')
    expect((await from(home, listKeys(account))).statusCode).toBe(200)
    suite.app.clock.travel('PT1S')
    expect((await from(home, listKeys(account))).statusCode).toBe(401)
    expect((await suite.app.get(listKeys(account).url, account.session)).statusCode).toBe(200)
  })

  test('401: after a log-out, with the token or by the userId', async () => {
    const first = await loggedIn()
    await suite.app.post('/api/logout', undefined, { authorization: `Bearer ${first.token}` })
    expect((await from(home, listKeys(first))).statusCode).toBe(401)
    const second = await loggedIn()
    await from(home, { method: 'POST', url: '/api/logout', payload: { userId: second.userId } })
    expect((await from(home, listKeys(second))).statusCode).toBe(401)
  })

  test('401: after a password change', async () => {
    const account = await loggedIn()
    await suite.app.post('/api/forgot-password', { email: account.email })
    await suite.app.runJobs()
    const { text } = suite.app.mails.findLast(({ to }) => to === account.email)!
    const token = /^[0-9a-f]{64}$/m.exec(text)![0]
    await suite.app.post('/api/reset-password', { token, newPassword: 'an even better password' })
    expect((await from(home, listKeys(account))).statusCode).toBe(401)
  })

  test('401: another account’s userId, an unknown one, a malformed one, none', async () => {
    await loggedIn()
    const outsider = await suite.app.signUp()
    for (const userId of [outsider.userId, 'usr_unknown', 'x', '%00', '']) {
      const answer = await from(home, { method: 'GET', url: `/api/v1/user-api-keys?userId=${userId}` })
      expect([userId, answer.statusCode, answer.json()]).toEqual([userId, 401, logInFirst])
    }
    expect((await from(home, { method: 'GET', url: '/api/v1/user-api-keys' })).statusCode).toBe(401)
  })

  test('401: before a body is judged, so that outsiders learn nothing of its shape', async () => {
    const answer = await from('198.51.100.9', { method: 'POST', url: '/api/generate-api-key', payload: { type: 1 } })
    expect([answer.statusCode, answer.json()]).toEqual([401, logInFirst])
  })

  test('401: a credential that does not work is not the same as none', async () => {
    const account = await loggedIn()
    for (const headers of [{ authorization: 'Bearer nonsense' }, { cookie: 'assay_session=nonsense' }]) {
      expect((await from(home, listKeys(account), headers)).statusCode).toBe(401)
    }
  })

  test('401: a page of another site sends from the same address, and is reported by what its browser says', async () => {
    const account = await loggedIn()
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
    ]) {
      expect((await from(home, makeKey(account), headers)).statusCode).toBe(401)
    }
  })

  test('403: a session and another account’s userId', async () => {
    const [mine, other] = [await loggedIn(), await loggedIn()]
    const answer = await from(home, listKeys(other), mine.session)
    expect([answer.statusCode, answer.json()]).toEqual([
      403,
      { error: 'This userId does not belong to the logged-in account.' },
    ])
  })

  test('401: no scan by a bare userId', async () => {
    const { userId } = await loggedIn()
    const answer = await from(home, { method: 'GET', url: `/api/v1/scans?userId=${userId}` })
    expect([answer.statusCode, answer.json()]).toEqual([
      401,
      { error: 'API key is required. Please provide X-API-Key header.' },
    ])
  })
})

describeOnEachDatabase('ACCOUNT_ACCESS=login behind one trusted proxy', (context) => {
  const suite = useTestApp(context, { environment: { TRUST_PROXY: '1' } })

  test('200, 401: by the client that the proxy names, and no other', async () => {
    const { email, password, userId } = await suite.app.signUp()
    const through = (forwardedFor: string, payload?: object) =>
      suite.app.inject({
        method: payload ? 'POST' : 'GET',
        url: payload ? '/api/login' : `/api/v1/user-plan?userId=${userId}`,
        headers: { 'x-forwarded-for': forwardedFor, 'x-real-ip': forwardedFor },
        remoteAddress: '10.0.0.1',
        ...(payload && { payload }),
      })
    expect((await through('203.0.113.5', { email, password })).statusCode).toBe(200)
    expect((await through('203.0.113.5')).statusCode).toBe(200)
    expect((await through('203.0.113.6')).statusCode).toBe(401)
    // A second proxy that is not trusted.
    expect((await through('198.51.100.9, 203.0.113.5')).statusCode).toBe(401)
    expect(suite.app.logLines.join('')).toContain('came through a proxy whose headers are not trusted')
  })
})

describeOnEachDatabase('ACCOUNT_ACCESS=session', (context) => {
  const suite = useTestApp(context, { environment: { ACCOUNT_ACCESS: 'session' } })

  test('401: a session always, also right after a log-in', async () => {
    const { email, password, userId } = await suite.app.signUp()
    expect((await suite.app.post('/api/login', { email, password })).statusCode).toBe(200)
    const answer = await suite.app.get(`/api/v1/user-plan?userId=${userId}`)
    expect([answer.statusCode, answer.json()]).toEqual([401, logInFirst])
  })
})
