import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { migrations } from '../../migrations/index.ts'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { startTestApp } from '../testing/start-test-app.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { connectPostgres, connectSqlite, type Database } from './database.ts'
import { migrate } from './migrate.ts'

const at = Date.parse('2026-03-10T11:00:00.000Z')

describeOnEachDatabase('an upgrade', (context) => {
  /** An empty database, as it was before the first step. */
  async function emptied(): Promise<Database> {
    const { databaseUrl } = context.settings
    if (!databaseUrl) return connectSqlite(temporaryFolder())
    const database = connectPostgres(databaseUrl)
    await sql`drop schema if exists pgboss cascade`.execute(database.db)
    await sql`drop schema public cascade`.execute(database.db)
    await sql`create schema public`.execute(database.db)
    return database
  }

  const hasTable = async ({ db }: Database, name: string): Promise<boolean> =>
    (await db.introspection.getTables()).some((table) => table.name === name)

  /** What people had by then, in every table that there was. */
  async function live(database: Database, isBeforeRegistrations: boolean): Promise<void> {
    const { db } = database
    if (!(await hasTable(database, 'accounts'))) return
    await sql`insert into accounts (id, email, name, password_hash, verified_at, plan, plan_since, created_at)
      values ('usr_ada', 'ada@example.com', 'Ada', 'test:her password', ${at}, 'pro', ${at}, ${at})`.execute(db)
    await sql`insert into sessions values ('ses_1', 'usr_ada', 'index', '127.0.0.1', 'agent', ${at}, ${at}, ${at + 86_400_000})`.execute(
      db,
    )
    if (isBeforeRegistrations) {
      await sql`insert into accounts (id, email, plan, plan_since, created_at) values ('usr_bob', 'bob@example.com', 'free', ${at}, ${at})`.execute(
        db,
      )
      for (const [id, name, time] of [
        ['reg_1', 'Mallory', at],
        ['reg_2', 'Bob', at + 1],
      ] as const) {
        await sql`insert into registrations (id, account_id, name, password_hash, tries_left, created_at)
          values (${id}, 'usr_bob', ${name}, ${`test:the password of ${name}`}, 5, ${time})`.execute(db)
      }
    }
    if (await hasTable(database, 'api_keys'))
      await sql`insert into api_keys (id, account_id, name, type, key_index, sealed, created_at, expires_at)
        values ('key_1', 'usr_ada', 'ci', 'PRODUCTION', 'index', 'v1.x.y', ${at}, ${at + 86_400_000})`.execute(db)
    if (await hasTable(database, 'scans'))
      await sql`insert into scans (id, account_id, kind, status, file_name, size_bytes, score, rating, total, critical, high, medium, low, completeness, created_at)
        values ('scn_1', 'usr_ada', 'standard', 'completed', 'Vault.sol', 1, 90, 'Excellent', 0, 0, 0, 0, 0, 'full', ${at})`.execute(
        db,
      )
    if (await hasTable(database, 'webhooks'))
      await sql`insert into webhooks (id, account_id, url, events, status, secret, created_at)
        values ('whk_1', 'usr_ada', 'https://receiver.example', '[]', 'active', 'v1.x.y', ${at})`.execute(db)
  }

  const steps = migrations.map(({ name }, index) => [name, index + 1] as const)
  const registrationsAt = migrations.findIndex(({ name }) => name === '060-registrations')

  test.each(steps)('from %s, with data in it, keeps the data and serves', async (_name, count) => {
    const database = await emptied()
    await migrate(database, migrations.slice(0, count))
    const hadAccounts = await hasTable(database, 'accounts')
    const hadTables = await Promise.all(['api_keys', 'scans', 'webhooks'].map((table) => hasTable(database, table)))
    await live(database, count <= registrationsAt)
    await migrate(database)
    await migrate(database)
    const app = await startTestApp({ database })
    if (hadAccounts) {
      expect((await app.post('/api/login', { email: 'ada@example.com', password: 'her password' })).statusCode).toBe(
        200,
      )
      const kept = await Promise.all(
        (['api_keys', 'scans', 'webhooks'] as const).map(
          async (table) => (await database.db.selectFrom(table).select('id').execute()).length,
        ),
      )
      expect(kept).toEqual(hadTables.map(Number))
    }
    if (hadAccounts && count <= registrationsAt) {
      const waiting = await database.db.selectFrom('registrations').selectAll().execute()
      expect(waiting).toMatchObject([{ user_id: 'usr_bob', email: 'bob@example.com', name: 'Bob' }])
      const login = await app.post('/api/login', { email: 'bob@example.com', password: 'the password of Bob' })
      expect(login.statusCode).toBe(403)
    }
    expect((await app.get('/ready')).statusCode).toBe(200)
    await app.close()
    await database.close()
  })
})
