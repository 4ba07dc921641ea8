import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { floatingSource, type ScanService, startScanService } from '../testing/scan-service.ts'
import type { TestAccount } from '../testing/start-test-app.ts'

describeOnEachDatabase('one’s own account', (context) => {
  let service: ScanService
  let made = 0
  beforeAll(async () => {
    service = await startScanService(context.database)
  })
  afterAll(() => service.close())

  const newEmail = () => `new${++made}.${service.deps.instanceId.slice(-8)}@example.com`
  const logIn = (email: string, password: string) => service.post('/api/login', { email, password })
  const post = ({ session }: TestAccount, path: string, body: object) =>
    service.post(`/api/v1/account/${path}`, body, session)
  const codeTo = (email: string) =>
    /^\d{6}/.exec(
      service.mails.findLast(({ to, subject }) => to === email && /^\d{6} /.test(subject))?.subject ?? '',
    )?.[0]

  test('200: the name', async () => {
    const account = await service.signUp()
    const { session } = account
    const answer = await service.inject({
      method: 'PATCH',
      url: '/api/me',
      headers: session,
      payload: { name: ' Grace ' },
    })
    expect([answer.statusCode, answer.json().name]).toEqual([200, 'Grace'])
    expect((await service.get('/api/me', session)).json().name).toBe('Grace')
  })

  test('200: the password, which ends every other session and is reported by mail', async () => {
    const account = await service.signUp()
    const { email, password, session } = account
    const other = { authorization: `Bearer ${(await logIn(email, password)).json().token}` }
    const answer = await post(account, 'password', { password, newPassword: 'a new passphrase' })
    expect(answer.statusCode, answer.body).toBe(200)
    expect((await service.get('/api/me', session)).statusCode).toBe(200)
    expect((await service.get('/api/me', other)).statusCode).toBe(401)
    expect((await logIn(email, password)).statusCode).toBe(401)
    expect((await logIn(email, 'a new passphrase')).statusCode).toBe(200)
    await service.runJobs()
    const mail = service.mails.findLast(({ to }) => to === email)
    expect(mail?.subject).toBe('Your Assay password was changed')
    expect(mail?.text).toContain('every other session was ended')
  })

  test('400, 403, 429: a common password, a wrong one, and too many of those', async () => {
    const account = await service.signUp()
    const { password } = account
    expect((await post(account, 'password', { password, newPassword: 'password123' })).statusCode).toBe(400)
    const statuses: number[] = []
    for (let at = 0; at < 11; at++)
      statuses.push((await post(account, 'password', { password: 'x', newPassword: 'a new passphrase' })).statusCode)
    expect(statuses).toEqual([...Array(10).fill(403), 429])
  })

  test('200: the address, by the code that was sent there; the old one is notified', async () => {
    const account = await service.signUp()
    const { email: old, password, session } = account
    const email = newEmail()
    expect((await post(account, 'email', { password, email })).statusCode).toBe(200)
    await service.runJobs()
    const answer = await post(account, 'email/confirm', { code: codeTo(email) })
    expect([answer.statusCode, answer.json().email]).toEqual([200, email])
    expect((await service.get('/api/me', session)).json().email).toBe(email)
    expect((await logIn(old, password)).statusCode).toBe(401)
    expect((await logIn(email, password)).statusCode).toBe(200)
    await service.runJobs()
    expect(service.mails.findLast(({ to }) => to === old)?.text).toContain(email)
    // Once.
    expect((await post(account, 'email/confirm', { code: codeTo(email) })).statusCode).toBe(400)
  })

  test('400: a code that is wrong, over, guessed at too often, or of an address that has an account', async () => {
    const account = await service.signUp()
    const { password } = account
    const wrong = [400, { error: 'Invalid or expired verification code.' }]
    const confirm = async (code: string | undefined) => {
      const answer = await post(account, 'email/confirm', { code })
      return [answer.statusCode, answer.json()]
    }
    expect(await confirm('000000')).toEqual(wrong)
    const email = newEmail()
    await post(account, 'email', { password, email })
    await service.runJobs()
    const code = codeTo(email)
    for (let at = 0; at < 5; at++) expect(await confirm(code === '111111' ? '222222' : '111111')).toEqual(wrong)
    expect(await confirm(code)).toEqual(wrong)

    const late = newEmail()
    await post(account, 'email', { password, email: late })
    await service.runJobs()
    service.clock.travel('PT10M')
    expect(await confirm(codeTo(late))).toEqual(wrong)

    const neighbour = await service.signUp()
    const before = service.mails.length
    const answer = await post(account, 'email', { password, email: neighbour.email })
    expect([answer.statusCode, answer.json().message]).toEqual([
      200,
      'A code was sent to the new address. It is valid for 10 minutes.',
    ])
    await service.runJobs()
    expect(service.mails.slice(before).filter(({ to }) => to === neighbour.email)).toEqual([])
  })

  test('200: logged out everywhere, here too', async () => {
    const { email, password, session } = await service.signUp()
    const other = { authorization: `Bearer ${(await logIn(email, password)).json().token}` }
    const answer = await service.inject({ method: 'DELETE', url: '/api/v1/sessions', headers: session })
    expect(answer.statusCode).toBe(200)
    for (const headers of [session, other]) expect((await service.get('/api/me', headers)).statusCode).toBe(401)
  })

  test('200: an export holds everything, and no secret', async () => {
    // On the free plan, where some lists are not to be had.
    const { account, key } = await service.newCaller()
    const { scanId } = (await service.scan(key)).json()
    await service.post(`/api/v1/scans/${scanId}/links`, {}, account.session)
    expect((await post(account, 'export', { password: 'x' })).statusCode).toBe(403)
    const answer = await post(account, 'export', { password: account.password })
    expect(answer.statusCode, answer.body).toBe(200)
    expect(answer.headers['content-disposition']).toBe('attachment; filename="assay-account.ndjson"')
    const lines = answer.body
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const kinds = new Set(lines.map(({ kind }) => kind))
    for (const kind of [
      'account',
      'mail-preferences',
      'session',
      'api-key',
      'link',
      'security-event',
      'finding',
      'scan',
    ])
      expect(kinds).toContain(kind)
    expect(lines.find(({ kind }) => kind === 'account').email).toBe(account.email)
    const scan = lines.find(({ kind }) => kind === 'scan')
    expect([scan.scanId, scan.source, scan.result.scanId]).toEqual([scanId, floatingSource, scanId])
    for (const secret of [key['x-api-key'], account.token, account.password]) expect(answer.body).not.toContain(secret)
  })

  test('200: deleted with all that belongs to it', async () => {
    const { account, key } = await service.newCaller()
    const { scanId } = (await service.scan(key)).json()
    await service.post(`/api/v1/scans/${scanId}/links`, {}, account.session)
    const { email, password, userId } = account
    expect((await post(account, 'delete', { password, confirm: 'yes' })).statusCode).toBe(400)
    expect((await post(account, 'delete', { password: 'x', confirm: email })).statusCode).toBe(403)
    expect((await service.get(`/api/v1/scans/${scanId}`, key)).statusCode).toBe(200)
    const answer = await post(account, 'delete', { password, confirm: email.toUpperCase() })
    expect(answer.statusCode, answer.body).toBe(200)
    expect((await service.get('/api/me', account.session)).statusCode).toBe(401)
    expect((await service.get(`/api/v1/scans/${scanId}`, key)).statusCode).toBe(403)
    expect((await logIn(email, password)).statusCode).toBe(401)
    await service.runJobs()
    const subjects = service.mails.filter(({ to }) => to === email).map(({ subject }) => subject)
    expect(subjects).toContain('Your Assay account was deleted')
    expect(await placesThatKnow(userId, scanId, email)).toEqual([])
  })

  /** Tables in which something of an account still stands. The queue's own forget what is done by themselves. */
  async function placesThatKnow(...words: string[]): Promise<string[]> {
    const { db } = context.database
    const tables = (await db.introspection.getTables()).filter(
      ({ name, schema }) => name !== 'jobs' && schema !== 'pgboss',
    )
    const known: string[] = []
    for (const { name } of tables) {
      const rows = JSON.stringify(
        await db
          .selectFrom(name as 'accounts')
          .selectAll()
          .execute(),
      )
      if (words.some((word) => rows.includes(word))) known.push(name)
    }
    return known
  }

  test('409: the only owner of an organisation stays', async () => {
    const account = await service.signUp()
    const { email, password, session } = account
    await service.post('/api/v1/organisations', { name: 'Acme' }, session)
    const answer = await post(account, 'delete', { password, confirm: email })
    expect([answer.statusCode, answer.json()]).toEqual([
      409,
      { error: 'An organization needs an owner. Make another member one first.' },
    ])
    expect((await service.get('/api/me', session)).statusCode).toBe(200)
  })

  test('401: for anyone who is logged in', async () => {
    for (const path of ['password', 'email', 'email/confirm', 'export', 'delete'])
      expect((await service.post(`/api/v1/account/${path}`, {})).statusCode, path).toBe(401)
  })
})
