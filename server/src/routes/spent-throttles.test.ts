import { expect, test } from 'vitest'
import { newFactor, openSecret } from '../services/second-factors.ts'
import { codeOfStep, stepAt } from '../services/totp.ts'
import { createSecondFactorStore } from '../stores/second-factors.ts'
import { createAuthenticator } from '../testing/authenticator.ts'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { spendThrottle } from '../testing/spend-throttle.ts'
import { type TestAccount, useTestApp } from '../testing/start-test-app.ts'

const origin = 'http://localhost:3000'

describeOnEachDatabase('what was asked for too often', (context) => {
  const suite = useTestApp(context, { environment: { PUBLIC_URL: origin } })
  let networks = 0
  const newPlace = (): string => `10.99.0.${++networks}`

  async function send(
    url: string,
    payload: object,
    { session, from = newPlace() }: { session?: object; from?: string },
  ) {
    const answer = await suite.app.inject({
      method: 'POST',
      url,
      payload,
      remoteAddress: from,
      headers: { ...session },
    })
    return [answer.statusCode, answer.json().error, Number(answer.headers['retry-after']) > 0]
  }

  test('429: log-ins from one address, by passkey too', async () => {
    const from = newPlace()
    await spendThrottle(suite.app.deps, 'logins', from)
    const tooMany = [429, 'Too many login attempts. Try again later.', true]
    const passkey = createAuthenticator(origin).get({ challenge: 'x' })
    expect(await send('/api/login/passkey-options', {}, { from })).toEqual(tooMany)
    expect(await send('/api/login/passkey', { challenge: 'x', passkey }, { from })).toEqual(tooMany)
    expect(await send('/api/login/second-factor', { challenge: 'x', code: '000000' }, { from })).toEqual(tooMany)
  })

  test('429: codes that were entered, from one address', async () => {
    const { session } = await suite.app.signUp()
    const from = newPlace()
    await spendThrottle(suite.app.deps, 'verifications', from)
    const tooMany = [429, 'Too many verification attempts. Try again later.', true]
    expect(await send('/api/verify-email', { email: 'a@example.com', otp: '000000' }, { from })).toEqual(tooMany)
    expect(await send('/api/v1/account/email/confirm', { code: '000000' }, { from, session })).toEqual(tooMany)
  })

  test('429: codes that were asked for, to one new address', async () => {
    const { session, password } = await suite.app.signUp()
    const [from, email] = [newPlace(), 'wanted@example.com']
    await spendThrottle(suite.app.deps, 'codes', `${email}:${from}`)
    const tooMany = [429, 'Too many verification codes requested. Try again later.', true]
    expect(await send('/api/v1/account/email', { password, email }, { from, session })).toEqual(tooMany)
  })

  test('429: codes of an authenticator app that is not confirmed yet', async () => {
    const { session, password } = await suite.app.signUp()
    const { id } = (await suite.app.post('/api/v1/second-factors/totp', { password }, session)).json().data
    await spendThrottle(suite.app.deps, 'secondFactors', `confirm:${id}`)
    const tooMany = [429, 'Too many login attempts. Try again later.', true]
    expect(await send(`/api/v1/second-factors/${id}/confirm`, { code: '000000' }, { session })).toEqual(tooMany)
  })

  test('429: keys that were made, changed and revoked', async () => {
    const account = await suite.app.signUp()
    const { id } = await suite.app.makeKey(account)
    await spendThrottle(suite.app.deps, 'keyChanges', account.userId)
    const url = `/api/v1/user-api-keys/${id}`
    for (const [method, path, payload] of [
      ['PATCH', url, { name: 'x' }],
      ['DELETE', url, undefined],
      ['POST', `${url}/rotate`, {}],
    ] as const) {
      const answer = await suite.app.inject({
        method,
        url: path,
        headers: account.session,
        ...(payload && { payload }),
      })
      expect([method, answer.statusCode, answer.json()]).toEqual([
        method,
        429,
        { error: 'Too many API keys created or revoked. Try again later.' },
      ])
    }
  })

  /** With ten of them no other can be added, however far it got. */
  async function addFactors({ userId }: TestAccount): Promise<void> {
    const { db, clock } = suite.app.deps
    for (let n = 0; n < 10; n++) {
      const row = newFactor({ clock }, { id: `fac_${userId.slice(4)}${n}`, accountId: userId, kind: 'totp', name: 'x' })
      await createSecondFactorStore(db).add({ ...row, confirmed_at: clock.now().getTime() })
    }
  }

  test('409: more second factors than an account can have, at each step', async () => {
    const account = await suite.app.signUp()
    const { password, session } = account
    const full = [409, 'An account can have at most 10 second factors. Remove one first.']
    const post = async (url: string, payload: object) => {
      const answer = await suite.app.post(url, payload, session)
      return [answer.statusCode, answer.json().error]
    }
    const begun = (await suite.app.post('/api/v1/second-factors/passkey-options', { password }, session)).json().data
    const passkey = createAuthenticator(origin).create(begun.options)
    const { id } = (await suite.app.post('/api/v1/second-factors/totp', { password }, session)).json().data
    await addFactors(account)
    const { db, clock } = suite.app.deps
    const row = await createSecondFactorStore(db).find(account.userId, id)
    if (!row) throw new Error('the authenticator app is not there')
    const code = codeOfStep(openSecret(suite.app.deps, row), stepAt(clock.now()))
    expect(await post(`/api/v1/second-factors/${id}/confirm`, { code })).toEqual(full)
    expect(await post('/api/v1/second-factors/passkey', { challenge: begun.challenge, passkey })).toEqual(full)
    expect(await post('/api/v1/second-factors/passkey-options', { password })).toEqual(full)
    expect(await post('/api/v1/second-factors/totp', { password })).toEqual(full)
  })
})

describeOnEachDatabase('a service at an address without a name', (context) => {
  const suite = useTestApp(context, { environment: { PUBLIC_URL: 'http://127.0.0.1:3000' } })

  test('409: has no passkeys', async () => {
    const { session, password } = await suite.app.signUp()
    const none = [409, { error: 'Passkeys need a PUBLIC_URL with a host name that is not an address.' }]
    const [before, after] = [
      await suite.app.post('/api/login/passkey-options', {}),
      await suite.app.post('/api/v1/second-factors/passkey-options', { password }, session),
    ]
    expect([before.statusCode, before.json()]).toEqual(none)
    expect([after.statusCode, after.json()]).toEqual(none)
  })
})
