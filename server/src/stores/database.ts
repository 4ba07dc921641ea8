import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Kysely, PostgresAdapter, PostgresDialect, sql, type Transaction } from 'kysely'
import pg from 'pg'
import { migrate } from './migrate.ts'
import type { Schema } from './schema.ts'
import { sqliteDialect } from './sqlite-dialect.ts'

export type Db = Kysely<Schema>
export type Tx = Transaction<Schema>

export interface Database {
  readonly dialect: 'sqlite' | 'postgres'
  readonly db: Db
  /** The connections under `db`, for the queue's own library; undefined on the embedded database. */
  readonly pool: pg.Pool | undefined
  close(): Promise<void>
}

export interface DatabaseSettings {
  /** `postgres://…`; absent: the embedded database in `dataDir`. */
  readonly databaseUrl?: string | undefined
  readonly dataDir: string
  readonly maxConnections?: number
  /** Told of connections that broke while idle; the pool replaces them by itself. */
  readonly onConnectionLost?: (error: Error) => void
}

const DEFAULT_CONNECTIONS = 20
const CONNECT_TIMEOUT_MS = 10_000
const INT8_OID = 20
const NUMERIC_OID = 1700

/** Opens the database the settings name and brings its schema up to date. */
export async function openDatabase(settings: DatabaseSettings): Promise<Database> {
  const database = settings.databaseUrl
    ? connectPostgres(settings.databaseUrl, settings)
    : connectSqlite(settings.dataDir)
  try {
    await migrate(database)
  } catch (error) {
    await database.close()
    throw error
  }
  return database
}

export function connectSqlite(dataDir: string): Database {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const db = new Kysely<Schema>({ dialect: sqliteDialect(join(dataDir, 'assay.db')) })
  return { dialect: 'sqlite', db, pool: undefined, close: () => db.destroy() }
}

export function connectPostgres(
  url: string,
  {
    maxConnections = DEFAULT_CONNECTIONS,
    onConnectionLost,
  }: Pick<DatabaseSettings, 'maxConnections' | 'onConnectionLost'> = {},
): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'assay',
    types: { getTypeParser: numbersAsNumbers },
  })
  pool.on('error', (error) => onConnectionLost?.(error))
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
  return { dialect: 'postgres', db, pool, close: () => db.destroy() }
}

/** Counts and epoch milliseconds fit a double; the driver's default is text, which would differ from SQLite. */
const numbersAsNumbers = ((oid: number, format?: 'text' | 'binary') => {
  if (format !== 'binary' && (oid === INT8_OID || oid === NUMERIC_OID)) return Number
  return pg.types.getTypeParser(oid, format as 'text')
}) as typeof pg.types.getTypeParser

const DEADLOCK = '40P01'
const SERIALIZATION_FAILURE = '40001'
const MAX_TRIES = 4

/**
 * Runs `fn` in one transaction; inside another one it joins that. Only `tx` may be used within `fn`: the embedded
 * database has a single connection, so a query past `tx` would wait for its own end. `fn` may run again after a deadlock.
 */
export async function transaction<T>(db: Db, fn: (tx: Tx) => Promise<T>): Promise<T> {
  if (db.isTransaction) return fn(db as Tx)
  for (let tries = 1; ; tries++) {
    try {
      return await db.transaction().execute(fn)
    } catch (error) {
      if (tries === MAX_TRIES || !isTransient(error)) throw error
    }
  }
}

function isTransient(error: unknown): boolean {
  const code = (error as { code?: unknown }).code
  return code === DEADLOCK || code === SERIALIZATION_FAILURE
}

/** True if `error` says that a row with the same unique value is already there, on either database. */
export function isUniqueViolation(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return code === '23505' || code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY'
}

/** PostgreSQL can do in one round trip what the embedded database does in several calls. */
export const isPostgres = (db: Db): boolean => db.getExecutor().adapter instanceof PostgresAdapter

/** Throws when the database does not answer. */
export async function checkDatabase(db: Db): Promise<void> {
  await sql`select 1`.execute(db)
}
