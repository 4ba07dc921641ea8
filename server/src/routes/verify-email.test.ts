import { expect, test } from 'vitest'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { useTestApp } from '../testing/start-test-app.ts'

const password = 'a long enough password'
const refusal = { error: 'Invalid or expired verification code.' }

describeOnEachDatabase('POST /api/verify-email', (context) => {
  const suite = useTestApp(context)
  let people = 0

  interface Registered {
    email: string
    code: string
    userId: string
    /** Where the registration was made. */
    home: string
  }

  async function registered(): Promise<Registered> {
    const email = `verify${++people}@example.com`
    const home = `10.0.2.${people}`
    const payload = { email, password, name: 'V' }
    const answer = await suite.app.inject({ method: 'POST', url: '/api/register', payload, remoteAddress: home })
    await suite.app.runJobs()
    return { email, code: suite.app.lastCode(email), userId: answer.json().userId, home }
  }
  const verify = (email: string, otp: unknown, remoteAddress = `10.0.3.${people}`) =>
    suite.app.inject({ method: 'POST', url: '/api/verify-email', payload: { email, otp }, remoteAddress })
  const logIn = (email: string, secret: string) => suite.app.post('/api/login', { email, password: secret })
  const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

  test('200: the account is active', async () => {
    const { email, code, userId } = await registered()
    const answer = await verify(email.toUpperCase(), ` ${code} `)
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({ message: 'Email address verified.', userId, verified: true })
    expect((await logIn(email, password)).statusCode).toBe(200)
  })

  test('400: a wrong code, and the right one still works after four of them', async () => {
    const { email, code } = await registered()
    for (let n = 0; n < 4; n++) {
      const answer = await verify(email, wrong(code))
      expect([answer.statusCode, answer.json()]).toEqual([400, refusal])
    }
    expect((await verify(email, code)).statusCode).toBe(200)
  })

  test('400: the right code after five wrong ones', async () => {
    const { email, code } = await registered()
    for (let n = 0; n < 5; n++) await verify(email, wrong(code))
    expect((await verify(email, code)).json()).toEqual(refusal)
  })

  test('200: outsiders use up their own tries, not those of the place where the registration was made', async () => {
    const { email, code, home, userId } = await registered()
    for (let n = 0; n < 20; n++) await verify(email, wrong(code), `10.9.${n}.1`)
    expect((await verify(email, code, '10.9.99.1')).json()).toEqual(refusal)
    const answer = await verify(email, code, home)
    expect([answer.statusCode, answer.json().userId]).toEqual([200, userId])
  })

  test('429: sixty tries an hour from one client, whatever the address', async () => {
    const answers = []
    for (let n = 0; n < 61; n++) answers.push(await verify(`sweep${n}@example.com`, '123456', '10.8.8.8'))
    expect(answers.slice(0, 60).every(({ statusCode }) => statusCode === 400)).toBe(true)
    expect([answers[60]?.statusCode, answers[60]?.json()]).toEqual([
      429,
      { error: 'Too many verification attempts. Try again later.' },
    ])
    expect(answers[60]?.headers['retry-after']).toBe('3600')
  })

  test('400: of fifty guesses made at once five are looked at', async () => {
    const { email, code } = await registered()
    const guesses = Array.from({ length: 50 }, (_, n) => String((Number(code) + n + 1) % 1_000_000).padStart(6, '0'))
    await Promise.all(guesses.map((guess) => verify(email, guess)))
    expect((await verify(email, code)).statusCode).toBe(400)
  })

  test('400: a used code', async () => {
    const { email, code } = await registered()
    await verify(email, code)
    expect((await verify(email, code)).json()).toEqual(refusal)
  })

  test('400: of two requests with the right code one succeeds', async () => {
    const { email, code } = await registered()
    const answers = await Promise.all([verify(email, code), verify(email, code)])
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400])
  })

  test('400: a code of ten minutes ago', async () => {
    const { email, code } = await registered()
    suite.app.clock.travel('PT10M')
    expect((await verify(email, code)).json()).toEqual(refusal)
  })

  test('400: an unknown address', async () => {
    const answer = await verify('nobody@example.com', '123456')
    expect([answer.statusCode, answer.json()]).toEqual([400, refusal])
  })

  test('400: a missing code', async () => {
    expect((await suite.app.post('/api/verify-email', { email: 'a@example.com' })).json()).toEqual({
      error: 'otp is required.',
    })
    expect((await verify('a@example.com', 123456)).json()).toEqual({ error: 'otp must be a string.' })
  })

  test('each registration of one address has its own code, which activates its own password and no other', async () => {
    const { email, code: ownersCode } = await registered()
    await suite.app.post('/api/register', { email, password: 'slipped under the door', name: 'Mallory' })
    await suite.app.runJobs()
    const othersCode = suite.app.lastCode(email)
    expect((await verify(email, ownersCode)).statusCode).toBe(200)
    expect((await verify(email, othersCode)).statusCode).toBe(400)
    expect((await logIn(email, password)).statusCode).toBe(200)
    expect((await logIn(email, 'slipped under the door')).statusCode).toBe(401)
  })
})
