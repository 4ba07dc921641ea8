import { z } from 'zod'
import type { Clock } from '../core/clock.ts'
import { newSortableId } from '../core/ids.ts'
import { noteInLog, readLogContext } from '../core/log-context.ts'
import type { Labels } from '../core/sources/labels.ts'
import { defineJobKind } from '../queue/job.ts'
import type { Queue } from '../queue/queue.ts'
import { type Db, transaction } from '../stores/database.ts'
import { createScanRequestStore } from '../stores/scan-requests.ts'
import type { ScanRequestTable } from '../stores/schema.ts'
import type { Limits } from './admission.ts'
import { newScanRequest } from './new-scan-request.ts'
import type { ScanRequest } from './run-scan.ts'
import { takePlaces } from './scan-quota.ts'

/**
 * The right to begin the scan whose turn it is then, and the next one after it, until none waits: not certain ones, so that accounts take turns
 * however many scans one of them has queued. The scan knows by itself who works on it, so this is never tried again: what a lost process leaves
 * behind gets a new one.
 */
export const queuedScanJob = defineJobKind({
  name: 'queued-scan',
  payload: z.object({}),
  retryAfterSeconds: [1, 5, 30, 120, 600],
  timeoutSeconds: 600,
})

/** Of one kind there are no more than this many: taking one of ten thousand costs a look at all of them. */
export const maxTurns = 200

export interface QueueScansDeps {
  readonly db: Db
  readonly clock: Clock
  readonly queue: Pick<Queue, 'enqueueMany'>
}

/** How a queued scan is to be done. */
export type QueuedOptions = Pick<ScanRequest, 'suppressions' | 'scope' | 'baseline' | 'prove'>

/** The same as it is stored; scans that were queued before know neither credential nor request. */
export type StoredOptions = QueuedOptions &
  Partial<Pick<ScanRequest, 'via'>> & { readonly requestId?: string | undefined }

export interface ScansToQueue {
  readonly accountId: string
  readonly limits: Limits
  readonly options: QueuedOptions
  /** The credential of the caller. */
  readonly via: ScanRequest['via']
  readonly batchId?: string | undefined
  /** Each with its sources as they are stored. */
  readonly scans: readonly {
    readonly name: string
    readonly sizeBytes: number
    readonly labels: Labels
    readonly upload: Uint8Array
  }[]
}

/** Scans that wait, their places of the day and whatever `afterwards` does become true together. */
export async function queueScans(
  deps: QueueScansDeps,
  { accountId, limits, batchId, scans, ...request }: ScansToQueue,
  afterwards: (tx: Db, requests: readonly ScanRequestTable[]) => Promise<void>,
): Promise<{ readonly requests: readonly ScanRequestTable[]; readonly scansToday: number }> {
  const options: StoredOptions = { ...request.options, via: request.via, requestId: readLogContext().requestId }
  return transaction(deps.db, async (tx) => {
    const { day, before } = await takePlaces({ ...deps, db: tx }, accountId, limits, scans.length)
    const at = deps.clock.now()
    const added = inOrder(scans.map(() => newSortableId('scan', at))).map((id, index) => {
      const { name, sizeBytes, labels, upload } = scans[index] as (typeof scans)[number]
      const place = { day, scansToday: before + index + 1 }
      const file = { name, sizeBytes }
      return {
        request: newScanRequest({ id, accountId, kind: 'standard', limits, file, labels, at, place, batchId, options }),
        upload,
      }
    })
    await createScanRequestStore(tx).queue(added)
    await deps.queue.enqueueMany(tx, queuedScanJob, {}, Math.min(added.length, maxTurns))
    const requests = added.map(({ request }) => request)
    if (requests.length === 1) noteInLog({ scanId: requests[0]?.id })
    await afterwards(tx, requests)
    return { requests, scansToday: before + scans.length }
  })
}

/** Ids of one moment sort by chance: the first file gets the first, so that a batch is worked off and listed in its own order. */
const inOrder = (ids: readonly string[]): string[] => [...ids].sort()
