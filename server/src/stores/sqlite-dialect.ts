import { setTimeout as sleep } from 'node:timers/promises'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { openSqliteConnection, type SqliteConnection } from './sqlite-connection.ts'

/**
 * Kysely on one embedded connection. Queries and transactions take turns; a transaction has the connection to itself until it ends.
 * Transactions are immediate: a deferred one that reads first and writes later fails at once when another process wrote between.
 */
export function sqliteDialect(path: string): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => createDriver(openSqliteConnection(path)),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

function createDriver(connection: SqliteConnection): Driver {
  const turns = createTurns()
  const asKysely: DatabaseConnection = {
    executeQuery: <R>(query: CompiledQuery) => whenFree(() => connection.run<R>(query.sql, query.parameters)),
    // biome-ignore lint/correctness/useYield: a method of the interface that nothing here uses
    async *streamQuery(): AsyncIterableIterator<never> {
      throw new Error('The embedded database does not stream rows.')
    },
  }
  const execute = (sql: string) => asKysely.executeQuery(CompiledQuery.raw(sql))
  return {
    init: async () => {},
    acquireConnection: async () => {
      await turns.take()
      return asKysely
    },
    releaseConnection: async () => turns.pass(),
    beginTransaction: async () => void (await execute('begin immediate')),
    commitTransaction: async () => void (await execute('commit')),
    rollbackTransaction: async () => void (await execute('rollback')),
    destroy: async () => connection.close(),
  }
}

/** First come, first served. */
function createTurns() {
  const waiting: (() => void)[] = []
  let taken = false
  return {
    async take(): Promise<void> {
      if (taken) await new Promise<void>((resolve) => waiting.push(resolve))
      taken = true
    },
    pass(): void {
      const next = waiting.shift()
      if (next) next()
      else taken = false
    },
  }
}

const BUSY_PAUSES = 1500
const BUSY_PAUSE_MS = 10

/**
 * Waits for a lock of another process without holding up the event loop, which the driver's own waiting would. Only the first
 * statement outside a transaction, or `begin`, can meet such a lock, so a retry never repeats half a transaction.
 */
async function whenFree<R>(act: () => QueryResult<R>): Promise<QueryResult<R>> {
  for (let pauses = 0; ; pauses++) {
    try {
      return act()
    } catch (error) {
      const isBusy = String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY')
      if (!isBusy || pauses === BUSY_PAUSES) throw error
      await sleep(BUSY_PAUSE_MS)
    }
  }
}
