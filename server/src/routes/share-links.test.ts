import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { form } from '../testing/form.ts'
import { floatingSource, type ScanService, startScanService, type TestCaller } from '../testing/scan-service.ts'

const notFound = [404, { error: 'This link does not exist, has expired or was revoked.' }]

/** Two findings, one of them set aside by a comment. */
const source = `// a secret remark
pragma solidity ^0.8.20; // assay-ignore SWC-103: a reason nobody outside may read
contract Vault {
  address owner;
  function pay(address payable to) external { require(tx.origin == owner); to.transfer(1); }
}
`

describeOnEachDatabase('secret links', (context) => {
  let service: ScanService
  beforeAll(async () => {
    service = await startScanService(context.database)
  })
  beforeEach(() => service.clock.travelTo('2026-03-10T12:00:00.000Z'))
  afterAll(() => service.close())

  const scan = async ({ key }: TestCaller, text = source, name = 'Vault.sol'): Promise<string> => {
    service.clock.travel('PT1S')
    const answer = await service.scan(
      key,
      form({ name: 'file', fileName: name, bytes: text }, { name: 'project', value: 'vault' }),
    )
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.json().scanId
  }
  const make = async ({ account }: TestCaller, scanId: string, wish: object = {}) => {
    const answer = await service.post(`/api/v1/scans/${scanId}/links`, wish, account.session)
    expect(answer.statusCode, answer.body).toBe(201)
    const { data } = answer.json()
    return { ...data, token: /shared\/(\w+)\/badge/.exec(data.badgeUrl)?.[1] as string }
  }
  const links = async ({ account }: TestCaller) =>
    (await service.get('/api/v1/links', account.session)).json().data.links as { id: string }[]
  const read = (token: string, part = '') => service.get(`/api/v1/shared/${token}${part}`)
  const revoke = ({ account }: TestCaller, id: string) =>
    service.inject({ method: 'DELETE', url: `/api/v1/links/${id}`, headers: account.session })

  test('201, 200: anyone who has the link reads the findings, without an account and without the source', async () => {
    const caller = await service.newCaller()
    const scanId = await scan(caller)
    const { token, ...link } = await make(caller, scanId)
    expect(link).toMatchObject({
      follows: 'scan',
      scanId,
      project: null,
      name: 'Vault.sol',
      shows: 'findings',
      createdBy: caller.account.email,
      expiresAt: '2026-04-09T12:00:01.000Z',
    })
    expect(link.url).toBe(`http://127.0.0.1:3000/shared#${token}`)
    const answer = await read(token)
    expect(answer.statusCode, answer.body).toBe(200)
    expect(answer.headers['x-robots-tag']).toBe('noindex, nofollow, noarchive')
    expect(answer.headers['cache-control']).toBe('no-store')
    const { data } = answer.json()
    expect(data).toMatchObject({
      scanId,
      fileName: 'Vault.sol',
      shared: { includesSource: false, expiresAt: link.expiresAt },
    })
    const own = (await service.get(`/api/v1/scans/${scanId}`, caller.account.session)).json().data
    expect(own.dataVulnerabilities.length).toBeGreaterThan(0)
    expect(own.suppressed).toHaveLength(1)
    const nameIt = ({ detector, line }: { detector: string; line: number }) => `${detector}:${line}`
    expect(data.dataVulnerabilities.map(nameIt)).toEqual(own.dataVulnerabilities.map(nameIt))
    // Each of these is in what the owner reads, and in nothing that the reader gets.
    for (const quoted of ['tx.origin == owner', 'pragma solidity ^0.8.20', 'a reason nobody outside may read'])
      expect([JSON.stringify(own).includes(quoted), answer.body.includes(quoted)]).toEqual([true, false])
    expect([(await read(token, '/source')).statusCode, (await read(token, '/source')).json()]).toEqual(notFound)
  })

  test('200: what was decided is shared, without why and by whom', async () => {
    const caller = await service.newCaller()
    const { token } = await make(caller, await scan(caller))
    expect((await read(token)).json().data.shared.states).toEqual([])
    const { findings } = (await service.get('/api/v1/findings?project=vault', caller.account.session)).json().data
    const [first] = findings as { id: string; file: string; fingerprint: string }[]
    const decided = await service.inject({
      method: 'PATCH',
      url: `/api/v1/findings/${first?.id}`,
      headers: caller.account.session,
      payload: { state: 'accepted', reason: 'only the treasurer calls it' },
    })
    expect(decided.statusCode, decided.body).toBe(200)
    const answer = await read(token)
    expect(answer.json().data.shared.states).toEqual([
      { file: first?.file, fingerprint: first?.fingerprint, state: 'accepted' },
    ])
    expect(answer.body).not.toContain('treasurer')
    expect(answer.body).not.toContain(caller.account.email)
  })

  test('200: with the source, where the link says so', async () => {
    const caller = await service.newCaller()
    const { token } = await make(caller, await scan(caller), { shows: 'source' })
    const { data } = (await read(token)).json()
    expect(data.shared.includesSource).toBe(true)
    expect(data.dataVulnerabilities[0].snippet).not.toBe('')
    const answer = await read(token, '/source')
    expect([answer.statusCode, answer.body]).toEqual([200, source])
    expect(answer.headers['x-robots-tag']).toContain('noindex')
    expect(answer.headers['content-disposition']).toBe('attachment; filename="Vault.sol"')
  })

  test('200: a badge shows the score to other sites, and nothing else', async () => {
    const caller = await service.newCaller()
    const { token, url } = await make(caller, await scan(caller), { shows: 'badge' })
    expect(url).toBeNull()
    const answer = await read(token, '/badge.svg')
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toBe('image/svg+xml; charset=utf-8')
    expect(answer.headers['cross-origin-resource-policy']).toBe('cross-origin')
    expect(answer.headers['cache-control']).toBe('no-cache')
    expect(answer.body).toMatch(/aria-label="assay: \d+ of 100"/)
    for (const part of ['', '/source'])
      expect([(await read(token, part)).statusCode, (await read(token, part)).json()]).toEqual(notFound)
  })

  test('200: a link that follows a project shows its newest scan', async () => {
    const caller = await service.newCaller()
    const { token, ...link } = await make(caller, await scan(caller), { follows: 'project' })
    expect(link).toMatchObject({ follows: 'project', scanId: null, project: 'vault', name: 'vault' })
    const newer = await scan(caller, floatingSource)
    expect((await read(token)).json().data.scanId).toBe(newer)
    await service.inject({ method: 'DELETE', url: `/api/v1/scans/${newer}`, headers: caller.account.session })
    expect((await read(token)).json().data.scanId).not.toBe(newer)
  })

  test('200: listed without their addresses, and revoked at once', async () => {
    const caller = await service.newCaller()
    const scanId = await scan(caller)
    const first = await make(caller, scanId)
    service.clock.travel('PT1S')
    const second = await make(caller, scanId, { shows: 'badge' })
    const listed = await links(caller)
    expect(listed.map(({ id }) => id)).toEqual([second.id, first.id])
    expect(JSON.stringify(listed)).not.toContain(first.token)
    expect((await revoke(caller, first.id)).json()).toEqual({ success: true, message: 'Link revoked.' })
    expect([(await read(first.token)).statusCode, (await read(first.token)).json()]).toEqual(notFound)
    expect((await read(second.token, '/badge.svg')).statusCode).toBe(200)
    expect((await revoke(caller, first.id)).statusCode).toBe(404)
    const log = (await service.get('/api/v1/security-log', caller.account.session)).json().data.events
    expect(log.map(({ event }: { event: string }) => event)).toEqual(
      expect.arrayContaining(['link.created', 'link.revoked']),
    )
    expect(JSON.stringify(log)).not.toContain(first.token)
  })

  test('404: over at its end date, and swept away', async () => {
    const caller = await service.newCaller('pro')
    const expiresAt = '2026-03-12T00:00:00.000Z'
    const { token } = await make(caller, await scan(caller), { expiresAt })
    service.clock.travelTo('2026-03-11T23:59:59.999Z')
    expect((await read(token)).statusCode).toBe(200)
    service.clock.travelTo(expiresAt)
    expect([(await read(token)).statusCode, (await read(token)).json()]).toEqual(notFound)
    expect(await links(caller)).toEqual([])
    await service.passDays(2)
    const rows = await service.deps.db
      .selectFrom('share_links')
      .selectAll()
      .where('account_id', '=', caller.account.userId)
      .execute()
    expect(rows).toEqual([])
  })

  test('404: gone with its scan, with the history that the plan keeps, and for anyone who guesses', async () => {
    const caller = await service.newCaller()
    const scanId = await scan(caller)
    const { token } = await make(caller, scanId)
    expect((await read(`${token.slice(0, -1)}!`)).statusCode).toBe(404)
    service.clock.travel('P7D')
    expect([(await read(token)).statusCode, (await read(token)).json()]).toEqual(notFound)
    service.clock.travelTo('2026-03-10T13:00:00.000Z')
    expect((await read(token)).statusCode).toBe(200)
    await service.inject({ method: 'DELETE', url: `/api/v1/scans/${scanId}`, headers: caller.account.session })
    expect([(await read(token)).statusCode, (await read(token)).json()]).toEqual(notFound)
    expect(await links(caller)).toEqual([])
  })

  test('the token rests as a fingerprint, and stands in no log', async () => {
    const caller = await service.newCaller()
    const { token, id } = await make(caller, await scan(caller))
    await read(token)
    const row = await service.deps.db
      .selectFrom('share_links')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toContain(token)
    expect(service.logLines.join('')).toContain('/api/v1/shared/:token')
    expect(service.logLines.join('')).not.toContain(token)
  })

  test('400: an end that is past or too far', async () => {
    const caller = await service.newCaller()
    const scanId = await scan(caller)
    for (const expiresAt of ['2026-03-10T12:00:00.000Z', '2027-03-11T12:00:02.000Z', 'tomorrow']) {
      const answer = await service.post(`/api/v1/scans/${scanId}/links`, { expiresAt }, caller.account.session)
      expect(answer.statusCode, answer.body).toBe(400)
    }
  })

  test('401, 403, 404: by a key that may manage, and for own scans only', async () => {
    const caller = await service.newCaller()
    const outsider = await service.newCaller()
    const scanId = await scan(caller)
    expect((await service.post(`/api/v1/scans/${scanId}/links`, {})).statusCode).toBe(401)
    expect((await service.post(`/api/v1/scans/${scanId}/links`, {}, outsider.key)).statusCode).toBe(404)
    const scope = { type: 'PRODUCTION', name: 'reads', scopes: ['read'] }
    const { userId, session } = caller.account
    const reader = (await service.post('/api/generate-api-key', { userId, ...scope }, session)).json().apiKey.keyValue
    expect((await service.post(`/api/v1/scans/${scanId}/links`, {}, { 'x-api-key': reader })).statusCode).toBe(403)
    const made = await service.post(`/api/v1/scans/${scanId}/links`, {}, caller.key)
    expect(made.json().data.createdBy).toBe('API key test')
  })

  test('409: at most a hundred', async () => {
    const caller = await service.newCaller()
    const scanId = await scan(caller)
    const { id, ...rest } = (await context.database.db
      .selectFrom('share_links')
      .selectAll()
      .where('id', '=', (await make(caller, scanId)).id)
      .executeTakeFirstOrThrow()) as { id: string; token_index: string } & Record<string, unknown>
    const many = Array.from({ length: 99 }, (_, at) => ({ ...rest, id: `${id}${at}`, token_index: `${id}${at}` }))
    await context.database.db
      .insertInto('share_links')
      .values(many as never)
      .execute()
    const answer = await service.post(`/api/v1/scans/${scanId}/links`, {}, caller.account.session)
    expect([answer.statusCode, answer.json()]).toEqual([
      409,
      { error: 'An account can have at most 100 links. Revoke one first.' },
    ])
  })

  test('429: opened too often from one address', async () => {
    const caller = await service.newCaller()
    const { token } = await make(caller, await scan(caller), { shows: 'source' })
    const remoteAddress = '10.99.1.1'
    const open = () => service.inject({ method: 'GET', url: `/api/v1/shared/${token}/source`, remoteAddress })
    expect((await open()).statusCode).toBe(200)
    // As if it had been opened 599 times more.
    const now = service.clock.now().getTime()
    const { numUpdatedRows } = await context.database.db
      .updateTable('throttles')
      .set({ stamps: JSON.stringify(Array.from({ length: 599 }, () => now)) })
      .where('bucket', '=', service.deps.secrets.index('throttle', `shared-reads:${remoteAddress}`))
      .executeTakeFirst()
    expect(numUpdatedRows).toBe(1n)
    expect((await open()).statusCode).toBe(200)
    const refused = await open()
    expect(refused.statusCode).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  })
})
