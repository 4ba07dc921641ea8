import { expect, test } from 'vitest'
import { codeOfStep, stepAt } from '../services/totp.ts'
import { createAuthenticator } from '../testing/authenticator.ts'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { type TestAccount, useTestApp } from '../testing/start-test-app.ts'

const origin = 'http://localhost:3000'

/** As an app reads what a person typed in. */
function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  )
  const bytes = bits.join('').match(/.{8}/g) ?? []
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)))
}

describeOnEachDatabase('second factors', (context) => {
  const suite = useTestApp(context, { environment: { PUBLIC_URL: origin } })
  let networks = 0
  const newPlace = (): string => `10.77.${networks >> 8}.${networks++ & 255}`

  const logIn = ({ email, password }: TestAccount, remoteAddress = newPlace(), cookie = '') =>
    suite.app.inject({
      method: 'POST',
      url: '/api/login',
      payload: { email, password },
      remoteAddress,
      headers: { cookie },
    })
  const finish = (payload: object, remoteAddress = newPlace(), cookie = '') =>
    suite.app.inject({ method: 'POST', url: '/api/login/second-factor', payload, remoteAddress, headers: { cookie } })

  const codeOf = (secret: string): string => codeOfStep(fromBase32(secret), stepAt(suite.app.clock.now()))
  const wrongCodeOf = (secret: string): string => (codeOf(secret) === '000000' ? '000001' : '000000')

  async function addTotp(account: TestAccount) {
    const { data } = (
      await suite.app.post(
        '/api/v1/second-factors/totp',
        { name: 'Phone', password: account.password },
        account.session,
      )
    ).json()
    const confirmed = await suite.app.post(
      `/api/v1/second-factors/${data.id}/confirm`,
      { code: codeOf(data.secret) },
      account.session,
    )
    expect(confirmed.statusCode).toBe(200)
    // A code is taken once, and this step's was the confirmation.
    suite.app.clock.travel('PT1M')
    return { ...data, recoveryCodes: confirmed.json().data.recoveryCodes } as {
      id: string
      secret: string
      uri: string
      recoveryCodes: string[] | null
    }
  }

  async function addPasskey(account: TestAccount, authenticator = createAuthenticator(origin)) {
    const challenged = await suite.app.post(
      '/api/v1/second-factors/passkey-options',
      { password: account.password },
      account.session,
    )
    const { challenge, options } = challenged.json().data
    const answer = await suite.app.post(
      '/api/v1/second-factors/passkey',
      { challenge, name: 'Laptop', passkey: authenticator.create(options) },
      account.session,
    )
    return { answer, authenticator }
  }

  test('401: its userId opens nothing after a log-in, until the last factor is gone', async () => {
    const account = await suite.app.signUp()
    const place = newPlace()
    const listKeys = () =>
      suite.app.inject({
        method: 'GET',
        url: `/api/v1/user-api-keys?userId=${account.userId}`,
        remoteAddress: place,
      })
    await logIn(account, place)
    expect((await listKeys()).statusCode).toBe(200)
    const { id } = await addTotp(account)
    expect((await listKeys()).statusCode).toBe(401)
    const { password } = account
    const removed = await suite.app.post(`/api/v1/second-factors/${id}/remove`, { password }, account.session)
    expect(removed.statusCode, removed.body).toBe(200)
    expect((await listKeys()).statusCode).toBe(200)
  })

  test('200: sessions from before end with the new factor, when its owner wants that', async () => {
    const account = await suite.app.signUp()
    const older = { authorization: `Bearer ${(await logIn(account)).json().token}` }
    const isOpen = async (session: { authorization: string }) => (await suite.app.get('/api/me', session)).statusCode
    const confirm = async (wish: object) => {
      const { password } = account
      const { data } = (await suite.app.post('/api/v1/second-factors/totp', { password }, account.session)).json()
      const body = { code: codeOf(data.secret), ...wish }
      const answer = await suite.app.post(`/api/v1/second-factors/${data.id}/confirm`, body, account.session)
      expect(answer.statusCode, answer.body).toBe(200)
    }
    await confirm({})
    expect([await isOpen(older), await isOpen(account.session)]).toEqual([200, 200])
    await confirm({ endOtherSessions: true })
    expect([await isOpen(older), await isOpen(account.session)]).toEqual([401, 200])
    const { events } = (await suite.app.get('/api/v1/security-log', account.session)).json().data
    expect(events.map(({ event }: { event: string }) => event)).toContain('sessions.ended')
  })

  test('200: an account without a second factor logs in as ever', async () => {
    const account = await suite.app.signUp()
    const answer = await logIn(account)
    expect([answer.statusCode, Object.keys(answer.json())]).toEqual([
      200,
      ['message', 'userId', 'token', 'tokenType', 'expiresAt'],
    ])
  })

  test('200: an authenticator app asks for nothing until a code of it was confirmed', async () => {
    const account = await suite.app.signUp()
    const enrolled = await suite.app.post(
      '/api/v1/second-factors/totp',
      { password: account.password },
      account.session,
    )
    expect(enrolled.headers['cache-control']).toBe('no-store')
    const { id, secret, uri } = enrolled.json().data
    expect(uri).toBe(`otpauth://totp/Assay:${encodeURIComponent(account.email)}?secret=${secret}&issuer=Assay`)
    expect((await logIn(account)).statusCode).toBe(200)
    const wrong = await suite.app.post(
      `/api/v1/second-factors/${id}/confirm`,
      { code: wrongCodeOf(secret) },
      account.session,
    )
    expect([wrong.statusCode, wrong.json()]).toEqual([
      400,
      { error: 'The code is not the one that this secret gives now.' },
    ])
    expect((await logIn(account)).statusCode).toBe(200)
  })

  test('202, then 200: the password alone opens nothing; password and code do', async () => {
    const account = await suite.app.signUp()
    const { secret } = await addTotp(account)
    const due = await logIn(account)
    expect(due.statusCode).toBe(202)
    expect(due.cookies).toEqual([])
    expect(due.json()).toEqual({
      message: 'A second factor is needed.',
      challenge: expect.stringMatching(/^[0-9a-f]{64}$/),
      factors: ['totp', 'recovery-code'],
      passkeyOptions: null,
      expiresAt: expect.any(String),
    })
    expect((await suite.app.get('/api/me', { authorization: `Bearer ${due.json().challenge}` })).statusCode).toBe(401)
    const done = await finish({ challenge: due.json().challenge, code: codeOf(secret) })
    expect(done.statusCode).toBe(200)
    expect(done.cookies.map(({ name }) => name)).toEqual(['assay_session', 'assay_device'])
    expect((await suite.app.get('/api/me', { authorization: `Bearer ${done.json().token}` })).statusCode).toBe(200)
  })

  test('the right password is right no sooner than the wrong one is wrong: 401 as ever', async () => {
    const account = await suite.app.signUp()
    await addTotp(account)
    const answer = await logIn({ ...account, password: 'not the password' })
    expect([answer.statusCode, answer.json()]).toEqual([401, { error: 'Invalid e-mail or password.' }])
  })

  test('401: a code works once, also when it comes twice at the same time', async () => {
    const account = await suite.app.signUp()
    const { secret } = await addTotp(account)
    const code = codeOf(secret)
    const challenges = [(await logIn(account)).json().challenge, (await logIn(account)).json().challenge]
    const answers = await Promise.all(challenges.map((challenge) => finish({ challenge, code })))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 401])
    const again = await finish({ challenge: (await logIn(account)).json().challenge, code })
    expect([again.statusCode, again.json()]).toEqual([401, { error: 'The second factor was not accepted.' }])
  })

  test('401: a challenge is used once, lasts five minutes and five tries', async () => {
    const account = await suite.app.signUp()
    const { secret } = await addTotp(account)
    const expired = { error: 'This log-in has expired. Begin again with email and password.' }

    const used = (await logIn(account)).json().challenge
    expect((await finish({ challenge: used, code: codeOf(secret) })).statusCode).toBe(200)
    suite.app.clock.travel('PT1M')
    expect((await finish({ challenge: used, code: codeOf(secret) })).json()).toEqual(expired)

    const late = (await logIn(account)).json().challenge
    suite.app.clock.travel('PT5M')
    expect((await finish({ challenge: late, code: codeOf(secret) })).json()).toEqual(expired)

    const guessed = (await logIn(account)).json().challenge
    for (let n = 0; n < 5; n++) {
      const answer = await finish({ challenge: guessed, code: wrongCodeOf(secret) })
      expect(answer.json()).toEqual({ error: 'The second factor was not accepted.' })
    }
    expect((await finish({ challenge: guessed, code: codeOf(secret) })).json()).toEqual(expired)
    await suite.app.runJobs()
    // Mails that wait together may go out in any order.
    const subjects = suite.app.mails.filter(({ to }) => to === account.email).map(({ subject }) => subject)
    expect(subjects).toContain('Another person may know your Assay password')
    expect((await finish({ challenge: 'f'.repeat(64), code: '123456' })).json()).toEqual(expired)
  })

  test('401: a challenge of one account does not take the code of another', async () => {
    const [first, second] = [await suite.app.signUp(), await suite.app.signUp()]
    await addTotp(first)
    const { secret } = await addTotp(second)
    const { challenge } = (await logIn(first)).json()
    expect((await finish({ challenge, code: codeOf(secret) })).statusCode).toBe(401)
  })

  test('400: a code of other than six digits', async () => {
    const answer = await finish({ challenge: 'x', code: '12345' })
    expect([answer.statusCode, answer.json()]).toEqual([400, { error: 'code must be six digits.' }])
  })

  test('401: nothing given proves nothing', async () => {
    const account = await suite.app.signUp()
    await addTotp(account)
    expect((await finish({ challenge: (await logIn(account)).json().challenge })).statusCode).toBe(401)
  })

  test('429: ten wrong codes from one place close it, thirty from everywhere all but the owner’s browser', async () => {
    const account = await suite.app.signUp()
    const { secret } = await addTotp(account)
    const done = await finish({ challenge: (await logIn(account)).json().challenge, code: codeOf(secret) })
    const mark = `assay_device=${done.cookies.find(({ name }) => name === 'assay_device')?.value}`
    suite.app.clock.travel('PT2H')
    const guess = async (place: string) =>
      (await finish({ challenge: (await logIn(account)).json().challenge, code: wrongCodeOf(secret) }, place))
        .statusCode
    const place = newPlace()
    for (let n = 0; n < 10; n++) expect(await guess(place)).toBe(401)
    expect(await guess(place)).toBe(429)
    for (let n = 0; n < 20; n++) expect(await guess(newPlace())).toBe(401)
    expect(await guess(newPlace())).toBe(429)
    const owner = await logIn(account, newPlace(), mark)
    const entered = await finish({ challenge: owner.json().challenge, code: codeOf(secret) }, newPlace(), mark)
    expect(entered.statusCode).toBe(200)
  })

  test('200: a recovery code works once, is reported by mail, and may be typed carelessly', async () => {
    const account = await suite.app.signUp()
    const { recoveryCodes } = await addTotp(account)
    expect(recoveryCodes).toHaveLength(10)
    expect(new Set(recoveryCodes).size).toBe(10)
    const [code = ''] = recoveryCodes ?? []
    expect(code).toMatch(/^([0-9a-z]{4}-){5}[0-9a-z]{4}$/)
    const careless = ` ${code.toUpperCase().replaceAll('-', ' ').replaceAll('0', 'O').replaceAll('1', 'L')}`
    const recoveryCode = careless
    const done = await finish({ challenge: (await logIn(account)).json().challenge, recoveryCode })
    expect(done.statusCode).toBe(200)
    const again = await finish({ challenge: (await logIn(account)).json().challenge, recoveryCode })
    expect(again.statusCode).toBe(401)
    const listed = (await suite.app.get('/api/v1/second-factors', account.session)).json().data
    expect(listed.recoveryCodesLeft).toBe(9)
    await suite.app.runJobs()
    const notices = suite.app.mails.filter(
      ({ to, text }) => to === account.email && text.includes('A recovery code was used'),
    )
    expect(notices).toHaveLength(1)
  })

  test('200: new recovery codes void the old ones; 409 without a factor', async () => {
    const account = await suite.app.signUp()
    const renew = () => suite.app.post('/api/v1/recovery-codes', { password: account.password }, account.session)
    expect((await renew()).json()).toEqual({ error: 'There is no second factor. Add one first.' })
    const { recoveryCodes: old } = await addTotp(account)
    const { recoveryCodes } = (await renew()).json().data
    const tryOut = async (recoveryCode: string) =>
      (await finish({ challenge: (await logIn(account)).json().challenge, recoveryCode })).statusCode
    expect(await tryOut(old?.[0] ?? '')).toBe(401)
    expect(await tryOut(recoveryCodes[0])).toBe(200)
  })

  test('200: listed without its secret; removed with the password, and the log-in is as before', async () => {
    const account = await suite.app.signUp()
    const { id, secret } = await addTotp(account)
    const listed = (await suite.app.get('/api/v1/second-factors', account.session)).json()
    expect(listed.data.factors).toEqual([
      { id, kind: 'totp', name: 'Phone', createdAt: expect.any(String), lastUsedAt: null },
    ])
    expect(JSON.stringify(listed)).not.toContain(secret)
    const waiting = (await logIn(account)).json().challenge
    const remove = (password: string) =>
      suite.app.post(`/api/v1/second-factors/${id}/remove`, { password }, account.session)
    const refused = await remove('not the password')
    expect([refused.statusCode, refused.json()]).toEqual([403, { error: 'The password is wrong.' }])
    expect((await remove(account.password)).statusCode).toBe(200)
    expect((await remove(account.password)).statusCode).toBe(404)
    expect((await finish({ challenge: waiting, code: codeOf(secret) })).statusCode).toBe(401)
    expect((await logIn(account)).statusCode).toBe(200)
    const after = (await suite.app.get('/api/v1/second-factors', account.session)).json().data
    expect(after).toMatchObject({ factors: [], recoveryCodesLeft: 0 })
  })

  test('429: ten wrong passwords before a change', async () => {
    const account = await suite.app.signUp()
    const enrol = (password: string) => suite.app.post('/api/v1/second-factors/totp', { password }, account.session)
    for (let n = 0; n < 10; n++) expect((await enrol('wrong')).statusCode).toBe(403)
    expect((await enrol(account.password)).statusCode).toBe(429)
  })

  test('409: at most ten', async () => {
    const account = await suite.app.signUp()
    for (let n = 0; n < 10; n++) await addTotp(account)
    const answer = await suite.app.post('/api/v1/second-factors/totp', { password: account.password }, account.session)
    expect([answer.statusCode, answer.json()]).toEqual([
      409,
      { error: 'An account can have at most 10 second factors. Remove one first.' },
    ])
  })

  test('each change stands in the security log and is mailed; no secret in either, nor in the log', async () => {
    const account = await suite.app.signUp()
    const { id, secret, recoveryCodes } = await addTotp(account)
    const { challenge } = (await logIn(account)).json()
    await finish({ challenge, code: wrongCodeOf(secret) })
    suite.app.clock.travel('PT1S')
    await suite.app.post(`/api/v1/second-factors/${id}/remove`, { password: account.password }, account.session)
    const log = (await suite.app.get('/api/v1/security-log', account.session)).json().data.events
    const kinds = log.map(({ event }: { event: string }) => event)
    expect(kinds).toEqual(
      expect.arrayContaining(['second-factor.added', 'second-factor.failed', 'second-factor.removed']),
    )
    await suite.app.runJobs()
    const mails = suite.app.mails.filter(({ to }) => to === account.email)
    expect(
      mails.filter(({ subject }) => subject === 'The log-in settings of your Assay account were changed'),
    ).toHaveLength(2)
    const said = JSON.stringify([log, mails, suite.app.logLines])
    for (const word of [secret, challenge, ...(recoveryCodes ?? [])]) expect(said).not.toContain(word)
  })

  test('a new password does not remove it, and voids a log-in that waits', async () => {
    const account = await suite.app.signUp()
    const { secret } = await addTotp(account)
    const { challenge } = (await logIn(account)).json()
    await suite.app.post('/api/forgot-password', { email: account.email })
    await suite.app.runJobs()
    const mail = suite.app.mails.findLast(({ to, subject }) => to === account.email && subject.startsWith('Reset'))
    const token = /^[0-9a-f]{64}$/m.exec(mail?.text ?? '')?.[0]
    const newPassword = 'another long enough password'
    expect((await suite.app.post('/api/reset-password', { token, newPassword })).statusCode).toBe(200)
    expect((await finish({ challenge, code: codeOf(secret) })).statusCode).toBe(401)
    expect((await logIn({ ...account, password: newPassword })).statusCode).toBe(202)
  })

  test('202, then 200: a passkey as second factor', async () => {
    const account = await suite.app.signUp()
    const { answer, authenticator } = await addPasskey(account)
    expect(answer.statusCode).toBe(200)
    expect(answer.json().data.recoveryCodes).toHaveLength(10)
    const { challenge, factors, passkeyOptions } = (await logIn(account)).json()
    expect(factors).toEqual(['passkey', 'recovery-code'])
    expect(passkeyOptions).toMatchObject({ rpId: 'localhost', allowCredentials: [{ transports: ['internal'] }] })
    const passkey = authenticator.get(passkeyOptions, { isVerified: false })
    expect((await finish({ challenge, passkey })).statusCode).toBe(200)
    const next = (await logIn(account)).json()
    expect((await finish({ challenge: next.challenge, passkey })).statusCode).toBe(401)
  })

  test('401: a passkey that signed for another site, another challenge, by another key, or counts backwards', async () => {
    const account = await suite.app.signUp()
    const { authenticator } = await addPasskey(account)
    const attempt = async (sign: (options: { challenge: string; rpId: string }) => object) => {
      const { challenge, passkeyOptions } = (await logIn(account)).json()
      return (await finish({ challenge, passkey: sign(passkeyOptions) })).statusCode
    }
    expect(await attempt((options) => authenticator.get(options, { count: 5 }))).toBe(200)
    expect(await attempt((options) => authenticator.get(options, { count: 5 }))).toBe(401)
    expect(await attempt((options) => authenticator.get(options, { count: 6, origin: 'https://evil.example' }))).toBe(
      401,
    )
    expect(await attempt((options) => authenticator.get({ ...options, rpId: 'evil.example' }, { count: 6 }))).toBe(401)
    expect(await attempt((options) => authenticator.get({ ...options, challenge: 'AAAA' }, { count: 6 }))).toBe(401)
    const outsider = createAuthenticator(origin)
    const { id } = authenticator.get({ challenge: 'AAAA' }, { count: 6 }) as { id: string }
    expect(await attempt((options) => ({ ...outsider.get(options), id, rawId: id }))).toBe(401)
    expect(await attempt(() => ({ id: 'nobody', response: {} }))).toBe(401)
    expect(await attempt((options) => authenticator.get(options, { count: 6 }))).toBe(200)
  })

  test('200: a log-in by passkey alone, when the authenticator made sure of its owner', async () => {
    const account = await suite.app.signUp()
    const { authenticator } = await addPasskey(account)
    const attempt = async (changes: { isVerified?: boolean }) => {
      const { challenge, options } = (await suite.app.post('/api/login/passkey-options')).json()
      return suite.app.post('/api/login/passkey', { challenge, passkey: authenticator.get(options, changes) })
    }
    const unsure = await attempt({ isVerified: false })
    expect([unsure.statusCode, unsure.json()]).toEqual([401, { error: 'The passkey was not accepted.' }])
    const done = await attempt({})
    expect([done.statusCode, done.json().userId]).toEqual([200, account.userId])
  })

  test('401: the challenge of a log-in by passkey does not finish one by password, nor the other way round', async () => {
    const account = await suite.app.signUp()
    const { authenticator } = await addPasskey(account)
    const alone = (await suite.app.post('/api/login/passkey-options')).json()
    const passkey = authenticator.get(alone.options)
    expect((await finish({ challenge: alone.challenge, passkey })).statusCode).toBe(401)
    const due = (await logIn(account)).json()
    const signed = authenticator.get(due.passkeyOptions)
    const answer = await suite.app.post('/api/login/passkey', { challenge: due.challenge, passkey: signed })
    expect(answer.statusCode).toBe(401)
  })

  test('409 and 400: a passkey is enrolled once, by an answer that fits', async () => {
    const account = await suite.app.signUp()
    const { authenticator } = await addPasskey(account)
    const again = await addPasskey(account, authenticator)
    expect([again.answer.statusCode, again.answer.json()]).toEqual([409, { error: 'This passkey is already in use.' }])
    const elsewhere = await addPasskey(account, createAuthenticator('https://evil.example'))
    expect([elsewhere.answer.statusCode, elsewhere.answer.json()]).toEqual([
      400,
      { error: 'The passkey could not be verified. Begin again.' },
    ])
    const other = await suite.app.signUp()
    const challenged = await suite.app.post(
      '/api/v1/second-factors/passkey-options',
      { password: account.password },
      account.session,
    )
    const { challenge, options } = challenged.json().data
    const passkey = createAuthenticator(origin).create(options)
    const foreign = await suite.app.post('/api/v1/second-factors/passkey', { challenge, passkey }, other.session)
    expect(foreign.statusCode).toBe(401)
  })
})
