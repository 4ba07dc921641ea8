import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import Driver from 'libsql'
import { expect, test } from 'vitest'
import { openAdmin } from '../admin/admin.ts'
import { findCommand } from '../admin/commands.ts'
import { diagnose } from '../admin/doctor.ts'
import { readConfig } from '../core/config.ts'
import { createDeps } from '../deps.ts'
import { startTestApp } from '../testing/start-test-app.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { openDatabase } from './database.ts'
import { DatabaseMissing, SecretMissing } from './missing-database.ts'

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)

test('folder and database are private, also where they existed and were open to all', async () => {
  const dataDir = join(temporaryFolder(), 'data')
  mkdirSync(dataDir, { mode: 0o755 })
  chmodSync(dataDir, 0o755)
  await (await openDatabase({ dataDir })).close()
  chmodSync(join(dataDir, 'assay.db'), 0o644)
  const database = await openDatabase({ dataDir })
  await sql`update schedules set next_at = 0`.execute(database.db)
  const files = ['assay.db', 'assay.db-wal'].map((file) => modeOf(join(dataDir, file)))
  expect([modeOf(dataDir), ...files]).toEqual(['700', '600', '600'])
  await database.close()
})

test('a clean stop folds the log into the database', async () => {
  const dataDir = temporaryFolder()
  const database = await openDatabase({ dataDir })
  await database.db.insertInto('schedules').values({ name: 'kept', next_at: 1 }).execute()
  await database.close()
  const log = join(dataDir, 'assay.db-wal')
  expect(existsSync(log) ? statSync(log).size : 0).toBe(0)
  // The one file alone has everything.
  rmSync(log, { force: true })
  rmSync(join(dataDir, 'assay.db-shm'), { force: true })
  const again = await openDatabase({ dataDir })
  expect(await again.db.selectFrom('schedules').selectAll().execute()).toEqual([{ name: 'kept', next_at: 1 }])
  await again.close()
})

test('a missing or emptied database beside a master secret is refused, with what to do', async () => {
  const dataDir = temporaryFolder()
  await (await openDatabase({ dataDir })).close()
  writeFileSync(join(dataDir, 'master-secret'), '0123456789abcdef0123456789abcdef\n')
  const database = join(dataDir, 'assay.db')
  await (await openDatabase({ dataDir })).close()
  truncateSync(database, 0)
  await expect(openDatabase({ dataDir })).rejects.toThrow(/holds a master secret but an empty database/)
  rmSync(database)
  await expect(openDatabase({ dataDir })).rejects.toThrow(DatabaseMissing)
  await expect(openDatabase({ dataDir })).rejects.toThrow(/assay-server restore/)
  expect(existsSync(database)).toBe(false)
  rmSync(join(dataDir, 'master-secret'))
  await (await openDatabase({ dataDir })).close()
})

test('accounts without their master secret are refused, with what to do', async () => {
  const dataDir = temporaryFolder()
  const config = readConfig({ DATA_DIR: dataDir })
  const admin = await openAdmin(config)
  await findCommand('create-account')?.run(admin, ['ada@example.com'])
  await admin.close()
  await (await openAdmin(config)).close()
  rmSync(join(dataDir, 'master-secret'))
  await expect(openAdmin(config)).rejects.toThrow(SecretMissing)
  await expect(createDeps(config)).rejects.toThrow(/holds accounts but .*master-secret is missing/)
  expect(existsSync(join(dataDir, 'master-secret'))).toBe(false)
  await (await openAdmin(readConfig({ DATA_DIR: dataDir, MASTER_SECRET: 'another secret for these tests' }))).close()
})

test('a damaged file is named, with the way back', async () => {
  const dataDir = temporaryFolder()
  await (await openDatabase({ dataDir })).close()
  const path = join(dataDir, 'assay.db')
  const copy = join(temporaryFolder(), 'data')
  mkdirSync(copy)
  const bytes = readFileSync(path)
  writeFileSync(join(copy, 'assay.db'), 'no database at all '.repeat(1000))
  await expect(openDatabase({ dataDir: copy })).rejects.toThrow(
    new RegExp(`${join(copy, 'assay.db')} is damaged .*assay-server restore`),
  )
  // The first page is sound, what follows is not.
  const torn = join(temporaryFolder(), 'data')
  mkdirSync(torn)
  writeFileSync(join(torn, 'assay.db'), Buffer.concat([bytes.subarray(0, 4096), Buffer.alloc(bytes.length - 4096, 7)]))
  await expect(openDatabase({ dataDir: torn })).rejects.toSatisfy((error: Error) =>
    `${error.message} ${(error.cause as Error | undefined)?.message}`.includes(join(torn, 'assay.db')),
  )
  const states = (await diagnose({ DATA_DIR: torn })).filter(({ state }) => state === 'problem')
  expect(states.map(({ about }) => about)).toContain('database')
})

test('a lock of another process that lasts: 503 for all who wait, and then all is well', async () => {
  const dataDir = temporaryFolder()
  const database = await openDatabase({ dataDir })
  const app = await startTestApp({ database })
  const { session } = await app.signUp()
  const other = new Driver(join(dataDir, 'assay.db'))
  other.exec('begin immediate')
  const register = (n: number) =>
    app.inject({
      method: 'POST',
      url: '/api/register',
      payload: { email: `waits${n}@example.com`, password: 'a long enough password', name: 'W' },
      remoteAddress: `10.2.${n}.1`,
    })
  const answers = await Promise.all([1, 2, 3, 4].map(register))
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([503, 503, 503, 503])
  expect(answers[0]?.headers['retry-after']).toBeDefined()
  other.exec('rollback')
  expect((await app.get('/api/me', session)).statusCode).toBe(200)
  expect((await register(5)).statusCode).toBe(201)
  await app.close()
  await database.close()
})

test('a disk without room: not ready, requests are refused with Retry-After, and all is well once there is room', async () => {
  const database = await openDatabase({ dataDir: temporaryFolder() })
  const app = await startTestApp({ database })
  const { email, session } = await app.signUp()
  const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(database.db)
  await sql`pragma max_page_count = ${sql.lit(rows[0]?.page_count ?? 0)}`.execute(database.db)
  await expect.poll(async () => (await app.get('/ready')).statusCode).toBe(503)
  const name = 'x'.repeat(100)
  const statuses = []
  for (let n = 0; n < 60; n++) {
    const answer = await app.inject({
      method: 'POST',
      url: '/api/register',
      payload: { email: `${n}.${email}`, password: 'a long enough password', name },
      remoteAddress: `10.1.${n}.1`,
    })
    statuses.push(answer.statusCode)
  }
  expect(new Set(statuses.filter((status) => status !== 201))).toEqual(new Set([503]))
  expect((await app.get('/api/me', session)).statusCode).toBe(200)
  await sql`pragma max_page_count = 1000000`.execute(database.db)
  await expect.poll(async () => (await app.get('/ready')).statusCode).toBe(200)
  await app.close()
  await database.close()
})
