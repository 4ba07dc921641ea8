import pg from 'pg'
import { DatabaseAway, UnstorableText } from '../core/errors.ts'
import { createDatabaseWatch, type DatabaseWatch } from './database-watch.ts'

export interface PostgresPoolOptions {
  readonly maxConnections: number
  readonly onConnectionLost: (error: Error) => void
}

/** What Kysely needs of a connection. */
interface Connection {
  query(text: string, values: unknown[]): Promise<pg.QueryResult>
  release(): void
}

export interface PostgresPool {
  /** For the queue's own library. */
  readonly raw: pg.Pool
  readonly watch: DatabaseWatch
  connect(): Promise<Connection>
  end(): Promise<void>
}

const CONNECT_TIMEOUT_MS = 3000
const QUERY_TIMEOUT_MS = 30_000
const NUL_IN_TEXT = '22021'
const INT8_OID = 20
const NUMERIC_OID = 1700

export const clientSettings = (url: string): pg.ClientConfig => ({
  connectionString: url,
  application_name: 'assay',
  connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  keepAlive: true,
  types: { getTypeParser: numbersAsNumbers },
})

/**
 * Connections that may break at any moment, idle or busy, without taking the process along: a query on a broken one fails with
 * `DatabaseAway`, and so does everything at once while the watch gets no answer, instead of waiting for a server that is frozen.
 */
export function createPostgresPool(
  url: string,
  { maxConnections, onConnectionLost }: PostgresPoolOptions,
): PostgresPool {
  const settings = clientSettings(url)
  const raw = new pg.Pool({ ...settings, max: maxConnections, query_timeout: QUERY_TIMEOUT_MS })
  raw.on('error', onConnectionLost)
  // The pool listens to idle connections only; one that breaks while it is lent out would end the process.
  raw.on('connect', (client) => client.on('error', onConnectionLost))
  const watch = createDatabaseWatch(settings)

  return {
    raw,
    watch,
    async connect() {
      const client = await watch.unlessAway(raw.connect(), (late) => late.release()).catch(sayAway)
      return guard(client, watch)
    },
    async end() {
      await watch.stop()
      await raw.end()
    },
  }
}

function guard(client: pg.PoolClient, watch: DatabaseWatch): Connection {
  let isBroken = false
  return {
    async query(text, values) {
      // A rollback on a connection that is stuck would wait behind what it is stuck in.
      if (isBroken) throw new DatabaseAway()
      try {
        return await watch.unlessAway(client.query(text, values))
      } catch (error) {
        if ((error as { code?: unknown }).code === NUL_IN_TEXT) throw new UnstorableText()
        if (!isConnectionFailure(error)) throw error
        isBroken = true
        throw new DatabaseAway(error)
      }
    },
    release: () => client.release(isBroken),
  }
}

const sayAway = (error: unknown): never => {
  throw error instanceof DatabaseAway ? error : new DatabaseAway(error)
}

/** Classes of PostgreSQL's codes: connection lost, too many connections, no room left, shutting down or starting. */
const AWAY_CODES = /^(08|53|57P0[1-5]|58)/
const SOCKET_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
])
const DRIVER_WORDS = /^(Connection terminated|Query read timeout|timeout exceeded|Client (was closed|has encountered))/

function isConnectionFailure(error: unknown): boolean {
  if (error instanceof DatabaseAway) return true
  const { code = '', message = '' } = error as { code?: string; message?: string }
  return SOCKET_CODES.has(code) || AWAY_CODES.test(code) || DRIVER_WORDS.test(message)
}

/** Counts and epoch milliseconds fit a double; the driver's default is text, which would differ from SQLite. */
const numbersAsNumbers = ((oid: number, format?: 'text' | 'binary') => {
  if (format !== 'binary' && (oid === INT8_OID || oid === NUMERIC_OID)) return Number
  return pg.types.getTypeParser(oid, format as 'text')
}) as typeof pg.types.getTypeParser
