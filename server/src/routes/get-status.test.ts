import { beforeEach, expect, test } from 'vitest'
import { noteAvailable } from '../services/availability.ts'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { useTestApp } from '../testing/start-test-app.ts'

describeOnEachDatabase('GET /api/v1/status and /status', (context) => {
  const suite = useTestApp(context)
  beforeEach(async () => {
    await context.database.db.deleteFrom('available_minutes').execute()
    suite.app.clock.travelTo('2026-03-10T12:00:30.000Z')
  })
  const minutes = async (count: number): Promise<void> => {
    for (let i = 0; i < count; i++) {
      await noteAvailable(suite.app.deps)
      // Another replica, and the same one again.
      await noteAvailable(suite.app.deps)
      suite.app.clock.travel('PT1M')
    }
  }
  const availability = async () => (await suite.app.get('/api/v1/status')).json().availability

  test('200: nothing is claimed before anything was measured', async () => {
    expect(await availability()).toEqual({ measuredSince: null, lastDay: null, last30Days: null, last90Days: null })
    expect((await suite.app.get('/status')).body).toContain('not measured yet')
  })

  test('200: minutes that nobody noted count against it, each once, from the first one on', async () => {
    await minutes(6)
    suite.app.clock.travel('PT2M')
    await minutes(2)
    expect(await availability()).toEqual({
      measuredSince: '2026-03-10T12:00:00.000Z',
      lastDay: 0.8,
      last30Days: 0.8,
      last90Days: 0.8,
    })
    const page = await suite.app.get('/status')
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.body).toContain('80.000 %')
  })

  test('200: each stretch looks back as far as it says', async () => {
    await minutes(10)
    suite.app.clock.travel('P2D')
    await minutes(1)
    const { lastDay, last30Days } = await availability()
    expect(lastDay).toBeCloseTo(1 / 1440, 6)
    expect(last30Days).toBeCloseTo(11 / (2 * 1440 + 11), 6)
  })
})
