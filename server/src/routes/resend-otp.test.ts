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

  test('200: the owner of an address that several people registered gets a code for each, named and timed', async () => {
    await register('shared@example.com', 'Owner')
    suite.app.clock.travel('PT1M')
    await register('shared@example.com', 'Mallory')
    suite.app.clock.travel('PT1M')
    const before = suite.app.mails.length
    await resend('shared@example.com')
    await suite.app.runJobs()
    const texts = suite.app.mails.slice(before).map(({ text }) => text)
    expect(texts).toHaveLength(2)
    expect(texts.some((text) => text.includes('“Owner”'))).toBe(true)
    expect(texts.some((text) => text.includes('“Mallory”'))).toBe(true)
  })

  test('400: no address', async () => {
    const answer = await suite.app.post('/api/resend-otp', {})
    expect([answer.statusCode, answer.json()]).toEqual([400, { error: 'email is required.' }])
  })

  test.each(['known', 'unknown'])('429: twice within a minute, for a %s address', async (kind) => {
    const email = `minute-${kind}@example.com`
    if (kind === 'known') await register(email)
    else await resend(email)
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
