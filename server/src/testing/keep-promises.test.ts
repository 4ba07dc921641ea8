import { expect, test } from 'vitest'
import { describeOnEachDatabase } from './describe-on-each-database.ts'
import { startTestApp } from './start-test-app.ts'

describeOnEachDatabase('the end of every test app', (context) => {
  const withAccount = async () => {
    const app = await startTestApp({ database: context.database })
    const { userId } = await app.signUp()
    return { app, userId }
  }

  test('fails when a count has no result, unless the test says so', async () => {
    const { app, userId } = await withAccount()
    const counts = { account_id: userId, day: 0, n: 2 }
    await app.deps.db.insertInto('scan_counts').values(counts).execute()
    await expect(app.findBroken()).resolves.toEqual(['2 charges more than results, of which 0 were deleted'])
    app.leaves('charges', 'written by hand')
    await expect(app.findBroken()).resolves.toEqual([])
    await app.deps.db.deleteFrom('scan_counts').execute()
    await app.close()
  })

  test('fails when something is held, or a place of the day', async () => {
    const { app, userId } = await withAccount()
    let held = 1
    app.deps.gauges.add('made_up', () => held)
    const place = { id: 'a', instance_id: 'gone', account_id: userId, day: 0, key_id: null }
    await app.deps.db.insertInto('scan_reservations').values(place).execute()
    await expect(app.findBroken()).resolves.toEqual(['1 places of the day are held by nobody', '1 made_up are held'])
    held = 0
    await app.deps.db.deleteFrom('scan_reservations').execute()
    await app.close()
  })
})
