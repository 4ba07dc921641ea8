import { afterAll, beforeAll, expect, test } from 'vitest'
import { scopes } from '../core/scopes.ts'
import { type Route, scopeNeeded } from '../http/define-route.ts'
import { createAccountLimitsStore } from '../stores/account-limits.ts'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { startTestApp, type TestAccount, type TestApp } from '../testing/start-test-app.ts'
import { routes } from './index.ts'

type Shape = Omit<Route, 'handle'>

const keyed = (routes as readonly Shape[]).filter(({ access }) => access === 'key' || access === 'key-or-session')
const nameOf = ({ method, url }: Shape): string => `${method} ${url}`

/** Whatever a route is about, who may ask and how often is reported before anything of the request is looked at. */
describeOnEachDatabase('every route that takes a key', (context) => {
  let app: TestApp
  let account: TestAccount
  let spent: string
  beforeAll(async () => {
    app = await startTestApp({ database: context.database })
    account = await app.signUp({ plan: 'pro' })
    const other = await app.signUp({ plan: 'pro' })
    spent = (await app.makeKey(other)).keyValue
    await createAccountLimitsStore(context.database.db).override(other.userId, { requests_per_hour: 1 })
    await app.get('/api/v1/usage', { 'x-api-key': spent })
  })
  afterAll(() => app.close())

  const sendRequest = ({ method, url }: Shape, headers: Record<string, string> = {}) =>
    app.inject({ method, url: url.replace(/:\w+/g, 'none'), headers })

  test.each(keyed.map((route) => [nameOf(route), route] as const))('401, 403, 429: %s', async (_name, route) => {
    const without = await sendRequest(route)
    expect([without.statusCode, without.json()]).toEqual([
      401,
      { error: 'API key is required. Please provide X-API-Key header.' },
    ])
    const wrong = await sendRequest(route, { 'x-api-key': 'assay_live_x' })
    expect([wrong.statusCode, wrong.json()]).toEqual([403, { error: 'Invalid or expired API key' }])
    const late = await sendRequest(route, { 'x-api-key': spent })
    expect([late.statusCode, late.json()]).toEqual([429, { error: 'API rate limit exceeded' }])
    expect(late.headers).toMatchObject({ 'x-ratelimit-limit': '1', 'x-ratelimit-remaining': '0' })
    expect(Number(late.headers['retry-after'])).toBeGreaterThan(0)
  })

  test('403: a key that was made for something else, on each of them', async () => {
    for (const scope of scopes) {
      const others = scopes.filter((one) => one !== scope)
      const whole = { userId: account.userId, type: 'PRODUCTION', name: `not ${scope}`, scopes: others }
      const made = await app.post('/api/generate-api-key', whole, account.session)
      const headers = { 'x-api-key': made.json().apiKey.keyValue as string }
      for (const route of keyed.filter((one) => scopeNeeded(one) === scope)) {
        const answer = await sendRequest(route, headers)
        expect([nameOf(route), answer.statusCode, answer.json()]).toEqual([
          nameOf(route),
          403,
          { error: `This API key may not be used for this. It takes the scope: ${scope}.` },
        ])
      }
    }
  })
})
