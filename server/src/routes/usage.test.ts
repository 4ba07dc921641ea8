import { expect, test } from 'vitest'
import { createScanCountStore } from '../stores/scan-counts.ts'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { useTestApp } from '../testing/start-test-app.ts'

describeOnEachDatabase('GET /api/v1/usage', (context) => {
  const suite = useTestApp(context)
  const usage = (headers: Record<string, string>, query = '') => suite.app.get(`/api/v1/usage${query}`, headers)
  const keyOf = async (account: Awaited<ReturnType<typeof suite.app.signUp>>) => {
    const { id, keyValue } = await suite.app.makeKey(account)
    return { id, header: { 'x-api-key': keyValue } }
  }

  test('200: each key by day, and the scans of the day, readable by key and by session alike', async () => {
    suite.app.clock.travelTo('2026-05-10T12:00:00.000Z')
    const account = await suite.app.signUp()
    const [one, other] = [await keyOf(account), await keyOf(account)]
    for (let n = 0; n < 3; n++) await suite.app.get('/api/v1/scans', one.header)
    suite.app.clock.travelTo('2026-05-11T12:00:00.000Z')
    suite.app.leaves('charges', 'a scan is counted by hand')
    await createScanCountStore(suite.app.deps.db).force(account.userId, Date.parse('2026-05-11T00:00:00.000Z'))
    const answer = await usage(other.header)
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({
      success: true,
      data: {
        plan: 'free',
        quotas: { scansPerDay: 5, requestsPerHour: 60 },
        today: { scans: 1, scansRemaining: 4, resetsAt: '2026-05-12T00:00:00.000Z', requestsThisHour: 1 },
        days: [
          { date: '2026-05-11', scans: 1, keys: [{ keyId: other.id, name: 'test', requests: 1 }] },
          { date: '2026-05-10', scans: 0, keys: [{ keyId: one.id, name: 'test', requests: 3 }] },
        ],
      },
    })
    const today = await suite.app.get('/api/v1/usage?days=1', account.session)
    expect(today.json().data.days.map(({ date }: { date: string }) => date)).toEqual(['2026-05-11'])
  })

  test('200: another account sees nothing of it', async () => {
    const outsider = await suite.app.signUp()
    expect((await usage(outsider.session)).json().data.days).toEqual([])
  })

  test('400: days that are none', async () => {
    const { session } = await suite.app.signUp()
    for (const days of ['0', '93', 'all', '1.5'])
      expect((await usage(session, `?days=${days}`)).statusCode, days).toBe(400)
  })

  test('401: without a key, 403: with a wrong one', async () => {
    expect((await usage({})).statusCode).toBe(401)
    expect((await usage({ 'x-api-key': 'assay_live_x' })).statusCode).toBe(403)
  })
})
