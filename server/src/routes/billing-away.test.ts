import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { startTestApp, type TestAccount, type TestApp } from '../testing/start-test-app.ts'

const away = [502, { error: 'The billing provider did not answer. Nothing was charged.' }]

describeOnEachDatabase('a billing provider that does not answer', (context) => {
  let app: TestApp
  let ada: TestAccount
  let bob: TestAccount
  let organisation: string
  beforeAll(async () => {
    app = await startTestApp({ database: context.database })
    ada = await app.signUp()
    bob = await app.signUp()
    organisation = (await app.post('/api/v1/organisations', { name: 'Acme' }, ada.session)).json().data.id
    for (const payer of [ada.session, { ...ada.session, 'x-organisation': organisation }, bob.session]) {
      const bought = await app.post('/api/upgrade-plan', { newPlan: 'basic' }, payer)
      const { pathname } = new URL(bought.json().checkoutUrl)
      expect((await app.post(pathname, { outcome: 'paid' })).statusCode).toBe(200)
    }
    await app.runJobs()
    const unavailable = async () => ({ kind: 'unavailable', detail: 'it does not answer' })
    const parts = ['fetchSubscriptions', 'previewChange', 'setCancellation', 'endNow', 'listInvoices', 'changePlan']
    Object.assign(app.deps.billing, Object.fromEntries(parts.map((part) => [part, unavailable])))
  })
  afterAll(() => app.close())

  test('502: on each route that asks it, and nothing has changed', async () => {
    const { session, userId } = ada
    const url = `/api/v1/organisations/${organisation}?confirm=Acme`
    const answers = [
      await app.get('/api/v1/upgrade-preview?newPlan=pro', session),
      await app.get('/api/v1/invoices', session),
      await app.post('/api/upgrade-plan', { newPlan: 'pro' }, session),
      await app.post('/api/v1/cancel-plan', { userId }, session),
      await app.post('/api/v1/resume-plan', { userId }, session),
      await app.inject({ method: 'DELETE', url, headers: session }),
      await app.post('/api/v1/account/delete', { password: bob.password, confirm: bob.email }, bob.session),
    ]
    expect(answers.map((answer) => [answer.statusCode, answer.json()])).toEqual(answers.map(() => away))
    for (const { userId: id, session: own } of [ada, bob])
      expect((await app.get(`/api/v1/user-plan?userId=${id}`, own)).json().data.plan).toBe('basic')
    expect((await app.get('/api/v1/organisations', session)).json().data.organisations).toHaveLength(1)
  })

  test('400: a plan that does not exist has no price', async () => {
    const answer = await app.get('/api/v1/upgrade-preview?newPlan=gold', ada.session)
    expect([answer.statusCode, answer.json()]).toEqual([400, { error: 'newPlan must be one of: free, basic, pro.' }])
  })
})
