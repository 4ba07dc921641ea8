import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createSmtpGateway, type OutgoingMail } from '../gateways/smtp.ts'
import { createAccountStore } from '../stores/accounts.ts'
import { connectPostgres } from '../stores/database.ts'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { form } from '../testing/form.ts'
import { type ScanService, startScanService, type TestCaller } from '../testing/scan-service.ts'
import { startTestApp, type TestAccount } from '../testing/start-test-app.ts'
import { mailWeeklyDigests } from './weekly-digest.ts'

const drained = `pragma solidity 0.8.24;
contract Bank {
    mapping(address => uint256) balances;
    function deposit() external payable { balances[msg.sender] += msg.value; }
    function withdraw() external {
        (bool sent, ) = msg.sender.call{value: balances[msg.sender]}("");
        require(sent);
        balances[msg.sender] = 0;
    }
}
`
const harmless = 'pragma solidity 0.8.24;\ncontract Quiet { uint256 public x; }\n'

async function startMailServer() {
  const received: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk) => chunks.push(chunk))
      stream.on('end', () => {
        received.push(Buffer.concat(chunks).toString())
        done()
      })
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return { received, port, stop: () => new Promise<void>((resolve) => server.close(() => resolve())) }
}

describeOnEachDatabase('the weekly digest', (context) => {
  let service: ScanService
  let caller: TestCaller

  beforeAll(async () => {
    service = await startScanService(context.database)
  })
  afterAll(() => service.close())
  beforeEach(async () => {
    caller = await service.newCaller('pro')
  })

  const scan = async (project: string, source = drained, headers: Record<string, string> = caller.key) => {
    service.clock.travel('PT1S')
    const file = { name: 'file', fileName: 'Bank.sol', bytes: source }
    const answer = await service.scan(headers, form(file, { name: 'project', value: project }))
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.json().scanId as string
  }
  const choose = async (weeklyDigest: boolean, { session }: TestAccount = caller.account) => {
    const answer = await service.inject({
      method: 'PATCH',
      url: '/api/v1/mail-preferences',
      payload: { weeklyDigest },
      headers: session,
    })
    expect(answer.statusCode).toBe(200)
  }
  const readPreferences = async ({ session }: TestAccount) =>
    (await service.get('/api/v1/mail-preferences', session)).json().data
  const digestsTo = ({ email }: TestAccount): OutgoingMail[] =>
    service.mails.filter(({ to, subject }) => to === email && subject.startsWith('Weekly digest'))
  /** All digests that were mailed by the end of this time. */
  const after = async (duration: string, account: TestAccount = caller.account) => {
    service.clock.travel(duration)
    await service.runJobs()
    return digestsTo(account)
  }
  const unsubscribePath = (mail: OutgoingMail | undefined): string =>
    (mail?.headers?.['List-Unsubscribe'] ?? '').slice(1, -1).replace(/^https?:\/\/[^/]+/, '')

  test('counts as the pages do: findings that need review are not among them', async () => {
    await choose(true)
    await scan(
      'sale',
      `pragma solidity 0.8.26;
contract Sale {
    uint256 public end = 1700000000;
    address public last;
    function buy() external payable {
        require(block.timestamp < end, "over");
        last = msg.sender;
    }
}`,
    )
    const counted = async (more: string) =>
      (await service.get(`/api/v1/findings?project=sale&state=open${more}`, caller.key)).json().data.total as number
    const [sure, all] = [await counted('&review=exclude'), await counted('')]
    expect(sure).toBeLessThan(all)
    const [mail] = await after('PT1H')
    expect(mail?.subject).toMatch(new RegExp(`^Weekly digest: ${sure} new findings?`))
  })

  test('says what is new, the oldest open findings and which projects were scanned, with links', async () => {
    await choose(true)
    await scan('forgotten', harmless)
    const older = await scan('vault')
    service.clock.travel('P31D')
    const newer = await scan('bridge')
    const [mail, ...more] = await after('PT1H')
    expect(more).toEqual([])
    expect(mail?.subject).toMatch(/^Weekly digest: \d+ new findings?, 2 open critical or high$/)
    const text = mail?.text ?? ''
    expect(text).toMatch(/^Your own projects$/m)
    expect(text).toMatch(/^\d+ new findings? this week: 1 critical(, \d+ \w+)*\. 1 of 3 projects scanned\.$/m)
    expect(text).toContain('2 open critical or high findings. The oldest:')
    const places = [...text.matchAll(/^critical: .+ \(“(\w+)”, Bank\.sol, line 6\), open for (\d+) days:\n(\S+)$/gm)]
    expect(places.map(([, project, days]) => [project, days])).toEqual([
      ['vault', '31'],
      ['bridge', '0'],
    ])
    expect(places.map(([, , , link]) => /\/scans\/(\w+)\?account=personal&f=./.exec(link ?? '')?.[1])).toEqual([
      older,
      newer,
    ])
    expect(text).toContain('Not scanned for 30 days: “forgotten”, “vault”.')
    expect(text).toContain('/findings?account=personal&fresh=true')
    expect(text).toContain('/projects?account=personal')
    expect(JSON.stringify(mail)).not.toContain(caller.account.userId)
  })

  test('is off until a member turns it on', async () => {
    await scan('vault')
    expect((await readPreferences(caller.account)).weeklyDigest).toBe(false)
    expect(await after('P6D')).toEqual([])
    await choose(true)
    expect(await after('PT1H')).toHaveLength(1)
  })

  test('is not sent twice in seven days, also when it is turned off and on again', async () => {
    await scan('vault')
    await choose(true)
    expect(await after('PT1H')).toHaveLength(1)
    await choose(false)
    await choose(true)
    expect(await after('P6DT22H')).toHaveLength(1)
    expect(await after('PT2H')).toHaveLength(2)
    expect(await after('PT1H')).toHaveLength(2)
    // The service was down for weeks: one digest, not one for each.
    expect(await after('P20D')).toHaveLength(3)
    expect(await after('PT1H')).toHaveLength(3)
  })

  test('nothing is sent when nothing happened and nothing severe is open; the next look is a week later', async () => {
    await choose(true)
    expect(await after('PT1H')).toEqual([])
    await scan('quiet', harmless)
    expect(await after('P3D')).toEqual([])
    const [first, ...more] = await after('P4D')
    expect(more).toEqual([])
    expect(first?.subject).toBe('Weekly digest: 0 new findings, 0 open critical or high')
    expect(first?.text).toContain('0 new findings this week. 1 of 1 project scanned.')
    expect(await after('P7D')).toHaveLength(1)
  })

  test('findings that are set aside or fixed are not in it', async () => {
    await scan('accepted')
    const { findings } = (await service.get('/api/v1/findings?project=accepted', caller.key)).json().data
    for (const { id } of findings) {
      const payload = { state: 'accepted', reason: 'known' }
      const headers = caller.account.session
      await service.inject({ method: 'PATCH', url: `/api/v1/findings/${id}`, payload, headers })
    }
    await scan('fixed')
    await scan('fixed', harmless)
    await choose(true)
    const [mail] = await after('PT1H')
    expect(mail?.subject).toBe('Weekly digest: 0 new findings, 0 open critical or high')
    expect(mail?.text).not.toContain('critical:')
  })

  test('a member reads of each organization with notices on its plan, and no longer once removed', async () => {
    const owner = caller.account
    const member = await service.signUp()
    const create = await service.post('/api/v1/organisations', { name: 'Acme' }, owner.session)
    const { id } = create.json().data
    await createAccountStore(service.deps.db).setPlan(id, 'pro', service.clock.now().getTime())
    const invitation = { email: member.email, role: 'auditor' }
    await service.post(`/api/v1/organisations/${id}/invitations`, invitation, owner.session)
    await service.runJobs()
    const invited = service.mails.findLast(({ to }) => to === member.email)
    const token = /^[0-9a-f]{64}$/m.exec(invited?.text ?? '')?.[0]
    expect((await service.post('/api/v1/invitations/accept', { token }, member.session)).statusCode).toBe(200)
    await scan('shared', drained, { ...owner.session, 'x-organisation': id })
    await scan('private', drained, member.session)
    await choose(true, member)
    const [mail, ...more] = await after('PT1H', member)
    expect(more).toEqual([])
    expect(mail?.text).toMatch(/^Organization “Acme”$/m)
    expect(mail?.text).toContain(`/findings?account=${id}&fresh=true`)
    // Their own plan has no notices.
    expect(mail?.text).not.toContain('Your own projects')
    expect(digestsTo(owner)).toEqual([])
    const { members } = (await service.get(`/api/v1/organisations/${id}/members`, owner.session)).json().data
    const { memberId } = members.find(({ email }: { email: string }) => email === member.email)
    const url = `/api/v1/organisations/${id}/members/${memberId}`
    const removed = await service.inject({ method: 'DELETE', url, headers: owner.session })
    expect(removed.statusCode, removed.body).toBe(200)
    expect(await after('P7D', member)).toHaveLength(1)
  })

  test('one POST without a session turns it off for its reader, for nobody else and for no other email', async () => {
    const other = await service.newCaller('pro')
    await scan('vault')
    await scan('vault', drained, other.key)
    await choose(true)
    await choose(true, other.account)
    const [mail] = await after('PT1H')
    expect(mail?.headers?.['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click')
    const url = unsubscribePath(mail)
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const payload = 'List-Unsubscribe=One-Click'
    const [, token = ''] = url.split('token=')
    const [, otherToken = ''] = unsubscribePath(digestsTo(other.account)[0]).split('token=')
    const half = Math.floor(token.length / 2)
    for (const forged of [token.slice(0, half) + otherToken.slice(half), other.account.userId, `${token}x`]) {
      const refused = await service.inject({ method: 'POST', url: `/unsubscribe?token=${forged}`, payload, headers })
      expect(refused.statusCode).toBe(400)
    }
    expect((await service.get(url)).body).toContain('Turn off emails about new and open findings of the week?')
    expect(await readPreferences(caller.account)).toMatchObject({ weeklyDigest: true })
    const answer = await service.inject({ method: 'POST', url, payload, headers })
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(await readPreferences(caller.account)).toMatchObject({ weeklyDigest: false, scanFindings: true })
    expect(await readPreferences(other.account)).toMatchObject({ weeklyDigest: true })
    expect(await after('P7D')).toHaveLength(1)
    expect(digestsTo(other.account)).toHaveLength(2)
  })

  test('two processes at once send it once', async () => {
    await scan('vault')
    await choose(true)
    const { databaseUrl } = context.settings
    // The embedded database is opened by one process; there the two are two runs in it.
    const database = databaseUrl ? connectPostgres(databaseUrl) : context.database
    const second = await startTestApp({ database, clock: service.clock })
    service.clock.travel('PT1H')
    await Promise.all([service, second, service, second].map(({ deps }) => mailWeeklyDigests(deps)))
    await Promise.all([service.runJobs(), second.runJobs()])
    const sent = [...service.mails, ...second.mails].filter(
      ({ to, subject }) => to === caller.account.email && subject.startsWith('Weekly digest'),
    )
    expect(sent).toHaveLength(1)
    await second.close()
    if (databaseUrl) await database.close()
  })
})

describeOnEachDatabase('the weekly digest by SMTP', (context) => {
  test('survives a restart with the mail server down, and arrives once with the headers of one-click', async () => {
    const before = await startScanService(context.database)
    const { account, key } = await before.newCaller('pro')
    await before.scan(key)
    await before.inject({
      method: 'PATCH',
      url: '/api/v1/mail-preferences',
      payload: { weeklyDigest: true },
      headers: account.session,
    })
    before.deps.mailer.send = async () => ({ kind: 'later', reason: 'down' })
    before.clock.travel('PT1H')
    await before.runJobs()
    await before.close()

    const server = await startMailServer()
    const mailer = createSmtpGateway({ url: `smtp://127.0.0.1:${server.port}`, timeoutMs: 15_000 })
    const restarted = await startTestApp({ database: context.database, clock: before.clock, replacements: { mailer } })
    for (let hour = 0; hour < 3; hour++) {
      restarted.clock.travel('PT1H')
      await restarted.runJobs()
    }
    const digests = server.received.filter((mail) => /^Subject: Weekly digest: /m.test(mail))
    expect(digests).toHaveLength(1)
    const [digest = ''] = digests
    const headers = digest.slice(0, digest.indexOf('\r\n\r\n')).replace(/\r\n\s+/g, ' ')
    expect(headers).toContain(`To: ${account.email}`)
    expect(headers).toMatch(/^List-Unsubscribe: <http:\/\/127\.0\.0\.1:3000\/unsubscribe\?token=[\w.-]+>$/m)
    expect(headers).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m)
    await restarted.close()
    await server.stop()
  })
})
