import { expect, test } from 'vitest'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { useTestApp } from '../testing/start-test-app.ts'

const password = 'a long enough password'
const words = { message: 'If this address is waiting for verification, a new code is on its way.' }

describeOnEachDatabase('POST /api/resend-otp', (context) => {
  const suite = useTestApp(context)
  const resend = (email: string) => suite.app.post('/api/resend-otp', { email })
  const register = async (email: string, name = 'R') => {
    await suite.app.post('/api/register', { email, password, name })
    await suite.app.runJobs()
    return suite.app.lastCode(email)
  }

  test('200: a new code voids the old one, and the account stays unverified', async () => {
    const old = await register('renew@example.com')
    suite.app.clock.travel('PT1M')
    const answer = await resend('Renew@example.com')
    expect([answer.statusCode, answer.json()]).toEqual([200, words])
    await suite.app.runJobs()
    const fresh = suite.app.lastCode('renew@example.com')
    const login = await suite.app.post('/api/login', { email: 'renew@example.com', password })
    expect([login.statusCode, login.json()]).toEqual([403, { error: 'E-mail address is not verified.' }])
    if (old !== fresh) {
      const stale = await suite.app.post('/api/verify-email', { email: 'renew@example.com', otp: old })
      expect(stale.statusCode).toBe(400)
    }
    const verified = await suite.app.post('/api/verify-email', { email: 'renew@example.com', otp: fresh })
    expect(verified.statusCode).toBe(200)
  })

  test('200: the same answer for an unknown and for a verified address, and no mail', async () => {
    const { email } = await suite.app.signUp()
    suite.app.clock.travel('PT1M')
    const before = suite.app.mails.length
    for (const address of ['unknown@example.com', email]) {
      const answer = await resend(address)
      expect([answer.statusCode, answer.json()]).toEqual([200, words])
    }
    await suite.app.runJobs()
    expect(suite.app.mails.length).toBe(before)
  })

  test('200: the newest registration alone is renewed, and the mail says for which name and from when', async () => {
    const first = await register('shared@example.com', 'Former')
    suite.app.clock.travel('PT1M')
    await register('shared@example.com', 'Newest')
    const before = suite.app.mails.length
    await resend('shared@example.com')
    await suite.app.runJobs()
    const texts = suite.app.mails.slice(before).map(({ text }) => text)
    expect(texts).toHaveLength(1)
    expect(texts[0]).toContain('“Newest”')
    expect(texts[0]).toMatch(/at 2026-03-10 12:\d\d UTC/)
    // The former one is neither renewed nor voided.
    const verified = await suite.app.post('/api/verify-email', { email: 'shared@example.com', otp: first })
    expect(verified.statusCode).toBe(200)
  })

  test('200: the owner’s resend does not confirm what an outsider registered after them', async () => {
    const email = 'owned@example.com'
    const from = (remoteAddress: string, url: string, payload: object) =>
      suite.app.inject({ method: 'POST', url, payload, remoteAddress })
    const owner = (await from('10.1.1.1', '/api/register', { email, password, name: 'Owner' })).json()
    suite.app.clock.travel('PT1S')
    await suite.app.runJobs()
    await from('10.6.6.6', '/api/register', { email, password: 'the strangers password', name: 'Mallory' })
    await suite.app.runJobs()
    await from('10.1.1.1', '/api/resend-otp', { email })
    await suite.app.runJobs()
    expect(suite.app.mails.findLast(({ to }) => to === email)?.text).toContain('“Owner”')
    const verified = await from('10.1.1.1', '/api/verify-email', { email, otp: suite.app.lastCode(email) })
    expect(verified.json().userId).toBe(owner.userId)
    expect((await from('10.1.1.1', '/api/login', { email, password })).statusCode).toBe(200)
  })

  test('200: the first resend after a registration is answered at once', async () => {
    await register('at-once@example.com')
    expect((await resend('at-once@example.com')).statusCode).toBe(200)
    await suite.app.runJobs()
    expect((await resend('at-once@example.com')).statusCode).toBe(429)
  })

  test('400: no address', async () => {
    const answer = await suite.app.post('/api/resend-otp', {})
    expect([answer.statusCode, answer.json()]).toEqual([400, { error: 'email is required.' }])
  })

  test.each(['known', 'unknown'])('429: twice within a minute, for a %s address', async (kind) => {
    const email = `minute-${kind}@example.com`
    if (kind === 'known') await register(email)
    await resend(email)
    suite.app.clock.travel('PT30S')
    const answer = await resend(email)
    expect([answer.statusCode, answer.json()]).toEqual([
      429,
      { error: 'Too many verification codes requested. Try again later.' },
    ])
    expect(answer.headers['retry-after']).toBe('30')
    suite.app.clock.travel('PT30S')
    expect((await resend(email)).statusCode).toBe(200)
  })

  test('429: sixty an hour from one client, whatever the address', async () => {
    const from = (email: string) =>
      suite.app.inject({ method: 'POST', url: '/api/resend-otp', payload: { email }, remoteAddress: '10.8.8.8' })
    for (let n = 0; n < 60; n++) expect((await from(`many${n}@example.com`)).statusCode).toBe(200)
    expect((await from('many60@example.com')).statusCode).toBe(429)
  })

  test('429: a sixth code within the hour, counted together with registration', async () => {
    await register('hour@example.com')
    for (let n = 0; n < 4; n++) {
      suite.app.clock.travel('PT2M')
      expect((await resend('hour@example.com')).statusCode).toBe(200)
    }
    suite.app.clock.travel('PT2M')
    const answer = await resend('hour@example.com')
    expect(answer.statusCode).toBe(429)
    expect(answer.headers['retry-after']).toBe(String(50 * 60))
  })
})
