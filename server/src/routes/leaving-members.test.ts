import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Role } from '../core/roles.ts'
import { createAccountStore } from '../stores/accounts.ts'
import { createMembershipStore } from '../stores/memberships.ts'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { form } from '../testing/form.ts'
import { floatingSource, type ScanService, startScanService } from '../testing/scan-service.ts'
import type { TestAccount } from '../testing/start-test-app.ts'

/** Links follow projects, and a scan belongs to one where it says so. */
const inProject = form(
  { name: 'file', fileName: 'Vault.sol', bytes: floatingSource },
  { name: 'project', value: 'vault' },
)

describeOnEachDatabase('what a member made for an organisation', (context) => {
  let service: ScanService
  beforeAll(async () => {
    service = await startScanService(context.database)
  })
  afterAll(() => service.close())

  const acting = ({ session }: TestAccount, id: string) => ({ ...session, 'x-organisation': id })

  async function team(second: Role, third: Role = 'member') {
    const [owner, other, another] = [await service.signUp(), await service.signUp(), await service.signUp()]
    const id = (await service.post('/api/v1/organisations', { name: 'Acme' }, owner.session)).json().data.id as string
    await createAccountStore(context.database.db).setPlan(id, 'pro', service.clock.now().getTime())
    const memberships = createMembershipStore(context.database.db)
    const joined = { organisation_id: id, joined_at: service.clock.now().getTime(), publishes_source: 0 }
    await memberships.add({ ...joined, account_id: other.userId, role: second })
    await memberships.add({ ...joined, account_id: another.userId, role: third })
    const { members } = (await service.get(`/api/v1/organisations/${id}/members`, owner.session)).json().data
    const urlOf = ({ email }: TestAccount): string =>
      `/api/v1/organisations/${id}/members/${members.find((member: { email: string }) => member.email === email).memberId}`
    const { scanId } = (await service.scan(acting(owner, id), inProject)).json()
    return { id, owner, other, another, urlOf, scanId: scanId as string }
  }
  const postLink = (headers: Record<string, string>, scanId: string, shows = 'findings') =>
    service.post(`/api/v1/scans/${scanId}/links`, { shows, follows: 'project' }, headers)
  async function makeLink(headers: Record<string, string>, scanId: string, shows = 'findings'): Promise<string> {
    const answer = await postLink(headers, scanId, shows)
    expect(answer.statusCode, answer.body).toBe(201)
    return /shared\/(\w+)\/badge/.exec(answer.json().data.badgeUrl)?.[1] as string
  }
  const open = async (token: string): Promise<number> => (await service.get(`/api/v1/shared/${token}`)).statusCode
  const makeKey = async ({ session }: TestAccount, userId: string): Promise<{ 'x-api-key': string }> => {
    const wish = { userId, type: 'PRODUCTION', name: 'ci' }
    return { 'x-api-key': (await service.post('/api/generate-api-key', wish, session)).json().apiKey.keyValue }
  }
  const works = async (key: { 'x-api-key': string }): Promise<number> =>
    (await service.get('/api/v1/scans', key)).statusCode
  const makeWebhook = async (headers: Record<string, string>): Promise<string> => {
    const answer = await service.post('/api/v1/webhooks', { url: 'http://127.0.0.1:9/hook' }, headers)
    expect(answer.statusCode, answer.body).toBe(201)
    return answer.json().data.id
  }
  const webhooks = async (owner: TestAccount, id: string): Promise<string[]> =>
    (await service.get('/api/v1/webhooks', acting(owner, id)))
      .json()
      .data.webhooks.map((hook: { id: string }) => hook.id)
  const remove = (person: TestAccount, url: string) =>
    service.inject({ method: 'DELETE', url, headers: person.session })
  const change = (person: TestAccount, url: string, payload: object) =>
    service.inject({ method: 'PATCH', url, headers: person.session, payload })

  test('ends with the membership: keys, links, webhooks, also what a key of theirs made', async () => {
    const { id, owner, other, urlOf, scanId } = await team('owner')
    const [membersKey, ownersKey] = [await makeKey(other, id), await makeKey(owner, id)]
    const ended = [
      await makeLink(acting(other, id), scanId),
      await makeLink(acting(other, id), scanId, 'source'),
      await makeLink(membersKey, scanId),
    ]
    const kept = [await makeLink(acting(owner, id), scanId, 'source'), await makeLink(ownersKey, scanId)]
    const hook = await makeWebhook(acting(owner, id))
    for (const headers of [acting(other, id), membersKey]) await makeWebhook(headers)
    for (const token of [...ended, ...kept]) expect(await open(token)).toBe(200)
    const answer = await remove(owner, urlOf(other))
    expect(answer.json().data).toEqual({ ended: { links: 3, webhooks: 2, keys: 1 } })
    for (const token of ended) expect(await open(token)).toBe(404)
    for (const token of kept) expect(await open(token)).toBe(200)
    expect([await works(membersKey), await works(ownersKey)]).toEqual([403, 200])
    expect(await webhooks(owner, id)).toEqual([hook])
    expect((await service.get('/api/v1/scans', acting(other, id))).statusCode).toBe(404)
    const log = (await service.get('/api/v1/security-log', acting(owner, id))).json().data.events
    expect(log.filter(({ event }: { event: string }) => event === 'key.revoked')).toHaveLength(1)
  })

  test('goes to the owner who removes them and says so', async () => {
    const { id, owner, other, urlOf, scanId } = await team('owner')
    const key = await makeKey(other, id)
    const link = await makeLink(acting(other, id), scanId, 'source')
    const hook = await makeWebhook(acting(other, id))
    const answer = await remove(owner, `${urlOf(other)}?links=keep&webhooks=keep&keys=keep`)
    expect(answer.json().data).toEqual({ ended: { links: 0, webhooks: 0, keys: 0 } })
    expect([await open(link), await works(key), await webhooks(owner, id)]).toEqual([200, 200, [hook]])
  })

  test('and every key that an owner could read, when asked for', async () => {
    const { id, owner, other, urlOf } = await team('owner')
    const keys = [await makeKey(other, id), await makeKey(owner, id)]
    expect((await remove(owner, `${urlOf(other)}?keys=end-all`)).json().data.ended.keys).toBe(2)
    for (const key of keys) expect(await works(key)).toBe(403)
  })

  test('400: nobody keeps what is theirs by leaving', async () => {
    const { id, other, urlOf, scanId } = await team('owner')
    const link = await makeLink(acting(other, id), scanId)
    expect((await remove(other, `${urlOf(other)}?links=keep`)).statusCode).toBe(400)
    expect((await remove(other, `${urlOf(other)}?links=perhaps`)).statusCode).toBe(400)
    expect(await open(link)).toBe(200)
    expect((await remove(other, urlOf(other))).statusCode).toBe(200)
    expect(await open(link)).toBe(404)
  })

  test('ends with the account', async () => {
    const { id, other, scanId } = await team('owner')
    const key = await makeKey(other, id)
    const link = await makeLink(acting(other, id), scanId)
    const body = { password: other.password, confirm: other.email }
    const deleted = await service.post('/api/v1/account/delete', body, other.session)
    expect(deleted.statusCode, deleted.body).toBe(200)
    expect([await open(link), await works(key)]).toEqual([404, 403])
  })

  test('ends with the role or the right that it takes', async () => {
    const { id, owner, other, urlOf, scanId } = await team('owner')
    const key = await makeKey(other, id)
    const [source, findings] = [
      await makeLink(acting(other, id), scanId, 'source'),
      await makeLink(acting(other, id), scanId),
    ]
    const lowered = await change(owner, urlOf(other), { role: 'member', links: 'end' })
    expect(lowered.json().data.ended).toEqual({ links: 1, webhooks: 0, keys: 1 })
    expect([await open(source), await open(findings), await works(key)]).toEqual([404, 200, 403])
    expect((await change(owner, urlOf(other), { role: 'auditor' })).json().data.ended.links).toBe(1)
    expect(await open(findings)).toBe(404)
  })

  test('a right that was taken away without us ends a link all the same', async () => {
    const { id, other, scanId } = await team('member')
    const link = await makeLink(acting(other, id), scanId)
    await createMembershipStore(context.database.db).remove(id, other.userId)
    expect(await open(link)).toBe(404)
  })

  test('403: source is published by owners, and by members whom one of them lets', async () => {
    const { id, owner, other, another, urlOf, scanId } = await team('member')
    const refused = await postLink(acting(other, id), scanId, 'source')
    expect([refused.statusCode, refused.json()]).toEqual([
      403,
      { error: 'Making source public needs a permission from an owner of the organization.' },
    ])
    expect((await change(other, urlOf(other), { canPublishSource: true })).statusCode).toBe(403)
    expect((await change(owner, urlOf(other), { canPublishSource: true })).statusCode).toBe(200)
    const { members } = (await service.get(`/api/v1/organisations/${id}/members`, another.session)).json().data
    expect(members.map(({ canPublishSource }: { canPublishSource: boolean }) => canPublishSource).sort()).toEqual([
      false,
      true,
      true,
    ])
    const link = await makeLink(acting(other, id), scanId, 'source')
    expect(await open(link)).toBe(200)
    expect((await change(owner, urlOf(other), { canPublishSource: false })).json().data.ended.links).toBe(1)
    expect(await open(link)).toBe(404)
  })

  test('a link of a key ends with the key, and goes on with the one that replaces it', async () => {
    const { account, key, keyId } = await service.newCaller()
    const { scanId } = (await service.scan(key, inProject)).json()
    const link = await makeLink(key, scanId)
    const rotated = await service.post(`/api/v1/user-api-keys/${keyId}/rotate`, { overlapSeconds: 0 }, account.session)
    expect(rotated.statusCode, rotated.body).toBe(200)
    expect(await open(link)).toBe(200)
    const newId = (await service.get(`/api/v1/user-api-keys?userId=${account.userId}`, account.session))
      .json()
      .data.apiKeys.find(({ status }: { status: string }) => status === 'ACTIVE').id
    await service.inject({ method: 'DELETE', url: `/api/v1/user-api-keys/${newId}`, headers: account.session })
    expect(await open(link)).toBe(404)
    expect((await service.get('/api/v1/links', account.session)).json().data.links).toEqual([])
  })
})
