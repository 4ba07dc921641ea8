import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { quotaMonth } from '../services/quota-month.ts'
import { createAccountLimitsStore } from '../stores/account-limits.ts'
import { createAccountStore } from '../stores/accounts.ts'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { type ScanService, startScanService } from '../testing/scan-service.ts'

describeOnEachDatabase('GET /api/v1/user-plan', (context) => {
  let service: ScanService
  beforeAll(async () => {
    service = await startScanService(context.database)
  })
  beforeEach(() => service.clock.travelTo('2026-01-31T10:00:00.000Z'))
  afterAll(() => service.close())

  const read = async (userId: string, headers: Record<string, string>) =>
    service.get(`/api/v1/user-plan?userId=${userId}`, headers)

  test('200: the plan, its quotas and what is used of them', async () => {
    const { account, key } = await service.newCaller()
    await service.scan(key)
    await service.scan(account.session)
    const answer = await read(account.userId, account.session)
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      {
        success: true,
        data: {
          plan: 'free',
          renewsAt: '2026-02-28T10:00:00.000Z',
          billingSubscriptionId: '',
          billingStatus: 'none',
          cancelsAt: null,
          graceEndsAt: null,
          quotas: { scansPerDay: 5, maxFileSize: 102_400, maxContractSize: 5120, requestsPerHour: 60, historyDays: 7 },
          usage: {
            scansToday: 2,
            scansRemaining: 3,
            resetsAt: '2026-02-01T00:00:00.000Z',
            requestsThisHour: 1,
            scansThisMonth: 2,
          },
        },
      },
    ])
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  test.each([
    ['basic', 100, 1_048_576, 51_200],
    ['pro', 1000, 5_242_880, 512_000],
  ] as const)('200: the quotas of %s', async (plan, scansPerDay, maxFileSize, maxContractSize) => {
    const account = await service.signUp({ plan })
    const { data } = (await read(account.userId, account.session)).json()
    expect(data).toMatchObject({ plan, quotas: { scansPerDay, maxFileSize, maxContractSize } })
  })

  test('200: the day starts anew at midnight and the month on the renewal date', async () => {
    const { account, key } = await service.newCaller()
    await service.scan(key)
    service.clock.travelTo('2026-02-01T00:00:00.000Z')
    await service.scan(key)
    const february = (await read(account.userId, account.session)).json().data
    expect(february.usage).toMatchObject({ scansToday: 1, scansRemaining: 4, scansThisMonth: 2 })
    service.clock.travelTo('2026-02-28T10:00:00.000Z')
    const again = await service.post('/api/login', { email: account.email, password: account.password })
    const session = { authorization: `Bearer ${again.json().token}` }
    const march = (await read(account.userId, session)).json().data
    expect(march.usage).toMatchObject({ scansToday: 0, scansThisMonth: 0 })
    expect(march.renewsAt).toBe('2026-03-31T10:00:00.000Z')
  })

  test('200: of the day of a renewal, what came before the moment belongs to the month before', async () => {
    service.clock.travelTo('2026-04-10T09:00:00.000Z')
    const { account, key } = await service.newCaller()
    const usage = async () => (await read(account.userId, account.session)).json().data.usage
    await service.scan(key)
    service.clock.travelTo('2026-05-10T08:59:59.000Z')
    const { token } = (await service.post('/api/login', { email: account.email, password: account.password })).json()
    account.session.authorization = `Bearer ${token}`
    await service.scan(key)
    await service.scan(key)
    expect(await usage()).toMatchObject({ scansToday: 2, scansThisMonth: 3 })
    service.clock.travel('PT1S')
    expect(await usage()).toMatchObject({ scansToday: 2, scansThisMonth: 0 })
    await service.scan(key)
    expect(await usage()).toMatchObject({ scansToday: 3, scansThisMonth: 1 })
    // A plan begins a month of its own at once.
    service.clock.travel('PT1H')
    await createAccountStore(service.deps.db).setPlan(account.userId, 'basic', service.clock.now().getTime())
    expect(await usage()).toMatchObject({ scansToday: 3, scansThisMonth: 0 })
    await service.scan(key)
    expect(await usage()).toMatchObject({ scansToday: 4, scansThisMonth: 1 })
  })

  test('200: what the operator agreed beyond the plan', async () => {
    const account = await service.signUp({ plan: 'pro' })
    await createAccountLimitsStore(service.deps.db).override(account.userId, { scans_per_day: 10_000 })
    const { data } = (await read(account.userId, account.session)).json()
    expect(data).toMatchObject({ plan: 'pro', quotas: { scansPerDay: 10_000 }, usage: { scansRemaining: 10_000 } })
  })

  test('400: no userId', async () => {
    const account = await service.signUp()
    const answer = await service.get('/api/v1/user-plan', account.session)
    expect([answer.statusCode, answer.json()]).toEqual([400, { error: 'userId is required.' }])
  })

  test('401: no session', async () => {
    const { account, key } = await service.newCaller()
    for (const headers of [{}, key]) {
      const answer = await read(account.userId, headers as Record<string, string>)
      expect([answer.statusCode, answer.json()]).toEqual([
        401,
        { error: 'Log in first: send the token from POST /api/login as a Bearer token or cookie.' },
      ])
    }
  })

  test("403: another account's userId", async () => {
    const mine = await service.signUp()
    const other = await service.signUp()
    const answer = await read(other.userId, mine.session)
    expect([answer.statusCode, answer.json()]).toEqual([
      403,
      { error: 'This userId does not belong to the logged-in account.' },
    ])
  })
})

test.each([
  ['2026-01-31T10:00:00Z', '2026-01-31T10:00:00Z', '2026-01-31T10:00:00Z', '2026-02-28T10:00:00Z'],
  ['2026-01-31T10:00:00Z', '2026-02-28T09:59:59Z', '2026-01-31T10:00:00Z', '2026-02-28T10:00:00Z'],
  ['2026-01-31T10:00:00Z', '2026-03-30T00:00:00Z', '2026-02-28T10:00:00Z', '2026-03-31T10:00:00Z'],
  ['2024-02-29T00:00:00Z', '2026-02-28T12:00:00Z', '2026-02-28T00:00:00Z', '2026-03-29T00:00:00Z'],
  ['2025-12-15T00:00:00Z', '2026-01-14T00:00:00Z', '2025-12-15T00:00:00Z', '2026-01-15T00:00:00Z'],
])('the quota month from %s at %s is %s to %s', (anchor, now, start, end) => {
  expect(quotaMonth(new Date(anchor), null, new Date(now))).toEqual({ start: new Date(start), end: new Date(end) })
})

test.each([
  ['2026-01-31T10:00:00Z', '2026-02-28T10:00:00Z', '2026-01-31T10:00:00Z'],
  ['2026-01-31T10:00:00Z', '2026-03-31T10:00:00Z', '2026-02-28T10:00:00Z'],
  ['2026-01-31T10:00:00Z', '2026-04-30T10:00:00Z', '2026-03-31T10:00:00Z'],
  ['2026-03-20T00:00:00Z', '2026-04-15T00:00:00Z', '2026-03-20T00:00:00Z'],
])(
  'of a subscription since %s the month that is paid until %s began with the last renewal, %s',
  (anchor, end, start) => {
    const now = new Date(Date.parse(end) - 1)
    expect(quotaMonth(new Date(anchor), new Date(end), now)).toEqual({ start: new Date(start), end: new Date(end) })
  },
)
