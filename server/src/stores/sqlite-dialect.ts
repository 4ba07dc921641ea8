import { setTimeout as sleep } from 'node:timers/promises'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { elapsedMs } from '../core/clock.ts'
import { DatabaseAway } from '../core/errors.ts'
import { type CommitGroup, createCommitGroup } from './commit-group.ts'
import { openSqliteConnection, type SqliteConnection } from './sqlite-connection.ts'

/**
 * Kysely on one embedded connection. Queries and transactions take turns; a transaction has the connection to itself until it ends.
 * Transactions that wait for their turn are committed to the disk together with those before them, so that under load one
 * sync serves many; no write is acknowledged before that sync.
 */
export function sqliteDialect(path: string, onTakenAway?: (error: Error) => void): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => createDriver(openSqliteConnection(path, onTakenAway)),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

/** One turn on the connection. */
interface Turn extends DatabaseConnection {
  isInTransaction: boolean
  isOver: boolean
}

/** More would let the first of a group wait too long for the last. */
const MAX_GROUP = 64

function createDriver(connection: SqliteConnection): Driver {
  const line = createLine()
  const group = createCommitGroup(connection)
  const whenFree = createPatience()

  let isCommitSet = false
  /** Requests that have arrived meanwhile get their chance to join: while a commit waits for the disk none of them can. */
  const commitSoon = (): void => {
    if (isCommitSet) return
    isCommitSet = true
    setImmediate(() => {
      isCommitSet = false
      // The transaction that runs now will do it.
      if (!line.isTaken) group.commit()
    })
  }
  const end = (turn: Turn): void => {
    if (turn.isOver) return
    turn.isOver = true
    if (group.size >= MAX_GROUP) group.commit()
    else if (group.isOpen && !line.hasWaiting) commitSoon()
    line.pass()
  }
  const open = async (): Promise<void> => {
    // Deferred, it could read first and then fail to write because another process wrote in between.
    if (!group.isOpen) await whenFree(() => connection.run('begin immediate', []))
  }
  const begin = async (turn: Turn): Promise<void> => {
    await open()
    group.enter()
    turn.isInTransaction = true
  }
  const undo = (turn: Turn): void => {
    // After a commit that failed there is nothing of it left, and the open group is another account's.
    if (!turn.isInTransaction) return
    turn.isInTransaction = false
    group.undo()
  }
  /** Runs a statement inside the group; a disk without room takes the group with it. */
  const runInGroup = <R>(turn: Turn, query: CompiledQuery): QueryResult<R> => {
    try {
      return connection.run<R>(query.sql, query.parameters)
    } catch (error) {
      if (error instanceof DatabaseAway && group.isOpen) {
        turn.isInTransaction = false
        group.fail(error)
      }
      throw error
    }
  }
  /** A write alone joins the group like a transaction. What a statement alone saw may rest on the open group: it counts when that does. */
  const run = async <R>(turn: Turn, query: CompiledQuery): Promise<QueryResult<R>> => {
    if (turn.isOver) {
      await line.take()
      turn.isOver = false
    }
    if (turn.isInTransaction || !isWrite(query.sql)) {
      const result = await whenFree(() => runInGroup<R>(turn, query))
      if (!turn.isInTransaction && group.isOpen) await settle(turn, group, end)
      return result
    }
    await open()
    group.add()
    const result = runInGroup<R>(turn, query)
    await settle(turn, group, end)
    return result
  }

  return {
    init: async () => {},
    async acquireConnection() {
      await line.take()
      const turn: Turn = {
        isInTransaction: false,
        isOver: false,
        executeQuery: <R>(query: CompiledQuery) => run<R>(turn, query),
        // biome-ignore lint/correctness/useYield: a method of the interface that nothing here uses
        async *streamQuery(): AsyncIterableIterator<never> {
          throw new Error('The embedded database does not stream rows.')
        },
      }
      return turn
    },
    beginTransaction: (turn) => begin(turn as Turn),
    async commitTransaction(turn) {
      group.leave()
      ;(turn as Turn).isInTransaction = false
      await settle(turn as Turn, group, end)
    },
    rollbackTransaction: async (turn) => undo(turn as Turn),
    releaseConnection: async (turn) => end(turn as Turn),
    async destroy() {
      group.commit()
      connection.close()
    },
  }
}

const isWrite = (sql: string): boolean => /^\s*(?:insert|update|delete)\b/i.test(sql)

/** Lets the next one go ahead, and waits until the group is on the disk. */
async function settle(turn: Turn, group: CommitGroup, end: (turn: Turn) => void): Promise<void> {
  const isDurable = group.join()
  end(turn)
  await isDurable
}

/** First come, first served. */
function createLine() {
  const waiting: (() => void)[] = []
  let isTaken = false
  return {
    async take(): Promise<void> {
      if (isTaken) await new Promise<void>((resolve) => waiting.push(resolve))
      isTaken = true
    },
    pass(): void {
      const next = waiting.shift()
      if (next) next()
      else isTaken = false
    },
    get hasWaiting() {
      return waiting.length > 0
    },
    get isTaken() {
      return isTaken
    },
  }
}

const BUSY_MS = 5000
const BUSY_PAUSE_MS = 10

/**
 * Waits for a lock of another process without holding up the event loop, which the driver's own waiting would. Only the first
 * statement outside a transaction, or `begin`, can meet such a lock, so a retry never repeats half a transaction. A lock that lasts is reported to all
 * who wait, each of whom would otherwise wait as long again.
 */
function createPatience() {
  let busySince: number | undefined
  return async <R>(act: () => QueryResult<R>): Promise<QueryResult<R>> => {
    for (;;) {
      try {
        const result = act()
        busySince = undefined
        return result
      } catch (error) {
        if (!String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY')) throw error
        busySince ??= elapsedMs()
        if (elapsedMs() - busySince > BUSY_MS) throw new DatabaseAway(error)
        await sleep(BUSY_PAUSE_MS)
      }
    }
  }
}
