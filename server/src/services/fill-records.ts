import type { ScanResult } from '@assay/engine'
import { z } from 'zod'
import { listLookedAt, toFound } from '../analysis/found-rows.ts'
import { withRecords } from '../analysis/records.ts'
import type { Clock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import { unpackElsewhere } from '../core/stored.ts'
import { defineJobKind } from '../queue/job.ts'
import { type Db, transaction } from '../stores/database.ts'
import { createFillStore, type UnrecordedScan } from '../stores/fills.ts'
import { createScanStore } from '../stores/scans.ts'
import { recordFindings } from './record-findings.ts'

export interface FillDeps {
  readonly db: Db
  readonly clock: Clock
  readonly log: Log
}

/** One row is read a minute once it is done. */
export const fillRecordsJob = defineJobKind({
  name: 'fill-records',
  payload: z.object({}),
  retryAfterSeconds: [60, 600],
  timeoutSeconds: 300,
  concurrency: 1,
  everySeconds: 60,
})

/** Small, so that other work gets its turn; what was filled is kept after each. */
const PAGE = 50

/**
 * Makes records of what scans found that were stored before there were records, the oldest first. It may be stopped anywhere, and goes on
 * where it was; a scan that has records is left alone.
 */
export async function fillRecords(deps: FillDeps, signal?: AbortSignal): Promise<number> {
  const fills = createFillStore(deps.db)
  const fill = await fills.find()
  if (fill.is_done) return 0
  let { position, filled } = fill
  while (!signal?.aborted) {
    const page = await fills.listAfter(position, PAGE)
    for (const scan of page.filter(({ is_recorded }) => !is_recorded)) filled += await fillOne(deps, scan)
    position = page.at(-1)?.id ?? position
    const isDone = page.length < PAGE
    await fills.keep({ ...fill, position, filled, is_done: isDone ? 1 : 0 })
    if (isDone) break
  }
  if (filled > fill.filled) deps.log.info({ filled, position }, 'records were filled from stored scans')
  return filled - fill.filled
}

/** A result that cannot be read is left out: the scan itself can still be seen. */
async function fillOne(deps: FillDeps, scan: UnrecordedScan): Promise<0 | 1> {
  try {
    const packed = await createScanStore(deps.db).findBody(scan.id, 'result')
    if (!packed) return 0
    const stored = JSON.parse((await unpackElsewhere(packed)).toString()) as ScanResult
    const result = withRecords(stored, [], new Date(scan.created_at))
    const labels = { project: undefined, ref: undefined, commit: undefined }
    const seen = { scanId: scan.id, accountId: scan.account_id, at: new Date(scan.created_at), labels, files: [] }
    const outcome = { found: toFound(result, scan.file_name), lookedAt: listLookedAt(result, scan.file_name) }
    await transaction(deps.db, (tx) => recordFindings({ db: tx, clock: deps.clock }, seen, outcome))
    return 1
  } catch (error) {
    deps.log.warn({ err: error, scanId: scan.id }, 'no records could be made of a stored scan')
    return 0
  }
}
