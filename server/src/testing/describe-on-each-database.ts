import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { connectPostgres, type Database, type DatabaseSettings, openDatabase } from '../stores/database.ts'
import { migrate } from '../stores/migrate.ts'
import { temporaryFolder } from './temporary-folder.ts'

export interface DatabaseContext {
  readonly dialect: Database['dialect']
  /** Open from the first hook of the suite to its last. */
  readonly database: Database
  /** What another connection, or a child process, needs to reach the same data. */
  readonly settings: DatabaseSettings
}

const SERVER_URL = process.env.TEST_DATABASE_URL
const REQUIRE_ALL = process.env.TEST_REQUIRE_ALL === '1'
const HOW_TO = 'set TEST_DATABASE_URL=postgres://… to run the PostgreSQL suites'
let saidSkipped = false

/** Runs one suite twice: on the embedded database in a folder of its own, and on PostgreSQL in a database of its own. */
export function describeOnEachDatabase(name: string, suite: (context: DatabaseContext) => void): void {
  describe(`${name} (SQLite)`, () => suite(prepared('sqlite', openTemporarySqlite)))
  if (!SERVER_URL && REQUIRE_ALL)
    test(`${name} (PostgreSQL)`, () => {
      throw new Error(`PostgreSQL is required here: ${HOW_TO}`)
    })
  else {
    if (!SERVER_URL && !saidSkipped) console.warn(`skipped: ${name} on PostgreSQL (${HOW_TO})`)
    saidSkipped = true
    describe.skipIf(!SERVER_URL)(`${name} (PostgreSQL)`, () =>
      suite(prepared('postgres', () => cloneTemplate(SERVER_URL ?? ''))),
    )
  }
}

interface Temporary {
  database: Database
  settings: DatabaseSettings
  remove(): Promise<void>
}

function prepared(dialect: Database['dialect'], open: () => Promise<Temporary>): DatabaseContext {
  let temporary: Temporary | undefined
  beforeAll(async () => {
    temporary = await open()
  })
  afterAll(async () => {
    await temporary?.database.close()
    await temporary?.remove()
  })
  const ready = (): Temporary => {
    if (!temporary) throw new Error('The database is open only while tests and hooks run.')
    return temporary
  }
  return {
    dialect,
    get database() {
      return ready().database
    },
    get settings() {
      return ready().settings
    },
  }
}

async function openTemporarySqlite(): Promise<Temporary> {
  const settings = { dataDir: temporaryFolder() }
  return { database: await openDatabase(settings), settings, remove: async () => {} }
}

async function cloneTemplate(serverUrl: string): Promise<Temporary> {
  const template = await ensureTemplate(serverUrl)
  const name = `assay_test_${randomBytes(8).toString('hex')}`
  await onServer(serverUrl, (client) => client.query(`create database ${name} template ${template}`))
  const databaseUrl = withDatabase(serverUrl, name)
  const dataDir = temporaryFolder()
  return {
    database: connectPostgres(databaseUrl),
    settings: { databaseUrl, dataDir },
    async remove() {
      await onServer(serverUrl, (client) => client.query(`drop database if exists ${name} with (force)`))
    },
  }
}

/** Migrates one template per state of the migrations; the first process makes it, the others wait. */
async function ensureTemplate(serverUrl: string): Promise<string> {
  const name = `assay_template_${hashMigrations()}`
  await onServer(serverUrl, async (client) => {
    await client.query('select pg_advisory_lock(4157241002)')
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name])
    if (rowCount) return
    const draft = `assay_draft_${randomBytes(8).toString('hex')}`
    await client.query(`create database ${draft}`)
    try {
      const database = connectPostgres(withDatabase(serverUrl, draft), { maxConnections: 1 })
      await migrate(database).finally(() => database.close())
      await client.query(`alter database ${draft} rename to ${name}`)
    } catch (error) {
      await client.query(`drop database if exists ${draft} with (force)`)
      throw error
    }
  })
  return name
}

function hashMigrations(): string {
  const folder = new URL('../../migrations/', import.meta.url)
  const hash = createHash('sha256')
  for (const file of readdirSync(folder).sort()) hash.update(file).update(readFileSync(new URL(file, folder)))
  return hash.digest('hex').slice(0, 16)
}

async function onServer<T>(serverUrl: string, act: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  try {
    return await act(client)
  } finally {
    await client.end()
  }
}

function withDatabase(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}
