import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Kysely, PostgresAdapter, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import { migrate } from './migrate.ts'
import { refuseEmptied, refuseMissing } from './missing-database.ts'
import { clientSettings, createPostgresPool } from './postgres-pool.ts'
import type { Schema } from './schema.ts'
import { DATABASE_FILE } from './sqlite-connection.ts'
import { sqliteDialect } from './sqlite-dialect.ts'

export type Db = Kysely<Schema>
export type Tx = Transaction<Schema>

export interface Database {
  readonly dialect: 'sqlite' | 'postgres'
  readonly db: Db
  /** The connections under `db`, for the queue's own library; undefined on the embedded database. */
  readonly pool: pg.Pool | undefined
  /** The file of the embedded database; undefined on PostgreSQL. */
  readonly embeddedPath: string | undefined
  close(): Promise<void>
}

export interface DatabaseSettings {
  /** `postgres://…`; absent: the embedded database in `dataDir`. */
  readonly databaseUrl?: string | undefined
  readonly dataDir: string
  readonly maxConnections?: number
  /** Called for connections that broke while idle; the pool replaces them by itself. */
  readonly onConnectionLost?: (error: Error) => void
  /** Called once when the embedded database was taken away under this process, which from then on stores nothing. */
  readonly onTakenAway?: (error: Error) => void
}

const DEFAULT_CONNECTIONS = 20

/** Opens the database the settings name and brings its schema up to date. */
export async function openDatabase(settings: DatabaseSettings): Promise<Database> {
  const { databaseUrl } = settings
  if (!databaseUrl) refuseMissing(settings.dataDir)
  const database = databaseUrl
    ? connectPostgres(databaseUrl, settings)
    : connectSqlite(settings.dataDir, settings.onTakenAway)
  try {
    if (databaseUrl) await migratePostgres(databaseUrl)
    else {
      await refuseEmptied(settings.dataDir, database.db)
      await migrate(database)
    }
  } catch (error) {
    await database.close()
    throw error
  }
  return database
}

/** On a connection that waits as long as it takes. */
async function migratePostgres(url: string): Promise<void> {
  const pool = new pg.Pool({ ...clientSettings(url), max: 1 })
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
  await migrate({ dialect: 'postgres', db }).finally(() => db.destroy())
}

export function connectSqlite(dataDir: string, onTakenAway?: (error: Error) => void): Database {
  const path = join(dataDir, DATABASE_FILE)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  chmodSync(dataDir, 0o700)
  const db = new Kysely<Schema>({ dialect: sqliteDialect(path, onTakenAway) })
  return { dialect: 'sqlite', db, pool: undefined, embeddedPath: path, close: () => db.destroy() }
}

export function connectPostgres(
  url: string,
  {
    maxConnections = DEFAULT_CONNECTIONS,
    onConnectionLost,
  }: Pick<DatabaseSettings, 'maxConnections' | 'onConnectionLost'> = {},
): Database {
  const pool = createPostgresPool(url, { maxConnections, onConnectionLost: (error) => onConnectionLost?.(error) })
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: pool as unknown as pg.Pool }) })
  return { dialect: 'postgres', db, pool: pool.raw, embeddedPath: undefined, close: () => db.destroy() }
}

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
    const afterwards: (() => void)[] = []
    try {
      const result = await db.transaction().execute((tx) => {
        waiting.set(tx, afterwards)
        return fn(tx)
      })
      for (const run of afterwards) run()
      return result
    } catch (error) {
      if (tries === MAX_TRIES || !isTransient(error)) throw error
    }
  }
}

const waiting = new WeakMap<object, (() => void)[]>()

/** Runs `fn` once the outermost transaction is committed, and not at all if it is rolled back. */
export function afterCommit(tx: Tx, fn: () => void): void {
  const afterwards = waiting.get(tx)
  if (!afterwards) throw new Error('afterCommit needs the transaction that `transaction` handed out')
  afterwards.push(fn)
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
