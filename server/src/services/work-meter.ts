import { type Clock, secondsUntil } from '../core/clock.ts'
import { refuse } from '../core/errors.ts'
import { cpuSecondsPerHour } from '../core/plans.ts'
import type { Db } from '../stores/database.ts'
import { createRequestCountStore, WORK } from '../stores/request-counts.ts'
import type { Limits } from './admission.ts'
import { startOfHour } from './limits.ts'

/** CPU time that accounts use, gathered here and written now and then: a write for each small scan would cost more than the scan. */
export interface WorkMeter {
  note(accountId: string, cpuMs: number): void
  /** Used in this hour, what is not written yet included. */
  countMs(accountId: string): Promise<number>
  flush(): Promise<void>
}

export interface WorkMeterDeps {
  readonly db: Db
  readonly clock: Clock
  readonly onError: (error: unknown) => void
}

/** So much of one account is written at once, and anything after a while. */
const WRITE_MS = 500
const FLUSH_MS = 10_000

export function createWorkMeter({ db, clock, onError }: WorkMeterDeps): WorkMeter {
  const gathered = new Map<string, number>()
  let flushedAt = clock.now().getTime()

  const write = async (accountId: string): Promise<void> => {
    const ms = Math.round(gathered.get(accountId) ?? 0)
    gathered.delete(accountId)
    if (ms > 0) await createRequestCountStore(db).addWork(accountId, startOfHour(clock.now()), ms)
  }
  const flush = async (): Promise<void> => {
    flushedAt = clock.now().getTime()
    for (const accountId of [...gathered.keys()]) await write(accountId)
  }
  return {
    note(accountId, cpuMs) {
      const ms = (gathered.get(accountId) ?? 0) + cpuMs
      gathered.set(accountId, ms)
      if (clock.now().getTime() - flushedAt >= FLUSH_MS) flush().catch(onError)
      else if (ms >= WRITE_MS) write(accountId).catch(onError)
    },
    async countMs(accountId) {
      const written = await createRequestCountStore(db).countAs(accountId, WORK, startOfHour(clock.now()))
      return written + (gathered.get(accountId) ?? 0)
    },
    flush,
  }
}

export interface WorkDeps {
  readonly clock: Clock
  readonly workMeter: Pick<WorkMeter, 'countMs'>
}

const HOUR_MS = 3_600_000

/** Refuses an account that has used the hour's CPU time, whatever became of what it was used for. */
export async function assertWorkLeft(
  { clock, workMeter }: WorkDeps,
  accountId: string,
  { plan }: Pick<Limits, 'plan'>,
) {
  const seconds = cpuSecondsPerHour[plan]
  if ((await workMeter.countMs(accountId)) < seconds * 1000) return
  const now = clock.now()
  const resetsAt = new Date(startOfHour(now) + HOUR_MS)
  refuse('workSpent', seconds, secondsUntil(now, resetsAt))
}
