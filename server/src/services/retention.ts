import { z } from 'zod'
import { addDays, type Clock } from '../core/clock.ts'
import { defineJobKind } from '../queue/job.ts'
import type { Db } from '../stores/database.ts'
import { createDayCountStore } from '../stores/day-counts.ts'
import { createKeyUsageStore } from '../stores/key-usage.ts'
import { createRequestCountStore } from '../stores/request-counts.ts'
import { createScanBatchStore } from '../stores/scan-batches.ts'
import { createScanCountStore } from '../stores/scan-counts.ts'
import { createScanRequestStore } from '../stores/scan-requests.ts'
import { createScanStore } from '../stores/scans.ts'

/** Several times an hour: an expired scan must be gone within one. */
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

/** Deletes scans that their owners' plans no longer keep, with source, findings and reports, and counts nobody will ask for. */
export async function sweepScans({ db, clock }: { db: Db; clock: Clock }, signal?: AbortSignal): Promise<number> {
  const now = clock.now()
  const scans = createScanStore(db)
  let deleted = 0
  for (let batch = BATCH; batch === BATCH && !signal?.aborted; deleted += batch) {
    batch = await scans.removeExpired(now.getTime(), BATCH)
  }
  for (const store of [createScanRequestStore(db), createScanBatchStore(db)]) {
    for (let batch = BATCH; batch === BATCH && !signal?.aborted; ) {
      batch = await store.removeExpired(now.getTime(), BATCH)
    }
  }
  await createRequestCountStore(db).deleteBefore(addDays(now, -KEEP_HOURLY_DAYS).getTime())
  await createKeyUsageStore(db).deleteBefore(addDays(now, -KEEP_DAILY_DAYS).getTime())
  await createDayCountStore(db, 'key').deleteBefore(addDays(now, -KEEP_DAILY_DAYS).getTime())
  await createScanCountStore(db).deleteBefore(addDays(now, -KEEP_DAILY_DAYS).getTime())
  return deleted
}
