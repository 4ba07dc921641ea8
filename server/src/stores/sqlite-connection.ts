import { chmodSync, existsSync } from 'node:fs'
import type { QueryResult } from 'kysely'
import Driver from 'libsql'
import { DatabaseAway, UnstorableText } from '../core/errors.ts'
import { DatabaseDamaged, isDamage } from './damaged-database.ts'
import { watchFiles } from './watch-files.ts'

export interface SqliteConnection {
  run<R>(sql: string, parameters: readonly unknown[]): QueryResult<R>
  close(): void
}

/** In the data folder. */
export const DATABASE_FILE = 'assay.db'

/** The driver's own waiting blocks the process: only while opening is that allowed, later the dialect waits. */
const OPENING_TIMEOUT_MS = 10_000
const STATEMENT_CACHE_SIZE = 400
const SETTINGS = [
  'journal_mode = WAL',
  'synchronous = FULL',
  'foreign_keys = ON',
  // What is deleted is overwritten: retention really deletes.
  'secure_delete = ON',
  // 16 MB of log between two checkpoints and 32 MB of pages in memory: fewer writes of the same page.
  'wal_autocheckpoint = 4000',
  'cache_size = -32768',
]

/**
 * The embedded database: durable on every commit, with foreign keys, and with each statement prepared once. Nothing else in this process may
 * open the file: the end of any other descriptor of it drops the locks of all, and other processes then take the log for nobody's.
 */
export function openSqliteConnection(path: string, onTakenAway?: (error: Error) => void): SqliteConnection {
  const connection = openSettled(path)
  const files = watchFiles([path, `${path}-wal`], onTakenAway)
  const statements = new Map<string, Statement>()

  const prepare = (sql: string): Statement => {
    const cached = statements.get(sql)
    if (cached) return cached
    const statement = connection.prepare(sql)
    const prepared = { statement, isReader: statement.reader }
    if (statements.size >= STATEMENT_CACHE_SIZE) statements.clear()
    statements.set(sql, prepared)
    return prepared
  }

  return {
    run<R>(sql: string, parameters: readonly unknown[]): QueryResult<R> {
      refuseUnbindable(parameters)
      files.refuseTakenAway()
      try {
        const { statement, isReader } = prepare(sql)
        if (isReader) return { rows: statement.all(parameters).map(withBuffers) as R[] }
        const numAffectedRows = BigInt(statement.run(parameters).changes)
        // A commit succeeds only if it is in the files that a restart opens.
        if (sql === 'commit') files.look()
        return { rows: [], numAffectedRows }
      } catch (error) {
        throw explain(path, error)
      }
    },
    close() {
      statements.clear()
      if (!files.isTakenAway) foldLog(connection)
      connection.close()
    },
  }
}

function openSettled(path: string): Driver.Database {
  try {
    const connection = new Driver(path, { timeout: OPENING_TIMEOUT_MS })
    settle(path, connection)
    return connection
  } catch (error) {
    throw isDamage(error) ? new DatabaseDamaged(path, error) : error
  }
}

function settle(path: string, connection: Driver.Database): void {
  // The log gets the mode of the database; one that is there may have been made by someone less careful.
  for (const file of [path, `${path}-wal`, `${path}-shm`]) if (existsSync(file)) chmodSync(file, 0o600)
  for (const setting of SETTINGS) connection.pragma(setting)
  connection.pragma('busy_timeout = 0')
  // The log exists from the first look at the database on.
  connection.prepare('select count(*) from sqlite_master').get()
}

/** Damage and a full or broken disk are no fault of the request: it may be repeated. */
function explain(path: string, error: unknown): unknown {
  if (isDamage(error)) return new DatabaseAway(new DatabaseDamaged(path, error))
  return isStorageFailure(error) ? new DatabaseAway(error) : error
}

/** A clean stop leaves one file, that a copy of it is whole. A log that another process still uses stays. */
function foldLog(connection: Driver.Database): void {
  try {
    connection.pragma('wal_checkpoint(TRUNCATE)')
  } catch {
    // The log is read again at the next start.
  }
}

/** The disk is full or broken. */
const isStorageFailure = (error: unknown): boolean =>
  /^SQLITE_(FULL|IOERR|CANTOPEN|READONLY)/.test(String((error as { code?: unknown }).code))

interface Statement {
  readonly statement: ReturnType<Driver.Database['prepare']>
  readonly isReader: boolean
}

/** The native driver aborts the whole process on a type it does not know, and cuts text at a NUL: both are stopped here. */
function refuseUnbindable(parameters: readonly unknown[]): void {
  for (const value of parameters) {
    if (typeof value === 'string') {
      if (value.includes('\0')) throw new UnstorableText()
      continue
    }
    if (value === null || typeof value === 'number' || typeof value === 'bigint' || value instanceof Uint8Array)
      continue
    throw new TypeError(`A database parameter must be text, a number, bytes or null, not ${typeof value}.`)
  }
}

function withBuffers(row: unknown): unknown {
  const record = row as Record<string, unknown>
  for (const column in record) {
    const value = record[column]
    if (value instanceof ArrayBuffer) record[column] = Buffer.from(value)
  }
  return record
}
