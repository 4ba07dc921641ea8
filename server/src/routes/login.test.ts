import { expect, test } from 'vitest'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { startTestApp, useTestApp } from '../testing/start-test-app.ts'

const failed = { error: 'Invalid e-mail or password.' }

describeOnEachDatabase('POST /api/login', (context) => {
  const suite = useTestApp(context)
  const logIn = (email: string, password: string, remoteAddress = '10.0.3.1') =>
    suite.app.inject({ method: 'POST', url: '/api/login', payload: { email, password }, remoteAddress })

  test('200: a token for seven days, and the same as a cookie', async () => {
    const { email, password, userId } = await suite.app.signUp()
    const answer = await logIn(email.toUpperCase(), password)
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({
      message: 'Logged in.',
      userId,
      token: expect.stringMatching(/^[0-9a-f]{64}$/),
      tokenType: 'Bearer',
      expiresAt: '2026-03-17T12:00:00.000Z',
    })
    expect(answer.headers['cache-control']).toBe('no-store')
    const [cookie] = answer.cookies
    expect(cookie).toMatchObject({
      name: 'assay_session',
      value: answer.json().token,
      httpOnly: true,
      sameSite: 'Lax',
      path: '/',
    })
    expect(cookie?.secure).toBeUndefined()
    expect(cookie?.expires?.toISOString()).toBe('2026-03-17T12:00:00.000Z')
  })

  test('200: behind https the cookie is Secure and bound to this host', async () => {
    const https = await startTestApp({
      database: context.database,
      environment: { PUBLIC_URL: 'https://assay.example.com', BILLING_PROVIDER: 'sandbox' },
    })
    const { email, password } = await https.signUp()
    const answer = await https.post('/api/login', { email, password })
    expect(answer.cookies[0]).toMatchObject({ name: '__Host-assay_session', secure: true, path: '/' })
    expect(answer.cookies[0]?.domain).toBeUndefined()
    const { token } = answer.json()
    expect((await https.get('/api/me', { cookie: `__Host-assay_session=${token}` })).statusCode).toBe(200)
    // A neighbouring host could have set this one.
    expect((await https.get('/api/me', { cookie: `assay_session=${token}` })).statusCode).toBe(401)
    expect(answer.headers['strict-transport-security']).toContain('max-age')
    await https.close()
  })

  test('200: the token works until its seven days are over', async () => {
    const app = await startTestApp({ database: context.database })
    const { session } = await app.signUp()
    app.clock.travel('P6DT23H')
    expect((await app.get('/api/me', session)).statusCode).toBe(200)
    app.clock.travel('PT1H')
    expect((await app.get('/api/me', session)).statusCode).toBe(401)
    await app.close()
  })

  test('400: no password', async () => {
    const answer = await suite.app.post('/api/login', { email: 'a@example.com' })
    expect([answer.statusCode, answer.json()]).toEqual([400, { error: 'password is required.' }])
  })

  test('401: a wrong password and an unknown address, with the same words', async () => {
    const { email } = await suite.app.signUp()
    for (const answer of [
      await logIn(email, 'not the password'),
      await logIn('nobody@example.com', 'not the password'),
    ]) {
      expect([answer.statusCode, answer.json()]).toEqual([401, failed])
      expect(answer.cookies).toEqual([])
    }
  })

  test('401: known, unknown, unverified and right all cost one password hash', async () => {
    const { email, password } = await suite.app.signUp()
    const unverified = { email: 'pending@example.com', password: 'the pending password', name: 'P' }
    await suite.app.post('/api/register', unverified)
    const costs = []
    for (const [address, secret] of [
      [email, password],
      [email, 'not the password'],
      ['nobody@example.com', 'not the password'],
      [unverified.email, 'not the password'],
      [unverified.email, unverified.password],
    ] as const) {
      const before = suite.app.passwordWork.count
      await logIn(address, secret)
      costs.push(suite.app.passwordWork.count - before)
    }
    expect(costs).toEqual([1, 1, 1, 1, 1])
  })

  test('403: the right password of an address that is not verified; 401 for a wrong one', async () => {
    const person = { email: 'waiting@example.com', password: 'the waiting password', name: 'W' }
    await suite.app.post('/api/register', person)
    const right = await logIn(person.email, person.password)
    expect([right.statusCode, right.json()]).toEqual([403, { error: 'E-mail address is not verified.' }])
    expect((await logIn(person.email, 'not the password')).statusCode).toBe(401)
  })

  test('429: ten failures within fifteen minutes close the account for the address they came from', async () => {
    const { email, password } = await suite.app.signUp()
    for (let n = 0; n < 10; n++) expect((await logIn(email, 'wrong', '10.0.4.1')).statusCode).toBe(401)
    const answer = await logIn(email, password, '10.0.4.1')
    expect([answer.statusCode, answer.json()]).toEqual([429, { error: 'Too many login attempts. Try again later.' }])
    expect(answer.headers['retry-after']).toBe('900')
    suite.app.clock.travel('PT15M')
    expect((await logIn(email, password, '10.0.4.1')).statusCode).toBe(200)
  })

  test('200: an outsider’s failures never lock the owner out', async () => {
    const { email, password } = await suite.app.signUp()
    for (let n = 0; n < 12; n++) await logIn(email, 'wrong', '10.0.44.1')
    expect((await logIn(email, password, '10.0.44.2')).statusCode).toBe(200)
  })

  test('200: a browser that logged in before is distinguished from outsiders behind the same address', async () => {
    const { email, password } = await suite.app.signUp()
    const send = (secret: string, cookie = '') =>
      suite.app.inject({
        method: 'POST',
        url: '/api/login',
        payload: { email, password: secret },
        headers: { cookie },
        remoteAddress: '10.0.45.1',
      })
    const device = (await send(password)).cookies.find(({ name }) => name === 'assay_device')
    expect(device).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/api/login' })
    for (let n = 0; n < 11; n++) await send('wrong')
    expect((await send(password)).statusCode).toBe(429)
    const mark = `assay_device=${device?.value}`
    expect((await send(password, mark)).statusCode).toBe(200)
    // The mark of another account, or one made up, is none.
    expect((await send(password, mark.replace(/.$/, '_'))).statusCode).toBe(429)
    // Its own failures count for it.
    for (let n = 0; n < 10; n++) expect((await send('wrong', mark)).statusCode).toBe(401)
    expect((await send(password, mark)).statusCode).toBe(429)
  })

  test('a hundred failures an hour from everywhere: each further try costs a growing delay, for ghosts too', async () => {
    const { email, password } = await suite.app.signUp()
    for (const address of [email, 'haunted@example.com']) {
      for (let n = 0; n < 100; n++) await logIn(address, 'wrong', `10.3.${n}.1`)
      expect(suite.app.pauses).toEqual([])
      for (let n = 0; n < 3; n++) await logIn(address, 'wrong', `10.4.${n}.1`)
      expect(suite.app.pauses.splice(0)).toEqual([250, 500, 750])
      for (let n = 0; n < 60; n++) await logIn(address, 'wrong', `10.5.${n}.1`)
      expect(Math.max(...suite.app.pauses.splice(0))).toBe(10_000)
    }
    expect((await logIn(email, password, '10.6.0.1')).statusCode).toBe(200)
    suite.app.pauses.splice(0)
  })

  test('429: the same for an address that nobody has', async () => {
    for (let n = 0; n < 10; n++) await logIn('ghost@example.com', 'wrong', '10.0.5.1')
    expect((await logIn('ghost@example.com', 'wrong', '10.0.5.1')).statusCode).toBe(429)
  })

  test('429: of thirty guesses made at once ten are looked at', async () => {
    const { email } = await suite.app.signUp()
    const before = suite.app.passwordWork.count
    const answers = await Promise.all(Array.from({ length: 30 }, () => logIn(email, 'wrong', '10.0.6.1')))
    expect(answers.filter(({ statusCode }) => statusCode === 401)).toHaveLength(10)
    expect(suite.app.passwordWork.count - before).toBe(10)
  })

  test('200: logins that succeed do not count as failures', async () => {
    const { email, password } = await suite.app.signUp()
    for (let n = 0; n < 12; n++) expect((await logIn(email, password, '10.0.7.1')).statusCode).toBe(200)
  })

  test('429: a hundred logins from one network within fifteen minutes', async () => {
    for (let n = 0; n < 100; n++) await logIn(`many${n}@example.com`, 'wrong', '10.0.8.1')
    const answer = await logIn('many100@example.com', 'wrong', '10.0.8.1')
    expect([answer.statusCode, answer.json()]).toEqual([429, { error: 'Too many login attempts. Try again later.' }])
    expect((await logIn('many100@example.com', 'wrong', '10.0.8.2')).statusCode).toBe(401)
  })

  test('a failed login is in the owner’s security log', async () => {
    const { email, session } = await suite.app.signUp()
    suite.app.clock.travel('PT1S')
    await logIn(email, 'wrong', '10.0.9.1')
    await suite.app.deps.background.drain()
    const { data } = (await suite.app.get('/api/v1/security-log', session)).json()
    expect(data.events[0]).toMatchObject({ event: 'login.failed', address: '10.0.9.1' })
  })
})
