import { statfs } from 'node:fs/promises'
import type { Clock } from '../core/clock.ts'
import type { Database } from './database.ts'

export interface ReadinessDeps {
  readonly database: Pick<Database, 'db' | 'dialect'>
  readonly clock: Clock
  /** Where the embedded database lives. */
  readonly dataDir: string
}

const ANSWER_MS = 1500
/** A burst of questions is answered by one write. */
const KEEP_MS = 1000
const MIN_FREE_BYTES = 16 * 1024 * 1024
/** A small row could still fit where nothing else does. */
const BALLAST = Buffer.alloc(64 * 1024)

/** Fails when nothing can be stored now: the database does not answer in time, refuses to write, or its disk is full. */
export function createReadinessCheck({ database, clock, dataDir }: ReadinessDeps): () => Promise<void> {
  const isEmbedded = database.dialect === 'sqlite'
  let latest: Promise<void> | undefined

  const write = async (): Promise<void> => {
    const row = { at: clock.now().getTime(), ballast: isEmbedded ? BALLAST : Buffer.alloc(0) }
    await database.db
      .insertInto('readiness')
      .values({ id: 'probe', ...row })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
      .execute()
  }
  const probe = async (): Promise<void> => {
    if (isEmbedded) await refuseFullDisk(dataDir)
    await write()
  }
  const probeOnce = (): Promise<void> => {
    if (latest) return latest
    const pending = probe()
    latest = pending
    const forget = (): void => {
      setTimeout(() => {
        if (latest === pending) latest = undefined
      }, KEEP_MS).unref()
    }
    pending.then(forget, forget)
    return pending
  }
  return () => withinTime(probeOnce())
}

async function refuseFullDisk(dataDir: string): Promise<void> {
  const { bavail, bsize } = await statfs(dataDir)
  const free = bavail * bsize
  if (free < MIN_FREE_BYTES) throw new Error(`The disk of DATA_DIR is full: ${Math.floor(free / 1024)} KB are free.`)
}

async function withinTime(promise: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The database did not answer in time.')), ANSWER_MS)
  })
  try {
    await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
