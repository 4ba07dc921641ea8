import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createAddressGuard } from '../gateways/address-guard.ts'
import { createOidcSignIn } from '../gateways/oidc-sign-in.ts'
import { newFactor } from '../services/second-factors.ts'
import { createSecondFactorStore } from '../stores/second-factors.ts'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { startFakeIssuer } from '../testing/fake-issuer.ts'
import { spendThrottle } from '../testing/spend-throttle.ts'
import { startTestApp, useTestApp } from '../testing/start-test-app.ts'

const issuer = await startFakeIssuer()
afterAll(() => issuer.stop())
beforeEach(() => issuer.reset())

const environment = {
  SIGN_IN_OIDC_ISSUER: issuer.url,
  SIGN_IN_OIDC_ID: issuer.clientId,
  SIGN_IN_OIDC_SECRET: issuer.clientSecret,
  SIGN_IN_GITHUB_ID: issuer.clientId,
  SIGN_IN_GITHUB_SECRET: issuer.clientSecret,
  SIGN_IN_GITHUB_URL: issuer.url,
  SIGN_IN_GITHUB_API_URL: issuer.url,
}

const words = {
  expired: 'This sign-in has expired or was started in another browser. Start again.',
  refused: 'The provider did not confirm the sign-in. Start again.',
  unverified: 'The provider has no verified email address for you. Verify it there, or sign up with a password.',
  away: 'The sign-in provider does not answer. Try again later, or log in with your password.',
}

describeOnEachDatabase('sign-in at a provider', (context) => {
  const suite = useTestApp(context, { environment })
  let networks = 0
  const newPlace = (): string => `10.66.${networks >> 8}.${networks++ & 255}`

  const post = (url: string, payload: object, { cookie = '', from = newPlace() } = {}) =>
    suite.app.inject({ method: 'POST', url, payload, headers: { cookie }, remoteAddress: from })

  /** As a browser does: begins, goes to the provider, and comes back. */
  async function begin(provider: string) {
    const started = await post('/api/login/provider', { provider })
    const cookie = started.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
    return { started, cookie, parameters: await issuer.visit(started.json().url) }
  }
  const complete = (provider: string, parameters: object, cookie: string, from = newPlace()) =>
    post('/api/login/provider/complete', { provider, parameters }, { cookie, from })
  async function signIn(provider = 'oidc', from = newPlace()) {
    const { cookie, parameters } = await begin(provider)
    return complete(provider, parameters, cookie, from)
  }
  const outcomeOf = (answer: Awaited<ReturnType<typeof signIn>>) => [answer.statusCode, answer.json().error]

  test.each(['oidc', 'github'])(
    '200: %s makes an account of a verified address, and finds it again',
    async (provider) => {
      issuer.behavior.email = `New.${provider}.${context.dialect}@Example.com`
      const first = await signIn(provider)
      expect(first.statusCode).toBe(200)
      const { userId, token } = first.json()
      const me = await suite.app.get('/api/me', { authorization: `Bearer ${token}` })
      expect(me.json()).toMatchObject({ email: issuer.behavior.email.toLowerCase(), name: 'Grace', plan: 'free' })
      expect(first.cookies.map(({ name }) => name)).toContain('assay_session')
      expect((await signIn(provider)).json().userId).toBe(userId)
      const log = await suite.app.get('/api/v1/security-log', { authorization: `Bearer ${token}` })
      const events = log.json().data.events.map(({ event, detail }: Record<string, unknown>) => [event, detail])
      expect(events.sort()).toEqual([
        ['account.verified', { provider }],
        ['login.succeeded', { provider }],
        ['login.succeeded', { provider }],
      ])
    },
  )

  test('200: the address may come from the userinfo endpoint, and the truth as text', async () => {
    issuer.behavior.email = `userinfo.${context.dialect}@example.com`
    issuer.behavior.isEmailInUserInfo = true
    issuer.behavior.emailVerified = 'true'
    expect((await signIn()).statusCode).toBe(200)
    expect(issuer.requests).toContain('/userinfo')
  })

  test('200: a key that the issuer changed between two sign-ins is found', async () => {
    issuer.behavior.email = `rotated.${context.dialect}@example.com`
    expect((await signIn()).statusCode).toBe(200)
    issuer.rotateKeys()
    expect((await signIn()).statusCode).toBe(200)
  })

  test('200: a registration that waits with a password of someone else is gone', async () => {
    const [email, password] = [`waiting.${context.dialect}@example.com`, 'the password of someone else']
    await post('/api/register', { email, password, name: 'Mallory' })
    issuer.behavior.email = email
    expect((await signIn()).statusCode).toBe(200)
    expect((await post('/api/login', { email, password })).statusCode).toBe(401)
  })

  test('202: an account with a second factor is asked for it, and no session begins', async () => {
    const { email, userId } = await suite.app.signUp()
    const { deps } = suite.app
    const row = newFactor(deps, { id: `fac_${userId}`, accountId: userId, kind: 'totp', name: 'Phone' })
    await createSecondFactorStore(deps.db).add({ ...row, confirmed_at: deps.clock.now().getTime() })
    issuer.behavior.email = email
    const answer = await signIn()
    expect([answer.statusCode, answer.json()]).toEqual([
      202,
      expect.objectContaining({ challenge: expect.any(String), factors: ['totp', 'recovery-code'] }),
    ])
    expect(answer.cookies.map(({ name }) => name)).not.toContain('assay_session')
  })

  test('403: an address that the provider did not verify is nobody', async () => {
    const { email } = await suite.app.signUp()
    issuer.behavior.email = email
    for (const emailVerified of [false, undefined, 'false', 1]) {
      issuer.behavior.emailVerified = emailVerified
      for (const provider of ['oidc', 'github'])
        expect(outcomeOf(await signIn(provider)), `${provider} ${emailVerified}`).toEqual([403, words.unverified])
    }
  })

  test('401: a token for another sign-in, another client, of another issuer or out of date', async () => {
    const past = Math.floor(Date.now() / 1000) - 3600
    const wrong = [
      { nonce: 'of another sign-in' },
      { nonce: undefined },
      { aud: 'another-client' },
      { iss: 'https://other.example.com' },
      { exp: past },
      { sub: undefined },
    ]
    for (const claims of wrong) {
      issuer.behavior.claims = claims
      expect(outcomeOf(await signIn()), JSON.stringify(claims)).toEqual([401, words.refused])
    }
  })

  test('401: a token that the issuer did not sign', async () => {
    issuer.behavior.isForged = true
    expect(outcomeOf(await signIn())).toEqual([401, words.refused])
  })

  test('401: a person who says no at the provider', async () => {
    issuer.behavior.isDenied = true
    for (const provider of ['oidc', 'github']) expect(outcomeOf(await signIn(provider))).toEqual([401, words.refused])
  })

  test('401: a state of another sign-in, and a code that was used', async () => {
    const { cookie, parameters } = await begin('oidc')
    const wrong = await complete('oidc', { ...parameters, state: 'of-someone-else' }, cookie)
    expect(outcomeOf(wrong)).toEqual([401, words.refused])
    expect((await complete('oidc', parameters, cookie)).statusCode).toBe(200)
    expect(outcomeOf(await complete('oidc', parameters, cookie))).toEqual([401, words.refused])
    const { cookie: other, parameters: own } = await begin('github')
    expect(outcomeOf(await complete('github', { ...own, code: 'made-up' }, other))).toEqual([401, words.refused])
  })

  test('401: another browser, another provider, a changed cookie, or too late', async () => {
    const { cookie, parameters } = await begin('oidc')
    for (const [provider, kept] of [
      ['oidc', ''],
      ['github', cookie],
      ['oidc', `${cookie.slice(0, -4)}AAAA`],
    ] as const)
      expect(outcomeOf(await complete(provider, parameters, kept))).toEqual([401, words.expired])
    suite.app.clock.travel('PT11M')
    expect(outcomeOf(await complete('oidc', parameters, cookie))).toEqual([401, words.expired])
  })

  test('502: an issuer that is down, before and after the redirect', async () => {
    const { cookie, parameters } = await begin('oidc')
    issuer.behavior.isDown = true
    expect(outcomeOf(await post('/api/login/provider', { provider: 'oidc' }))).toEqual([502, words.away])
    expect(outcomeOf(await complete('oidc', parameters, cookie))).toEqual([502, words.away])
  })

  test('404: a provider that is not configured', async () => {
    const refused = [404, 'This sign-in provider is not configured.']
    expect(outcomeOf(await post('/api/login/provider', { provider: 'google' }))).toEqual(refused)
    expect(outcomeOf(await complete('google', {}, ''))).toEqual(refused)
  })

  test('429: sign-ins from one address, and accounts made from one', async () => {
    const from = newPlace()
    await spendThrottle(suite.app.deps, 'registrations', from)
    issuer.behavior.email = `late.${context.dialect}@example.com`
    expect((await signIn('oidc', from)).statusCode).toBe(429)
    await spendThrottle(suite.app.deps, 'logins', from)
    for (const answer of [
      await post('/api/login/provider', { provider: 'oidc' }, { from }),
      await complete('oidc', {}, '', from),
    ])
      expect(outcomeOf(answer)).toEqual([429, 'Too many login attempts. Try again later.'])
  })

  test('the browser is sent to the provider with PKCE, state and nonce, and back to this service alone', async () => {
    const { started, cookie } = await begin('oidc')
    const url = new URL(started.json().url)
    expect(url.origin).toBe(issuer.url)
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: 'code',
      client_id: issuer.clientId,
      redirect_uri: `${suite.app.deps.config.publicUrl}/sign-in/oidc`,
      scope: 'openid email profile',
      state: expect.stringMatching(/^[0-9a-f]{64}$/),
      nonce: expect.stringMatching(/^[0-9a-f]{64}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    })
    const [kept] = started.cookies
    expect(kept).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/api/login/provider', maxAge: 600 })
    for (const secret of ['state', 'nonce']) expect(cookie).not.toContain(url.searchParams.get(secret))
  })

  test('no code, token, state or secret is in the log', async () => {
    const { started, cookie, parameters } = await begin('oidc')
    await complete('oidc', parameters, cookie)
    issuer.behavior.isForged = true
    await signIn()
    const log = suite.app.logLines.join('')
    expect(log).toContain('a sign-in was not confirmed')
    const url = new URL(started.json().url)
    const secrets = [issuer.clientSecret, cookie.split('=')[1], url.searchParams.get('state'), ...issuer.secrets]
    for (const secret of secrets) expect(log).not.toContain(secret)
  })
})

describe('where requests to a provider go', () => {
  test('never to an inner address, whatever the name says, unless the operator opened it', async () => {
    const options = {
      id: 'oidc',
      name: 'x',
      clientId: 'a',
      clientSecret: 'b',
      redirectUrl: 'https://a.example/x',
    } as const
    const secrets = { state: 's', nonce: 'n', verifier: 'v'.repeat(43) }
    const resolve = async () => [{ address: '10.0.0.7', family: 4 }]
    const transport = { guard: createAddressGuard(), isPlainLoopbackAllowed: false, timeoutMs: 1000, resolve }
    const begin = (address: string) => createOidcSignIn({ ...options, issuer: address }, transport).begin(secrets)
    expect(await begin('https://login.example.com')).toEqual({ kind: 'away', reason: 'address refused' })
    expect(await begin('https://169.254.169.254')).toEqual({ kind: 'away', reason: 'address refused' })
  })

  test('nothing is configured: no provider, and none on the pages', async () => {
    const app = await startTestApp()
    expect(app.deps.signInProviders).toEqual([])
    await app.close()
  })
})
