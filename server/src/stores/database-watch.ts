import pg from 'pg'
import { DatabaseAway } from '../core/errors.ts'

export interface DatabaseWatch {
  readonly isAway: boolean
  /** The same promise, but it fails at once when the database is away or goes away meanwhile; `late` gets what comes after that. */
  unlessAway<T>(promise: Promise<T>, late?: (value: T) => void): Promise<T>
  stop(): Promise<void>
}

const PAUSE_MS = 2000
const PAUSE_AWAY_MS = 500
const ANSWER_MS = 3000

/**
 * Asks the database on a connection of its own whether it is there. A server that is stopped refuses by itself; one that is frozen, or
 * behind a network that swallows packets, says nothing, and each request would find that out by waiting.
 */
export function createDatabaseWatch(settings: pg.ClientConfig): DatabaseWatch {
  const waiting = new Set<() => void>()
  let isAway = false
  let isStopped = false
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined

  const connect = async (): Promise<pg.Client> => {
    const fresh = new pg.Client({ ...settings, query_timeout: ANSWER_MS, connectionTimeoutMillis: ANSWER_MS })
    // Reported by the next question.
    fresh.on('error', () => {})
    await fresh.connect()
    return fresh
  }
  const look = async (): Promise<void> => {
    try {
      client ??= await connect()
      await client.query('select 1')
      isAway = false
    } catch {
      client?.end().catch(() => {})
      client = undefined
      isAway = true
      for (const fail of [...waiting]) fail()
    }
    if (!isStopped) timer = setTimeout(() => void look(), isAway ? PAUSE_AWAY_MS : PAUSE_MS).unref()
  }
  timer = setTimeout(() => void look(), PAUSE_MS).unref()

  return {
    get isAway() {
      return isAway
    },
    unlessAway(promise, late) {
      return new Promise((resolve, reject) => {
        let isOver = false
        const fail = (): void => {
          isOver = true
          waiting.delete(fail)
          reject(new DatabaseAway())
        }
        waiting.add(fail)
        promise.then(
          (value) => {
            waiting.delete(fail)
            if (isOver) late?.(value)
            else resolve(value)
          },
          (error: unknown) => {
            waiting.delete(fail)
            reject(error)
          },
        )
        if (isAway) fail()
      })
    },
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await client?.end().catch(() => {})
    },
  }
}
