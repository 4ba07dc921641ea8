import { expect, test } from 'vitest'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { type TestAccount, useTestApp } from '../testing/start-test-app.ts'

const words = { message: 'If an account with this address exists, a mail with a reset token is on its way.' }
const badToken = { error: 'Invalid or expired reset token.' }
const newPassword = 'an even better password'

describeOnEachDatabase('POST /api/forgot-password', (context) => {
  const suite = useTestApp(context)

  test('200: a mail with the token as a link and alone on a line', async () => {
    const { email } = await suite.app.signUp()
    const answer = await suite.app.post('/api/forgot-password', { email: email.toUpperCase() })
    expect([answer.statusCode, answer.json()]).toEqual([200, words])
    await suite.app.runJobs()
    const { text } = suite.app.mails.findLast(({ to }) => to === email)!
    const token = /^[0-9a-f]{64}$/m.exec(text)?.[0]
    expect(token).toBeDefined()
    expect(text).toContain(`http://127.0.0.1:3000/reset-password#token=${token}`)
  })

  test('200: the same answer for unknown and unverified addresses, and no mail', async () => {
    await suite.app.post('/api/register', { email: 'un@example.com', password: newPassword, name: 'U' })
    await suite.app.runJobs()
    const before = suite.app.mails.length
    for (const email of ['nobody@example.com', 'un@example.com']) {
      const answer = await suite.app.post('/api/forgot-password', { email })
      expect([answer.statusCode, answer.json()]).toEqual([200, words])
    }
    await suite.app.runJobs()
    expect(suite.app.mails.length).toBe(before)
  })

  test('400: not an address', async () => {
    const answer = await suite.app.post('/api/forgot-password', { email: 'x' })
    expect([answer.statusCode, answer.json()]).toEqual([400, { error: 'email must be a valid e-mail address.' }])
  })

  test.each(['known', 'unknown'])('429: a sixth within the hour, for a %s address', async (kind) => {
    const email = kind === 'known' ? (await suite.app.signUp()).email : 'stranger@example.com'
    for (let n = 0; n < 5; n++) expect((await suite.app.post('/api/forgot-password', { email })).statusCode).toBe(200)
    const answer = await suite.app.post('/api/forgot-password', { email })
    expect([answer.statusCode, answer.json()]).toEqual([
      429,
      { error: 'Too many password resets requested. Try again later.' },
    ])
    expect(answer.headers['retry-after']).toBe('3600')
  })

  test('200: an outsider’s five do not keep the owner from asking', async () => {
    const { email } = await suite.app.signUp()
    const sendRequest = (remoteAddress: string) =>
      suite.app.inject({ method: 'POST', url: '/api/forgot-password', payload: { email }, remoteAddress })
    for (let n = 0; n < 6; n++) await sendRequest('10.6.6.6')
    expect((await sendRequest('10.1.1.1')).statusCode).toBe(200)
  })

  test('429: sixty an hour from one client, whatever the address', async () => {
    const sendRequest = (n: number) =>
      suite.app.inject({
        method: 'POST',
        url: '/api/forgot-password',
        payload: { email: `many${n}@example.com` },
        remoteAddress: '10.8.8.8',
      })
    for (let n = 0; n < 60; n++) expect((await sendRequest(n)).statusCode).toBe(200)
    expect((await sendRequest(60)).statusCode).toBe(429)
  })
})

describeOnEachDatabase('POST /api/reset-password', (context) => {
  const suite = useTestApp(context)

  async function requestReset(email: string): Promise<string> {
    await suite.app.post('/api/forgot-password', { email })
    await suite.app.runJobs()
    const { text } = suite.app.mails.findLast(({ to }) => to === email)!
    return /^[0-9a-f]{64}$/m.exec(text)![0]
  }
  async function forgotten(): Promise<TestAccount & { reset: string }> {
    const account = await suite.app.signUp()
    return { ...account, reset: await requestReset(account.email) }
  }
  const reset = (token: unknown, password: unknown = newPassword) =>
    suite.app.post('/api/reset-password', { token, newPassword: password })

  test('200: the new password works, the old one and every session do not, and the owner is notified', async () => {
    const { email, password, session, reset: token } = await forgotten()
    const answer = await reset(token)
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      { message: 'Password changed. Log in with the new one.', apiKeys: { revoked: [], active: [] } },
    ])
    expect((await suite.app.get('/api/me', session)).statusCode).toBe(401)
    expect((await suite.app.post('/api/login', { email, password })).statusCode).toBe(401)
    expect((await suite.app.post('/api/login', { email, password: newPassword })).statusCode).toBe(200)
    await suite.app.runJobs()
    expect(suite.app.mails.findLast(({ to }) => to === email)?.subject).toBe('Your Assay password was changed')
  })

  test('200: keys that were found go on working and are listed, in the answer and in both mails', async () => {
    const account = await suite.app.signUp()
    const { id, keyValue } = await suite.app.makeKey(account)
    const token = await requestReset(account.email)
    const request = suite.app.mails.findLast(({ to }) => to === account.email)
    expect(request?.text).toContain('- “test”')
    expect(request?.text).toContain(`/reset-password#token=${token}&keys=revoke`)
    expect((await reset(token)).json().apiKeys).toEqual({ revoked: [], active: [{ id, name: 'test' }] })
    await suite.app.runJobs()
    const notice = suite.app.mails.findLast(({ to }) => to === account.email)
    expect(notice?.text).toContain('1 API key of the account still work')
    expect((await suite.app.get('/api/v1/scans', { 'x-api-key': keyValue })).statusCode).toBe(200)
  })

  test('200: on request the keys that were found are revoked', async () => {
    const account = await suite.app.signUp()
    const { id, keyValue } = await suite.app.makeKey(account)
    const key = { 'x-api-key': keyValue }
    expect((await suite.app.get('/api/v1/scans', key)).statusCode).toBe(200)
    const body = { token: await requestReset(account.email), newPassword, revokeApiKeys: true }
    const answer = await suite.app.post('/api/reset-password', body)
    expect(answer.json().apiKeys).toEqual({ revoked: [{ id, name: 'test' }], active: [] })
    expect((await suite.app.get('/api/v1/scans', key)).statusCode).toBe(403)
    await suite.app.runJobs()
    expect(suite.app.mails.findLast(({ to }) => to === account.email)?.text).toContain('revoked with it')
  })

  test('200: a reset clears the count of failed logins', async () => {
    const account = await suite.app.signUp()
    const logIn = (password: string) => suite.app.post('/api/login', { email: account.email, password })
    for (let n = 0; n < 10; n++) await logIn('wrong')
    expect((await logIn(account.password)).statusCode).toBe(429)
    await reset(await requestReset(account.email))
    expect((await logIn(newPassword)).statusCode).toBe(200)
  })

  test('400: a used token, also when two use it at once', async () => {
    const { reset: token } = await forgotten()
    const answers = await Promise.all([reset(token), reset(token, 'yet another password')])
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400])
    const again = await reset(token)
    expect([again.statusCode, again.json()]).toEqual([400, badToken])
  })

  test('400: an older token once a newer one was used', async () => {
    const { email, reset: older } = await forgotten()
    await suite.app.post('/api/forgot-password', { email })
    await suite.app.runJobs()
    const newer = /^[0-9a-f]{64}$/m.exec(suite.app.mails.findLast(({ to }) => to === email)!.text)![0]
    expect((await reset(newer)).statusCode).toBe(200)
    expect((await reset(older)).json()).toEqual(badToken)
  })

  test('400: a token of an hour ago', async () => {
    const { reset: token } = await forgotten()
    suite.app.clock.travel('PT1H')
    expect((await reset(token)).json()).toEqual(badToken)
  })

  test('400: a bad token costs no password hash', async () => {
    const before = suite.app.passwordWork.count
    for (const token of ['0'.repeat(64), 'x', '']) expect((await reset(token)).json()).toEqual(badToken)
    expect(suite.app.passwordWork.count).toBe(before)
  })

  test('400: a password that is too short, too long or too common leaves the token usable', async () => {
    const { reset: token } = await forgotten()
    const errors = []
    for (const password of ['short', 'x'.repeat(129), 'password1'])
      errors.push((await reset(token, password)).json().error)
    expect(errors).toEqual([
      'newPassword must have at least 8 characters.',
      'newPassword must have at most 128 characters.',
      'newPassword is one of the most common breached passwords. Choose another one.',
    ])
    expect((await reset(token)).statusCode).toBe(200)
  })

  test('400: missing fields', async () => {
    expect((await suite.app.post('/api/reset-password', {})).json()).toEqual({ error: 'token is required.' })
    expect((await suite.app.post('/api/reset-password', { token: 'x' })).json()).toEqual({
      error: 'newPassword is required.',
    })
  })
})
