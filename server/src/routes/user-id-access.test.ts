import { expect, test } from 'vitest'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { useTestApp } from '../testing/start-test-app.ts'

describeOnEachDatabase('ACCOUNT_ACCESS=user-id', (context) => {
  const suite = useTestApp(context, { environment: { ACCOUNT_ACCESS: 'user-id' } })

  test('a bare userId makes a key, lists keys and shows the plan', async () => {
    const { userId, email } = await suite.app.signUp()
    const made = await suite.app.post('/api/generate-api-key', { userId, type: 'PRODUCTION', name: 'bare' })
    expect(made.statusCode).toBe(201)
    const listed = await suite.app.get(`/api/v1/user-api-keys?userId=${userId}`)
    expect(listed.json().data.apiKeys[0].keyValue).toBe(made.json().apiKey.keyValue)
    const plan = await suite.app.get(`/api/v1/user-plan?userId=${userId}`)
    expect(plan.json().data.plan).toBe('free')
    await suite.app.runJobs()
    expect(suite.app.mails.findLast(({ to }) => to === email)?.subject).toContain('new API key')
  })

  test('each use is in the owner’s security log', async () => {
    const { userId, session } = await suite.app.signUp()
    await suite.app.get(`/api/v1/user-api-keys?userId=${userId}`)
    const { data } = (await suite.app.get('/api/v1/security-log', session)).json()
    const use = data.events.find(({ event }: { event: string }) => event === 'user-id.used')
    expect(use.detail).toEqual({ action: 'GET /api/v1/user-api-keys' })
  })

  test('403: an unverified account makes no key', async () => {
    const body = { email: 'bare@example.com', password: 'a long enough password', name: 'B' }
    const { userId } = (await suite.app.post('/api/register', body)).json()
    const answer = await suite.app.post('/api/generate-api-key', { userId, type: 'TEST', name: 'x' })
    expect([answer.statusCode, answer.json()]).toEqual([403, { error: 'E-mail address is not verified.' }])
  })

  test.each(['usr_unknown', 'x', '%00'])('401: nobody is logged in, and the userId %s is unknown', async (userId) => {
    const answer = await suite.app.get(`/api/v1/user-api-keys?userId=${userId}`)
    expect([answer.statusCode, answer.json()]).toEqual([
      401,
      { error: 'Log in first: send the token from POST /api/login as a Bearer token or cookie.' },
    ])
  })

  test('403: a session and another account’s userId', async () => {
    const [mine, other] = [await suite.app.signUp(), await suite.app.signUp()]
    const answer = await suite.app.get(`/api/v1/user-api-keys?userId=${other.userId}`, mine.session)
    expect(answer.statusCode).toBe(403)
  })

  test('401: neither a session nor a userId', async () => {
    const answer = await suite.app.get('/api/me')
    expect([answer.statusCode, answer.json()]).toEqual([
      401,
      { error: 'Log in first: send the token from POST /api/login as a Bearer token or cookie.' },
    ])
  })

  test('429: more than six hundred requests an hour from one network', async () => {
    const { userId } = await suite.app.signUp()
    const get = () => suite.app.inject({ method: 'GET', url: `/api/me?userId=${userId}`, remoteAddress: '10.7.7.7' })
    const { db, secrets, clock } = suite.app.deps
    const now = clock.now().getTime()
    const stamps = JSON.stringify(Array(599).fill(now))
    const bucket = secrets.index('throttle', 'user-id:10.7.7.7')
    await db
      .insertInto('throttles')
      .values({ bucket, stamps, expires_at: now + 3_600_000 })
      .execute()
    expect((await get()).statusCode).toBe(200)
    const answer = await get()
    expect([answer.statusCode, answer.json()]).toEqual([
      429,
      { error: 'Too many requests from this address. Try again later.' },
    ])
  })

  test('the operator is warned at start', () => {
    expect(suite.app.deps.config.warnings).toContain(
      'ACCOUNT_ACCESS=user-id: anyone who knows a userId can read that account and its API keys.',
    )
  })
})
