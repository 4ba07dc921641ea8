import { type ColumnMetadata, sql, type TableMetadata } from 'kysely'
import { expect, test } from 'vitest'
import { migrations } from '../../migrations/index.ts'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { startTestApp } from '../testing/start-test-app.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { connectPostgres, connectSqlite, type Database } from './database.ts'
import { migrate } from './migrate.ts'

const at = Date.parse('2026-03-10T11:00:00.000Z')

const references: Record<string, string> = {
  account_id: 'usr_ada',
  scan_id: 'scn_1',
  webhook_id: 'whk_1',
  key_id: 'key_1',
  last_scan_id: 'scn_1',
  organisation_id: 'usr_ada',
  message_id: 'webhook_messages_1',
  finding_id: 'findings_1',
}

/** Something that fits the column, and the row that it refers to where its name says one. */
function somethingFor(table: string, { name, dataType }: ColumnMetadata): unknown {
  const referred = references[name]
  if (referred !== undefined) return referred
  if (/blob|bytea/i.test(dataType)) return Buffer.from('{}')
  if (/bigint|int8/i.test(dataType)) return at
  if (/int|numeric|real|double/i.test(dataType)) return 1
  if (name === 'id') return table === 'scan_requests' ? 'scn_1' : `${table}_1`
  return '{}'
}

/** What an upgrade gives up on purpose, by the table and the first step that does. */
const givenUp: Record<string, readonly string[]> = {}

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

  const insertRow = async ({ db, dialect }: Database, table: TableMetadata): Promise<boolean> => {
    // SQLite calls a primary key nullable.
    const isWanted = ({ name, hasDefaultValue, isNullable }: ColumnMetadata): boolean =>
      !hasDefaultValue && (!isNullable || name === 'id' || name in references)
    const wanted = table.columns.filter(isWanted)
    const columns = wanted.length > 0 ? wanted : table.columns
    const names = sql.join(columns.map(({ name }) => sql.ref(name)))
    const values = sql.join(columns.map((column) => somethingFor(table.name, column)))
    return sql`insert into ${sql.table(table.name)} (${names}) values (${values})`.execute(db).then(
      () => true,
      (error: Error) => {
        if (/foreign key/i.test(error.message)) return false
        throw new Error(`${dialect} ${table.name}: ${error.message}`)
      },
    )
  }

  /** A row in every table that has none; those that others refer to come first, whatever their order. */
  async function fillTheRest(database: Database): Promise<string[]> {
    const isOwnTable = ({ name, schema }: TableMetadata): boolean => name !== 'migrations' && schema !== 'pgboss'
    const tables = (await database.db.introspection.getTables()).filter(isOwnTable)
    let left = []
    for (const table of tables) if ((await countRows(database, table.name)) === 0) left.push(table)
    while (left.length > 0) {
      const waiting: TableMetadata[] = []
      for (const table of left) if (!(await insertRow(database, table))) waiting.push(table)
      expect(waiting.length, waiting.map(({ name }) => name).join()).toBeLessThan(left.length)
      left = waiting
    }
    return tables.map(({ name }) => name)
  }

  const countRows = async ({ db }: Database, table: string): Promise<number> => {
    const { rows } = await sql<{ n: number | string }>`select count(*) as n from ${sql.table(table)}`.execute(db)
    return Number(rows[0]?.n)
  }

  const steps = migrations.map(({ name }, index) => [name, index + 1] as const)
  const registrationsAt = migrations.findIndex(({ name }) => name === '060-registrations')

  test.each(steps)('from %s, with data in it, keeps the data and serves', async (_name, count) => {
    const database = await emptied()
    await migrate(database, migrations.slice(0, count))
    const hadAccounts = await hasTable(database, 'accounts')
    const hadTables = await Promise.all(['api_keys', 'scans', 'webhooks'].map((table) => hasTable(database, table)))
    await live(database, count <= registrationsAt)
    const filled = await fillTheRest(database)
    await migrate(database)
    await migrate(database)
    const lost: string[] = []
    for (const table of filled) {
      if (await hasTable(database, table)) {
        if ((await countRows(database, table)) === 0) lost.push(table)
      } else lost.push(`${table}, the table`)
    }
    expect(lost.filter((table) => !(givenUp[table] ?? []).includes(steps[count]?.[0] ?? ''))).toEqual([])
    const app = await startTestApp({ database })
    app.leaves('database', 'its rows are made up, one of each table')
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
