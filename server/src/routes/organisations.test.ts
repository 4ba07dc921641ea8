import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Role } from '../core/roles.ts'
import { createInvitationStore } from '../stores/invitations.ts'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { sourceForm } from '../testing/form.ts'
import { floatingSource, type ScanService, startScanService } from '../testing/scan-service.ts'
import type { TestAccount } from '../testing/start-test-app.ts'
import { routes } from './index.ts'

/** What a session reads by one request. */
const readable = routes.filter(
  ({ method, access, url }) =>
    method === 'GET' && access !== 'public' && access !== 'key' && !/:(?!organisationId|scanId)/.test(url),
)

describeOnEachDatabase('organisations', (context) => {
  let service: ScanService
  beforeAll(async () => {
    service = await startScanService(context.database)
  })
  afterAll(() => service.close())

  const create = async (owner: TestAccount, name = 'Acme'): Promise<string> =>
    (await service.post('/api/v1/organisations', { name }, owner.session)).json().data.id
  const tokenOf = (email: string): string => {
    const mail = service.mails.findLast(({ to, subject }) => to === email && subject.includes('invited'))
    return /^[0-9a-f]{64}$/m.exec(mail?.text ?? '')?.[0] ?? ''
  }
  const inviteTo = (owner: TestAccount, id: string, email: string, role: Role) =>
    service.post(`/api/v1/organisations/${id}/invitations`, { email, role }, owner.session)
  const accept = (person: TestAccount, token: string) =>
    service.post('/api/v1/invitations/accept', { token }, person.session)
  const read = (token: string) =>
    service.inject({ method: 'POST', url: '/api/v1/invitations/read', payload: { token } })
  const request = (method: 'PATCH' | 'DELETE', url: string, person: TestAccount, payload?: object) =>
    service.inject({ method, url, headers: person.session, ...(payload && { payload }) })

  async function join(owner: TestAccount, id: string, role: Role): Promise<TestAccount> {
    const person = await service.signUp()
    await inviteTo(owner, id, person.email, role)
    await service.runJobs()
    const answer = await accept(person, tokenOf(person.email))
    expect(answer.statusCode, answer.body).toBe(200)
    return person
  }

  async function team() {
    const owner = await service.signUp()
    const id = await create(owner)
    const member = await join(owner, id, 'member')
    const auditor = await join(owner, id, 'auditor')
    return { owner, member, auditor, id }
  }
  /** What colleagues call someone. */
  async function memberIdOf(reader: TestAccount, id: string, { email }: TestAccount): Promise<string> {
    const { members } = (await service.get(`/api/v1/organisations/${id}/members`, reader.session)).json().data
    return members.find((member: { email: string }) => member.email === email).memberId
  }
  const acting = (person: TestAccount, id: string) => ({ ...person.session, 'x-organisation': id })

  test('200, 400: a finding is given to a member, and to nobody else', async () => {
    const { owner, member, id } = await team()
    const headers = acting(owner, id)
    const { payload, headers: type } = sourceForm(floatingSource)
    await service.inject({ method: 'POST', url: '/api/v1/scan', payload, headers: { ...type, ...headers } })
    const [finding] = (await service.get('/api/v1/findings', headers)).json().data.findings
    const assign = (assignee: string) =>
      service.inject({ method: 'PATCH', url: `/api/v1/findings/${finding.id}`, payload: { assignee }, headers })
    expect((await assign(member.email)).json().data.assignee).toBe(member.email)
    const outsider = await service.signUp()
    expect([
      (await assign(outsider.email)).statusCode,
      (await assign(`${id}@organisation.invalid`)).statusCode,
    ]).toEqual([400, 400])
  })

  test('201: anyone who creates one is its owner', async () => {
    const owner = await service.signUp()
    const answer = await service.post('/api/v1/organisations', { name: ' Acme ' }, owner.session)
    expect(answer.statusCode, answer.body).toBe(201)
    expect(answer.json().data).toMatchObject({ name: 'Acme', role: 'owner', plan: 'free' })
    const listed = await service.get('/api/v1/organisations', owner.session)
    expect(listed.json().data.organisations).toEqual([answer.json().data])
    const outsider = await service.signUp()
    expect((await service.get('/api/v1/organisations', outsider.session)).json().data.organisations).toEqual([])
  })

  test('403, 404, 409: rare refusals of an organisation', async () => {
    const { owner, auditor, id } = await team()
    const statusAndBody = async (answer: Promise<{ statusCode: number; json(): unknown }>) => {
      const { statusCode, json } = await answer
      return [statusCode, json()]
    }
    const url = `/api/v1/organisations/${id}`
    expect(await statusAndBody(request('PATCH', `${url}/members/mem_nobody`, owner, { role: 'member' }))).toEqual([
      404,
      { error: 'Member not found.' },
    ])
    expect(await statusAndBody(request('DELETE', `${url}/invitations/ivt_none`, auditor))).toEqual([
      403,
      { error: 'Your role in this organization does not allow this. It takes: owner.' },
    ])
    const invitations = createInvitationStore(context.database.db)
    const now = service.clock.now().getTime()
    // Three are members already.
    for (let n = 0; n < 97; n++) {
      const row = { id: `ivt_full${n}`, organisation_id: id, email: `full${n}@example.com`, role: 'member' as const }
      await invitations.put({ ...row, token_index: `full ${n} ${id}`, created_at: now, expires_at: now + 3_600_000 })
    }
    expect(await statusAndBody(inviteTo(owner, id, 'one-more@example.com', 'member'))).toEqual([
      409,
      { error: 'An organization can have at most 100 members and open invitations.' },
    ])
    const busy = await service.signUp()
    const other = await service.signUp()
    await inviteTo(other, await create(other), busy.email, 'member')
    await service.runJobs()
    for (let n = 0; n < 10; n++) await create(busy, `own ${n}`)
    expect(await statusAndBody(accept(busy, tokenOf(busy.email)))).toEqual([
      409,
      { error: 'A person can belong to at most 10 organisations.' },
    ])
  })

  test('400, 401: a name is asked for, and a session', async () => {
    const owner = await service.signUp()
    expect((await service.post('/api/v1/organisations', {}, owner.session)).statusCode).toBe(400)
    expect((await service.post('/api/v1/organisations', { name: 'x' })).statusCode).toBe(401)
  })

  test('409: at most ten of one person, also at once', async () => {
    const owner = await service.signUp()
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, at) => service.post('/api/v1/organisations', { name: `n${at}` }, owner.session)),
    )
    expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(10)
    expect(answers.filter(({ statusCode }) => statusCode === 409)).toHaveLength(2)
  })

  test('200: renamed by an owner, and nobody else', async () => {
    const { owner, member, id } = await team()
    const renamed = await request('PATCH', `/api/v1/organisations/${id}`, owner, { name: 'New' })
    expect(renamed.json().data).toMatchObject({ name: 'New', role: 'owner' })
    const refused = await request('PATCH', `/api/v1/organisations/${id}`, member, { name: 'Mine' })
    expect([refused.statusCode, refused.json()]).toEqual([
      403,
      { error: 'Your role in this organization does not allow this. It takes: owner.' },
    ])
  })

  describe('invitations', () => {
    test('201, 200: by mail, for an account of that address, once', async () => {
      const owner = await service.signUp()
      const id = await create(owner, 'Acme <b>')
      const guest = await service.signUp()
      const invited = await inviteTo(owner, id, guest.email.toUpperCase(), 'auditor')
      expect(invited.statusCode, invited.body).toBe(201)
      expect(invited.body).not.toContain('token')
      await service.runJobs()
      const mail = service.mails.findLast(({ to }) => to === guest.email)
      expect(mail?.html).not.toContain('<b>')
      const token = tokenOf(guest.email)
      expect(
        (await service.get(`/api/v1/organisations/${id}/invitations`, owner.session)).json().data.invitations,
      ).toEqual([invited.json().data])
      const offered = await read(token)
      expect([offered.statusCode, offered.json().data]).toEqual([
        200,
        {
          organisation: 'Acme <b>',
          email: guest.email,
          role: 'auditor',
          expiresAt: invited.json().data.expiresAt,
        },
      ])
      // Members are listed in the order they came.
      service.clock.travel('PT1S')
      const joined = await accept(guest, token)
      expect(joined.json().data).toMatchObject({ id, role: 'auditor' })
      const again = await accept(guest, token)
      expect([again.statusCode, again.json()]).toEqual([400, { error: 'Invalid or expired invitation.' }])
      expect((await read(token)).json()).toEqual(again.json())
      const members = (await service.get(`/api/v1/organisations/${id}/members`, guest.session)).json().data.members
      expect(members.map(({ email, role }: { email: string; role: Role }) => [email, role])).toEqual([
        [owner.email, 'owner'],
        [guest.email, 'auditor'],
      ])
    })

    test('403: another address', async () => {
      const owner = await service.signUp()
      const id = await create(owner)
      const [guest, thief] = [await service.signUp(), await service.signUp()]
      await inviteTo(owner, id, guest.email, 'owner')
      await service.runJobs()
      expect((await accept(thief, tokenOf(guest.email))).statusCode).toBe(403)
      expect((await accept(guest, tokenOf(guest.email))).statusCode).toBe(200)
    })

    test('400: too late, taken back, or replaced by a newer one', async () => {
      const owner = await service.signUp()
      const id = await create(owner)
      const guest = await service.signUp()
      const invitation = (await inviteTo(owner, id, guest.email, 'member')).json().data
      await service.runJobs()
      const first = tokenOf(guest.email)
      await inviteTo(owner, id, guest.email, 'member')
      await service.runJobs()
      const second = tokenOf(guest.email)
      expect((await accept(guest, first)).statusCode).toBe(400)
      const url = `/api/v1/organisations/${id}/invitations`
      expect((await request('DELETE', `${url}/${invitation.id}`, owner)).statusCode).toBe(404)
      const [open] = (await service.get(url, owner.session)).json().data.invitations
      expect((await request('DELETE', `${url}/${open.id}`, owner)).statusCode).toBe(200)
      expect((await accept(guest, second)).statusCode).toBe(400)
    })

    test('409: a user who is a member', async () => {
      const { owner, member, id } = await team()
      expect((await inviteTo(owner, id, member.email, 'owner')).statusCode).toBe(409)
    })

    test('429: more than twenty in an hour', async () => {
      const owner = await service.signUp()
      const id = await create(owner)
      for (let at = 0; at < 20; at++)
        expect((await inviteTo(owner, id, `guest${at}@example.com`, 'member')).statusCode).toBe(201)
      const answer = await inviteTo(owner, id, 'one@example.com', 'member')
      expect(answer.statusCode).toBe(429)
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    })
  })

  describe('members', () => {
    test('200: an owner changes roles and removes, everybody may leave, and it holds at once', async () => {
      const { owner, member, auditor, id } = await team()
      const url = `/api/v1/organisations/${id}/members`
      const auditorId = await memberIdOf(owner, id, auditor)
      expect((await request('PATCH', `${url}/${auditorId}`, owner, { role: 'member' })).statusCode).toBe(200)
      expect((await request('DELETE', `${url}/${auditorId}`, owner)).statusCode).toBe(200)
      expect((await service.get('/api/v1/scans', acting(auditor, id))).statusCode).toBe(404)
      const { organisations } = (await service.get('/api/v1/organisations', member.session)).json().data
      expect((await request('DELETE', `${url}/${organisations[0].memberId}`, member)).statusCode).toBe(200)
      expect((await service.get(url, member.session)).statusCode).toBe(404)
    })

    test('403: a member changes and removes nobody', async () => {
      const { owner, member, auditor, id } = await team()
      const url = `/api/v1/organisations/${id}/members`
      const [memberId, ownerId] = [await memberIdOf(owner, id, member), await memberIdOf(owner, id, owner)]
      expect((await request('PATCH', `${url}/${memberId}`, member, { role: 'owner' })).statusCode).toBe(403)
      expect((await request('DELETE', `${url}/${ownerId}`, auditor)).statusCode).toBe(403)
      expect((await inviteTo(member, id, 'x@example.com', 'owner')).statusCode).toBe(403)
      expect((await service.get(`/api/v1/organisations/${id}/invitations`, auditor.session)).statusCode).toBe(403)
    })

    test('404: a user who is none', async () => {
      const [{ owner, member, id }, other] = [await team(), await team()]
      const elsewhere = await memberIdOf(other.owner, other.id, other.member)
      for (const memberId of [elsewhere, member.userId, 'mem_', 'nonsense']) {
        const answer = await request('DELETE', `/api/v1/organisations/${id}/members/${memberId}`, owner)
        expect([answer.statusCode, answer.json()]).toEqual([404, { error: 'Member not found.' }])
      }
    })

    test('409: an organisation is never without an owner, no matter who leaves first', async () => {
      const { owner, member, id } = await team()
      const url = `/api/v1/organisations/${id}/members`
      const [memberId, ownerId] = [await memberIdOf(owner, id, member), await memberIdOf(owner, id, owner)]
      expect((await request('DELETE', `${url}/${ownerId}`, owner)).statusCode).toBe(409)
      expect((await request('PATCH', `${url}/${ownerId}`, owner, { role: 'member' })).statusCode).toBe(409)
      await request('PATCH', `${url}/${memberId}`, owner, { role: 'owner' })
      const both = await Promise.all([
        request('DELETE', `${url}/${ownerId}`, owner),
        request('DELETE', `${url}/${memberId}`, member),
      ])
      expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
    })
  })

  describe('acting for one', () => {
    const scanFor = (headers: Record<string, string>) => service.scan(headers, sourceForm(floatingSource))

    test('200: its keys, scans, plan and limits are its own', async () => {
      const { owner, member, auditor, id } = await team()
      const made = await service.post(
        '/api/generate-api-key',
        { userId: id, type: 'PRODUCTION', name: 'ci' },
        owner.session,
      )
      expect(made.statusCode, made.body).toBe(201)
      const key = { 'x-api-key': made.json().apiKey.keyValue }
      const byKey = await scanFor(key)
      expect(byKey.statusCode, byKey.body).toBe(200)
      const byMember = await scanFor(acting(member, id))
      expect(byMember.statusCode, byMember.body).toBe(200)
      const listed = (await service.get('/api/v1/scans', acting(auditor, id))).json().data.scans
      expect(listed.map(({ scanId }: { scanId: string }) => scanId).sort()).toEqual(
        [byKey.json().scanId, byMember.json().scanId].sort(),
      )
      expect((await service.get('/api/v1/scans', member.session)).json().data.scans).toEqual([])
      const plan = (await service.get(`/api/v1/user-plan?userId=${id}`, auditor.session)).json().data
      expect(plan).toMatchObject({ plan: 'free', usage: { scansToday: 2 } })
      const own = (await service.get(`/api/v1/user-plan?userId=${member.userId}`, member.session)).json().data
      expect(own.usage.scansToday).toBe(0)
    })

    test('429: the day of an organisation is shared by all who act for it', async () => {
      const { owner, member, id } = await team()
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, at) => scanFor(acting(at % 2 ? owner : member, id))),
      )
      expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(5)
      expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(3)
      expect((await scanFor(member.session)).statusCode).toBe(200)
    })

    test('403: a role is enough for some things only', async () => {
      const { member, auditor, id } = await team()
      expect((await scanFor(acting(auditor, id))).statusCode).toBe(403)
      const keys = `/api/v1/user-api-keys?userId=${id}`
      for (const person of [member, auditor]) {
        expect((await service.get(keys, person.session)).statusCode).toBe(403)
        const made = await service.post(
          '/api/generate-api-key',
          { userId: id, type: 'TEST', name: 'x' },
          person.session,
        )
        expect(made.statusCode).toBe(403)
      }
      expect((await service.post('/api/upgrade-plan', { newPlan: 'pro' }, acting(member, id))).statusCode).toBe(403)
      expect((await service.get('/api/v1/security-log', acting(auditor, id))).statusCode).toBe(200)
    })

    test('403: what is about a person', async () => {
      const { owner, id } = await team()
      for (const url of ['/api/v1/sessions', '/api/v1/mail-preferences', '/api/me', '/api/v1/organisations']) {
        const answer = await service.get(url, acting(owner, id))
        expect([answer.statusCode, answer.json()]).toEqual([
          403,
          { error: 'This endpoint is about a person and cannot be used for an organization.' },
        ])
      }
    })

    test('403, 404: outsiders learn nothing of it', async () => {
      const { owner, id } = await team()
      const outsider = await service.signUp()
      const { keyValue } = await service.makeKey(outsider)
      const scanId = (await scanFor(acting(owner, id))).json().scanId
      for (const other of [id, 'org_00000000000000000000000000', 'nonsense']) {
        for (const headers of [acting(outsider, other), { 'x-api-key': keyValue, 'x-organisation': other }]) {
          const answer = await service.get('/api/v1/scans', headers)
          expect([answer.statusCode, answer.json()]).toEqual([404, { error: 'Organization not found.' }])
        }
      }
      expect((await service.get(`/api/v1/scans/${scanId}`, outsider.session)).statusCode).toBe(404)
      expect((await service.get(`/api/v1/scans/${scanId}`, owner.session)).statusCode).toBe(404)
      expect((await service.get(`/api/v1/user-plan?userId=${id}`, outsider.session)).statusCode).toBe(404)
      expect((await service.get(`/api/v1/user-plan?userId=${owner.userId}`, acting(owner, id))).statusCode).toBe(403)
      expect((await service.get(`/api/v1/user-plan?userId=${id}`)).statusCode).toBe(401)
    })

    test('nobody logs in to one, registers its address or resets its password', async () => {
      const { id } = await team()
      const email = `${id}@organisation.invalid`
      const mails = service.mails.length
      expect((await service.post('/api/login', { email, password: 'a long enough password' })).statusCode).toBe(401)
      expect((await service.post('/api/forgot-password', { email })).statusCode).toBe(200)
      await service.runJobs()
      expect(service.mails).toHaveLength(mails)
    })

    test('the log of the organisation says who did what, and its owners are notified of keys', async () => {
      const { owner, member, auditor, id } = await team()
      await service.runJobs()
      const before = service.mails.length
      await service.post('/api/generate-api-key', { userId: id, type: 'TEST', name: 'ci' }, owner.session)
      await service.runJobs()
      expect(service.mails.slice(before).map(({ to }) => to)).toEqual([owner.email])
      const { events } = (await service.get('/api/v1/security-log', acting(owner, id))).json().data
      const statusAndBody = events.map(({ event, detail }: { event: string; detail: { by?: string } }) => [
        event,
        detail.by,
      ])
      const [ownerId, memberId, auditorId] = [
        await memberIdOf(owner, id, owner),
        await memberIdOf(owner, id, member),
        await memberIdOf(owner, id, auditor),
      ]
      const expected = [
        ['key.created', ownerId],
        ['member.joined', memberId],
        ['member.joined', auditorId],
        ['member.invited', ownerId],
        ['member.invited', ownerId],
        ['organisation.created', ownerId],
      ]
      expect(statusAndBody.sort()).toEqual(expected.sort())
    })

    test('the log goes on naming who left as before', async () => {
      const { owner, auditor, id } = await team()
      const auditorId = await memberIdOf(owner, id, auditor)
      await request('DELETE', `/api/v1/organisations/${id}/members/${auditorId}`, owner)
      const { events } = (await service.get('/api/v1/security-log', acting(owner, id))).json().data
      const left = events.find(({ event }: { event: string }) => event === 'member.left')
      expect(left.detail).toMatchObject({ member: auditorId, email: auditor.email })
    })

    test('no answer shows one account’s userId to another', async () => {
      const { owner, member, auditor, id } = await team()
      const { scanId } = (await scanFor(acting(member, id))).json()
      await service.post(`/api/v1/scans/${scanId}/links`, {}, acting(owner, id))
      await service.post('/api/generate-api-key', { userId: id, type: 'TEST', name: 'ci' }, owner.session)
      const people = [owner, member, auditor]
      const urls = readable.map(({ url }) => url.replace(':organisationId', id).replace(':scanId', scanId))
      expect(urls.length).toBeGreaterThan(15)
      for (const reader of people) {
        const others = people.filter((person) => person !== reader)
        for (const headers of [reader.session, acting(reader, id)]) {
          for (const url of urls) {
            const { body } = await service.get(url, headers)
            for (const { userId } of others) expect([url, body.includes(userId)]).toEqual([url, false])
          }
        }
      }
    })

    test('an upgrade is the organisation’s', async () => {
      const { owner, id } = await team()
      const { checkoutUrl } = (await service.post('/api/upgrade-plan', { newPlan: 'pro' }, acting(owner, id))).json()
      await service.post(new URL(checkoutUrl).pathname, { outcome: 'paid' })
      await service.runJobs()
      const planOf = async (userId: string) =>
        (await service.get(`/api/v1/user-plan?userId=${userId}`, owner.session)).json().data.plan
      expect(await planOf(id)).toBe('pro')
      expect(await planOf(owner.userId)).toBe('free')
    })
  })
})
