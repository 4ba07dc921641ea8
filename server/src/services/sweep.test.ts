import { expect, test } from 'vitest'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { useTestApp } from '../testing/start-test-app.ts'

describeOnEachDatabase('the sweep of accounts', (context) => {
  const suite = useTestApp(context)

  test('what has run out of time is gone, what has not stays', async () => {
    const account = await suite.app.signUp()
    await suite.app.post('/api/register', { email: 'pending@example.com', password: 'a long password', name: 'P' })
    await suite.app.post('/api/forgot-password', { email: account.email })
    await suite.app.makeKey(account)
    await suite.app.runJobs()
    const count = async (table: 'sessions' | 'password_resets' | 'throttles' | 'registrations' | 'security_events') => {
      const rows = await context.database.db.selectFrom(table).selectAll().execute()
      return rows.length
    }
    expect(await count('password_resets')).toBe(1)
    suite.app.clock.travel('PT2H')
    await suite.app.runJobs()
    // They have expired; they are deleted a day later.
    expect(await count('password_resets')).toBe(1)
    suite.app.clock.travel('PT23H')
    await suite.app.runJobs()
    expect([await count('password_resets'), await count('throttles'), await count('sessions')]).toEqual([0, 0, 1])
    expect(await count('registrations')).toBe(1)
    await suite.app.passDays(1)
    expect(await count('registrations')).toBe(0)
    await suite.app.passDays(7)
    expect(await count('sessions')).toBe(0)
    expect(await count('security_events')).toBeGreaterThan(0)
    // A year at once: deleting waits until the new time has gone on for a day.
    suite.app.clock.travel('P366D')
    await suite.app.runJobs()
    expect(await count('security_events')).toBeGreaterThan(0)
    await suite.app.passDays(1)
    expect(await count('security_events')).toBe(0)
  })
})
