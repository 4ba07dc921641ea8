import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { sourceForm } from '../testing/form.ts'
import { floatingSource, type ScanService, startScanService } from '../testing/scan-service.ts'
import type { TestAccount } from '../testing/start-test-app.ts'

describeOnEachDatabase('deleting an organisation', (context) => {
  let service: ScanService
  beforeAll(async () => {
    service = await startScanService(context.database)
  })
  afterAll(() => service.close())

  const create = async (owner: TestAccount): Promise<string> =>
    (await service.post('/api/v1/organisations', { name: 'Acme & Co' }, owner.session)).json().data.id
  const join = async (owner: TestAccount, id: string, role: string): Promise<TestAccount> => {
    const person = await service.signUp()
    await service.post(`/api/v1/organisations/${id}/invitations`, { email: person.email, role }, owner.session)
    await service.runJobs()
    const mail = service.mails.findLast(({ to, subject }) => to === person.email && subject.includes('invited'))
    const token = /^[0-9a-f]{64}$/m.exec(mail?.text ?? '')?.[0]
    expect((await service.post('/api/v1/invitations/accept', { token }, person.session)).statusCode).toBe(200)
    return person
  }
  const remove = (person: TestAccount, id: string, confirm?: string) =>
    service.inject({
      method: 'DELETE',
      url: `/api/v1/organisations/${id}${confirm === undefined ? '' : `?confirm=${encodeURIComponent(confirm)}`}`,
      headers: person.session,
    })

  test('200: keys end, everything of it is gone, members are notified, and the owner’s own account is as it was', async () => {
    const owner = await service.signUp()
    const id = await create(owner)
    const member = await join(owner, id, 'member')
    const made = { userId: id, type: 'PRODUCTION', name: 'CI', scansPerDay: 3 }
    const { keyValue, id: keyId } = (await service.post('/api/generate-api-key', made, owner.session)).json().apiKey
    const key = { 'x-api-key': keyValue }
    expect((await service.scan(key, sourceForm(floatingSource))).statusCode).toBe(200)
    const own = await service.scan(owner.session, sourceForm(floatingSource))
    expect((await service.get('/api/v1/scans', key)).json().data.scans).toHaveLength(1)

    const answer = await remove(owner, id, 'Acme & Co')
    expect([answer.statusCode, answer.json()]).toEqual([200, { success: true, message: 'Organization deleted.' }])
    const gone = await service.get('/api/v1/scans', key)
    expect([gone.statusCode, gone.json()]).toEqual([403, { error: 'Invalid or expired API key' }])
    for (const person of [owner, member]) {
      expect((await service.get('/api/v1/organisations', person.session)).json().data.organisations).toEqual([])
      const acting = await service.get('/api/v1/scans', { ...person.session, 'x-organisation': id })
      expect(acting.statusCode).toBe(404)
    }
    const { db } = service.deps
    for (const table of ['scans', 'findings', 'api_keys', 'webhooks', 'security_events'] as const) {
      expect(await db.selectFrom(table).select('id').where('account_id', '=', id).execute(), table).toEqual([])
    }
    for (const table of ['request_counts', 'scan_counts', 'key_usage'] as const) {
      expect(await db.selectFrom(table).selectAll().where('account_id', '=', id).execute(), table).toEqual([])
    }
    expect(await db.selectFrom('key_scan_counts').selectAll().where('key_id', '=', keyId).execute()).toEqual([])
    expect((await service.get(`/api/v1/scans/${own.json().scanId}`, owner.session)).statusCode).toBe(200)
    await service.runJobs()
    const notices = service.mails.filter(({ subject }) => subject === 'An organization of yours on Assay was deleted')
    expect(
      notices
        .map(({ to }) => to)
        .filter((to) => [owner.email, member.email].includes(to))
        .sort(),
    ).toEqual([owner.email, member.email].sort())
    const { events } = (await service.get('/api/v1/security-log', owner.session)).json().data
    expect(events).toContainEqual(
      expect.objectContaining({ event: 'organisation.deleted', detail: { organisation: id, name: 'Acme & Co' } }),
    )
  })

  test('200: what was paid for ends, and an open checkout can no longer be paid', async () => {
    const owner = await service.signUp()
    const id = await create(owner)
    const acting = { ...owner.session, 'x-organisation': id }
    const order = async () =>
      String((await service.post('/api/upgrade-plan', { newPlan: 'basic' }, acting)).json().checkoutUrl)
    const pay = (url: string) => service.post(new URL(url).pathname, { outcome: 'paid' })
    expect((await pay(await order())).statusCode).toBe(200)
    await service.runJobs()
    const row = await service.deps.db
      .selectFrom('billing_customers')
      .selectAll()
      .where('account_id', '=', id)
      .executeTakeFirstOrThrow()
    expect(row.subscription_id).not.toBeNull()
    expect((await remove(owner, id, 'Acme & Co')).statusCode).toBe(200)
    const left = await service.deps.billing.fetchSubscriptions(row.customer_id)
    expect(left.kind === 'ok' && left.value.map(({ status }) => status)).toEqual(['ended'])

    const other = await create(owner)
    const opened = (
      await service.post('/api/upgrade-plan', { newPlan: 'pro' }, { ...owner.session, 'x-organisation': other })
    ).json().checkoutUrl
    expect((await remove(owner, other, 'Acme & Co')).statusCode).toBe(200)
    expect((await pay(opened)).statusCode).toBeGreaterThanOrEqual(400)
  })

  test('400: without its name, or with another', async () => {
    const owner = await service.signUp()
    const id = await create(owner)
    expect((await remove(owner, id)).json()).toEqual({ error: 'confirm is required.' })
    for (const name of ['acme & co', 'Other', '']) {
      const answer = await remove(owner, id, name)
      expect([answer.statusCode, answer.json()]).toEqual([
        400,
        { error: 'confirm must be the name of the organization.' },
      ])
    }
    expect((await service.get('/api/v1/organisations', owner.session)).json().data.organisations).toHaveLength(1)
  })

  test('401, 403, 404: no session, no owner, no member', async () => {
    const owner = await service.signUp()
    const id = await create(owner)
    const member = await join(owner, id, 'member')
    const outsider = await service.signUp()
    const url = `/api/v1/organisations/${id}?confirm=Acme`
    expect((await service.inject({ method: 'DELETE', url })).statusCode).toBe(401)
    expect((await remove(member, id, 'Acme & Co')).statusCode).toBe(403)
    expect((await remove(outsider, id, 'Acme & Co')).statusCode).toBe(404)
    expect((await remove(owner, 'org_unknown', 'Acme & Co')).statusCode).toBe(404)
  })
})
