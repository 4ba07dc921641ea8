import { z } from 'zod'
import { addDays } from '../core/clock.ts'
import { defineJobKind } from '../queue/job.ts'
import type { Db } from '../stores/database.ts'
import { createDayCountStore } from '../stores/day-counts.ts'
import { countExpired, type Kept, removeExpired, workOutExpiry } from '../stores/expiry.ts'
import { createKeyUsageStore } from '../stores/key-usage.ts'
import { createRequestCountStore } from '../stores/request-counts.ts'
import { createScanCountStore } from '../stores/scan-counts.ts'
import { admitSweep, findSweepMoment, noteSwept, type SweepDeps } from './sweep-guard.ts'

export const retentionJob = defineJobKind({
  name: 'sweep-scans',
  payload: z.object({}),
  retryAfterSeconds: [30, 120, 300],
  timeoutSeconds: 300,
  concurrency: 1,
  everySeconds: 600,
})

/** Small, so that other work gets its turn between two batches. */
const BATCH = 200
const KEEP_HOURLY_DAYS = 2
/** The longest quota month, and then some for the operator. */
const KEEP_DAILY_DAYS = 400

/**
 * Deletes scans that their owners' plans no longer keep, with source, findings and reports, and counts nobody will ask for. Their owners have not
 * seen them for a day.
 */
export async function sweepScans(deps: SweepDeps, signal?: AbortSignal): Promise<number> {
  const { db } = deps
  const moment = await findSweepMoment(deps, 'scans')
  if (moment === undefined) return 0
  const now = deps.clock.now().getTime()
  for (const table of tables) await inBatches(signal, () => workOutExpiry(db, table, now, BATCH))
  if (!(await admitSweep(deps, 'scans', (atMost) => countExpired(db, 'scans', moment, atMost)))) return 0
  let deleted = 0
  for (const table of tables) {
    const gone = await inBatches(signal, () => removeExpired(db, table, moment, BATCH))
    if (table === 'scans') deleted = gone
  }
  await noteSwept(deps, 'scans', deleted)
  await forgetOldCounts(db, new Date(moment))
  return deleted
}

const tables: readonly Kept[] = ['scans', 'scan_requests', 'scan_batches']

/** Until there is nothing left to do; how much was done. */
async function inBatches(signal: AbortSignal | undefined, act: () => Promise<number>): Promise<number> {
  let done = 0
  for (let batch = BATCH; batch === BATCH && !signal?.aborted; done += batch) batch = await act()
  return done
}

async function forgetOldCounts(db: Db, now: Date): Promise<void> {
  await createRequestCountStore(db).deleteBefore(addDays(now, -KEEP_HOURLY_DAYS).getTime())
  await createKeyUsageStore(db).deleteBefore(addDays(now, -KEEP_DAILY_DAYS).getTime())
  await createDayCountStore(db, 'key').deleteBefore(addDays(now, -KEEP_DAILY_DAYS).getTime())
  await createScanCountStore(db).deleteBefore(addDays(now, -KEEP_DAILY_DAYS).getTime())
}
