import { expect, test } from 'vitest'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { type TestAccount, useTestApp } from '../testing/start-test-app.ts'

const remix = 'https://remix.ethereum.org'

describeOnEachDatabase('pages of other sites', (context) => {
  const suite = useTestApp(context)
  const allow = (account: TestAccount, origins: unknown) =>
    suite.app.inject({
      method: 'PATCH',
      url: '/api/v1/allowed-origins',
      payload: { origins },
      headers: account.session,
    })
  const preflight = (origin: string, url = '/api/v1/scan') =>
    suite.app.inject({
      method: 'OPTIONS',
      url,
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-api-key' },
    })
  const sharedWith = (answer: { headers: Record<string, unknown> }) => answer.headers['access-control-allow-origin']

  test('200: an account chooses origins, and it stands in its log', async () => {
    const account = await suite.app.signUp()
    expect((await suite.app.get('/api/v1/allowed-origins', account.session)).json().data).toEqual({ origins: [] })
    const answer = await allow(account, [`${remix}/`, remix, 'http://localhost:5173'])
    const data = { origins: ['http://localhost:5173', remix] }
    expect([answer.statusCode, answer.json().data]).toEqual([200, data])
    expect((await suite.app.get('/api/v1/allowed-origins', account.session)).json().data).toEqual(data)
    const { events } = (await suite.app.get('/api/v1/security-log', account.session)).json().data
    expect(events).toContainEqual(expect.objectContaining({ event: 'origins.changed' }))
    expect((await allow(account, [])).json().data).toEqual({ origins: [] })
  })

  test.each([
    '*',
    'null',
    'remix.ethereum.org',
    'http://remix.ethereum.org',
    'https://remix.ethereum.org/page',
    'https://user@remix.ethereum.org',
    'ftp://remix.ethereum.org',
    7,
  ])('400: %s is no origin', async (origin) => {
    expect((await allow(await suite.app.signUp(), [origin])).statusCode).toBe(400)
  })

  test('400: more than twenty; 401: a key is not enough', async () => {
    const account = await suite.app.signUp()
    const many = Array.from({ length: 21 }, (_, n) => `https://a${n}.example.com`)
    expect((await allow(account, many)).statusCode).toBe(400)
    const { keyValue } = await suite.app.makeKey(account)
    const url = '/api/v1/allowed-origins'
    const answer = await suite.app.inject({
      method: 'PATCH',
      url,
      payload: { origins: [remix] },
      headers: { 'x-api-key': keyValue },
    })
    expect(answer.statusCode).toBe(401)
  })

  test('204: a browser may ask without a key, and hears yes when some account allows the origin', async () => {
    const tool = 'https://tool.example.com'
    expect(sharedWith(await preflight(tool))).toBeUndefined()
    const account = await suite.app.signUp()
    await allow(account, [tool])
    for (const url of ['/api/v1/scan', '/api/v1/scans/scn_1?x=1', '/scan']) {
      const answer = await preflight(tool, url)
      expect([answer.statusCode, answer.body]).toEqual([204, ''])
      expect(answer.headers).toMatchObject({
        'access-control-allow-origin': tool,
        'access-control-allow-methods': 'GET, POST, PATCH, DELETE',
        'access-control-allow-headers': expect.stringContaining('x-api-key'),
        vary: expect.stringContaining('origin'),
      })
      expect(answer.headers).not.toHaveProperty('access-control-allow-credentials')
      expect(answer.headers['access-control-allow-headers']).not.toContain('authorization')
    }
    expect(sharedWith(await preflight('https://other.example.com'))).toBeUndefined()
    expect((await preflight(tool, '/')).statusCode).not.toBe(204)
    await allow(account, [])
    expect(sharedWith(await preflight(tool))).toBeUndefined()
  })

  test('the answer is for the page when the account of the key allows it, and for no other', async () => {
    const page = 'https://page.example.com'
    const [mine, other] = [await suite.app.signUp(), await suite.app.signUp()]
    await allow(mine, [page])
    const keys = [await suite.app.makeKey(mine), await suite.app.makeKey(other)].map(({ keyValue }) => keyValue)
    const sendRequest = (key: string | undefined, origin: string, url = '/api/v1/scans') =>
      suite.app.get(url, { origin, ...(key && { 'x-api-key': key }) })
    const answer = await sendRequest(keys[0], page)
    expect([answer.statusCode, sharedWith(answer)]).toEqual([200, page])
    expect(answer.headers['access-control-expose-headers']).toContain('x-ratelimit-remaining')
    expect(answer.headers).not.toHaveProperty('access-control-allow-credentials')
    expect(answer.headers.vary).toContain('origin')
    // Refusals are for the page to read too.
    const missing = await sendRequest(keys[0], page, '/api/v1/scans/scn_1')
    expect([missing.statusCode, sharedWith(missing)]).toEqual([404, page])
    expect(sharedWith(await sendRequest(keys[0], 'https://other.example.com'))).toBeUndefined()
    expect(sharedWith(await sendRequest(keys[1], page))).toBeUndefined()
    expect(sharedWith(await sendRequest(undefined, page))).toBeUndefined()
    expect(sharedWith(await sendRequest(`${keys[0]}x`, page))).toBeUndefined()
  })

  test('a session, by cookie or token, is never for a page of another site', async () => {
    const page = 'https://cookies.example.com'
    const account = await suite.app.signUp()
    await allow(account, [page])
    for (const headers of [account.session, { cookie: `assay_session=${account.token}` }]) {
      const answer = await suite.app.get('/api/v1/scans', { origin: page, ...headers })
      expect(sharedWith(answer)).toBeUndefined()
    }
  })
})
