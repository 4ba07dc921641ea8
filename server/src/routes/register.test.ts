import { expect, test } from 'vitest'
import { createAccountStore } from '../stores/accounts.ts'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { useTestApp } from '../testing/start-test-app.ts'

const password = 'a long enough password'

describeOnEachDatabase('POST /api/register', (context) => {
  const suite = useTestApp(context)
  let address = 0
  const register = (body: object, remoteAddress = `10.0.1.${++address}`) =>
    suite.app.inject({ method: 'POST', url: '/api/register', payload: body, remoteAddress })

  test('201: the account waits for its code, which is in the subject and in the text part', async () => {
    const answer = await register({ email: 'Ada@Example.com', password, name: 'Ada Lovelace' })
    expect(answer.statusCode).toBe(201)
    expect(answer.json()).toEqual({
      message: 'Registered. Enter the code that was sent to your email address.',
      userId: expect.stringMatching(/^usr_[0-9a-z]{26}$/),
      verificationSent: true,
    })
    expect(answer.headers['cache-control']).toBe('no-store')
    await suite.app.runJobs()
    const mail = suite.app.mails.find(({ to }) => to === 'ada@example.com')
    const code = mail?.subject.match(/\d{6}/)?.[0]
    expect(mail?.subject).toBe(`${code} is your Assay verification code`)
    expect(mail?.text).toMatch(new RegExp(`^${code}$`, 'm'))
    expect(mail?.text).toContain('“Ada Lovelace”')
    expect(mail?.text).toContain('2026-03-10 12:00 UTC')
  })

  test('400: a field that nobody asked for, and nothing comes of it', async () => {
    const email = 'more@example.com'
    const answer = await register({ email, password, name: 'More', plan: 'pro', isAdmin: true })
    expect(answer.statusCode, answer.body).toBe(400)
    expect(answer.json().error).toContain('plan')
    expect(await createAccountStore(suite.app.deps.db).findByEmail(email)).toBeUndefined()
  })

  test('201: an unverified address may be registered again, each time with a userId of its own', async () => {
    const email = 'again@example.com'
    const first = await register({ email, password, name: 'One' })
    await suite.app.runJobs()
    const second = await register({ email, password: 'another password', name: 'Two' })
    expect(second.statusCode).toBe(201)
    expect(second.json().userId).not.toBe(first.json().userId)
    await suite.app.runJobs()
    const verified = await suite.app.post('/api/verify-email', { email, otp: suite.app.lastCode(email) })
    expect(verified.json().userId).toBe(second.json().userId)
    expect(await createAccountStore(suite.app.deps.db).find(first.json().userId)).toBeUndefined()
  })

  test('201: passwords of 8 and of 128 characters are fine, whatever they are made of', async () => {
    expect((await register({ email: 'short@example.com', password: 'ünïcødé!', name: 'S' })).statusCode).toBe(201)
    expect(
      (
        await register({
          email: 'long@example.com',
          password: Array.from({ length: 128 }, (_, n) => String.fromCodePoint(0x1f400 + ((n * 37) % 128))).join(''),
          name: 'L',
        })
      ).statusCode,
    ).toBe(201)
  })

  test.each([
    [{}, 'email is required.'],
    [{ email: 5 }, 'email must be a string.'],
    [{ email: 'nobody', password, name: 'N' }, 'email must be a valid e-mail address.'],
    [{ email: `${'a'.repeat(250)}@example.com`, password, name: 'N' }, 'email must have at most 254 characters.'],
    [{ email: 'n@example.com', name: 'N' }, 'password is required.'],
    [{ email: 'n@example.com', password: 'seven77', name: 'N' }, 'password must have at least 8 characters.'],
    [{ email: 'n@example.com', password: 'x'.repeat(129), name: 'N' }, 'password must have at most 128 characters.'],
    [{ email: 'n@example.com', password }, 'name is required.'],
    [{ email: 'n@example.com', password, name: ' ' }, 'name must have at least 1 character.'],
    [{ email: 'n@example.com', password, name: 'a\u0001b' }, 'name must not contain control characters.'],
    [{ email: 'n@example.com', password, name: 'a\0b' }, 'name must not contain a NUL character.'],
    [[], 'The request body must be a JSON object.'],
  ])('400: %j → %s', async (body, error) => {
    const answer = await register(body)
    expect([answer.statusCode, answer.json()]).toEqual([400, { error }])
  })

  test.each(['password123', 'PASSWORD', '12345678', 'qwertyuiop', 'iloveyou1'])(
    '400: %s is too common',
    async (common) => {
      const answer = await register({ email: 'n@example.com', password: common, name: 'N' })
      expect([answer.statusCode, answer.json()]).toEqual([
        400,
        { error: 'password is one of the most common breached passwords. Choose another one.' },
      ])
    },
  )

  test.each(['        ', '~~~~~~~~~', 'n.nobody@example.com', 'assay123'])(
    '400: %s is too easy to guess',
    async (guessed) => {
      const answer = await register({ email: 'n.nobody@example.com', password: guessed, name: 'N' })
      expect([answer.statusCode, answer.json()]).toEqual([
        400,
        {
          error:
            'password is too easy to guess: little is left of it without your email address and name, the name of this product, blanks and characters that repeat or follow each other.',
        },
      ])
    },
  )

  test('409: a verified address is taken, in any spelling', async () => {
    const { email } = await suite.app.signUp()
    const answer = await register({ email: email.toUpperCase(), password, name: 'Mallory' })
    expect([answer.statusCode, answer.json()]).toEqual([409, { error: 'An account with this e-mail already exists.' }])
  })

  test('429: the sixth code mail to one address within the hour; an outsider’s five keep nobody from registering', async () => {
    const body = { email: 'flooded@example.com', password, name: 'F' }
    for (let n = 1; n <= 5; n++) expect((await register(body, '10.0.66.1')).statusCode).toBe(201)
    const answer = await register(body, '10.0.66.1')
    expect((await register(body, '10.0.66.2')).statusCode).toBe(201)
    expect([answer.statusCode, answer.json()]).toEqual([
      429,
      { error: 'Too many verification codes requested. Try again later.' },
    ])
    expect(answer.headers['retry-after']).toBe('3600')
  })

  test('429: the thirty-first registration from one network within the hour', async () => {
    const from = (host: number, n: number) =>
      register({ email: `crowd${n}@example.com`, password, name: 'C' }, `2001:db8:0:1::${host}`)
    for (let n = 1; n <= 30; n++) expect((await from(n, n)).statusCode).toBe(201)
    const answer = await from(99, 31)
    expect([answer.statusCode, answer.json()]).toEqual([
      429,
      { error: 'Too many registrations from this address. Try again later.' },
    ])
    expect(Number(answer.headers['retry-after'])).toBe(3600)
    const elsewhere = await register({ email: 'crowd32@example.com', password, name: 'C' }, '2001:db8:0:2::1')
    expect(elsewhere.statusCode).toBe(201)
  })

  test('429: many networks mailing codes to one address get thirty together, beyond the first of each', async () => {
    const body = { email: 'bombed@example.com', password, name: 'B' }
    for (let n = 0; n < 30; n++) expect((await register(body, `10.0.67.${n >> 2}`)).statusCode).toBe(201)
    expect((await register(body, '10.0.67.0')).statusCode).toBe(429)
    expect((await register(body, '10.0.68.1')).statusCode).toBe(201)
    expect((await register(body, '10.0.68.1')).statusCode).toBe(429)
  })

  test('429: one site of IPv6 gets three times what one of its networks gets', async () => {
    const from = (n: number) =>
      register({ email: `site${n}@example.com`, password, name: 'S' }, `2001:db8:5:${Math.floor(n / 30)}::1`)
    for (let n = 0; n < 90; n++) expect((await from(n)).statusCode).toBe(201)
    expect((await from(90)).statusCode).toBe(429)
  })

  test('no account exists before its address was verified', async () => {
    const { userId } = (await register({ email: 'hash@example.com', password, name: 'H' })).json()
    expect(await createAccountStore(suite.app.deps.db).find(userId)).toBeUndefined()
  })
})
