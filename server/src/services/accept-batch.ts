import { createHash } from 'node:crypto'
import { Refusal, refuse, statusOf } from '../core/errors.ts'
import { newSortableId } from '../core/ids.ts'
import type { BatchEntry } from '../core/sources/split-batch.ts'
import type { Upload } from '../core/sources/upload.ts'
import type { Queue } from '../queue/queue.ts'
import { createScanBatchStore } from '../stores/scan-batches.ts'
import type { ScanBatchTable } from '../stores/schema.ts'
import type { Limits } from './admission.ts'
import { type AnalyseDeps, analyse, assertMayWork, ownerOf } from './analyse.ts'
import { batchNoticeJob } from './batch-notice.ts'
import type { ContentPart } from './idempotency.ts'
import { type QueuedOptions, type QueueScansDeps, queueScans, type ScansToQueue } from './queue-scans.ts'
import { assertQuotaLeft, type ScanQuotaDeps } from './scan-quota.ts'

export type AcceptBatchDeps = AnalyseDeps &
  QueueScansDeps &
  ScanQuotaDeps & { readonly queue: Pick<Queue, 'enqueue' | 'enqueueMany'> }

export const maxBatchScans = 10_000
/** Of a batch, as a multiple of what one scan may have. */
const BATCH_FACTOR = 10

export const maxBatchBytes = ({ maxFileBytes }: Pick<Limits, 'maxFileBytes'>): number => maxFileBytes * BATCH_FACTOR

/** Refused before anything is read. */
export function assertBatches({ features }: Pick<Limits, 'features'>): void {
  if (!features.batches) refuse('batchNotOnPlan')
}

/** What makes two batches the same, by digests: they are long. */
export const batchContent = ({ files, fields, document }: Upload, options: QueuedOptions): ContentPart[] => [
  ['?', JSON.stringify(options)],
  ...fields,
  ...files.map(({ name, bytes }) => [`file ${name}`, digest(bytes)] as const),
  ...(document === undefined ? [] : [['document', digest(document)] as const]),
]

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

export interface BatchToAccept {
  readonly accountId: string
  readonly limits: Limits
  readonly via: ScansToQueue['via']
  readonly upload: Upload
  readonly options: QueuedOptions
  readonly signal: AbortSignal
}

/** Queues every scan of the batch or none: a place of the day for each must be left. */
export async function acceptBatch(
  deps: AcceptBatchDeps,
  { accountId, limits, via, upload, options, signal }: BatchToAccept,
  afterwards: (tx: AcceptBatchDeps['db'], batch: ScanBatchTable) => Promise<void>,
): Promise<{ readonly batch: ScanBatchTable; readonly scansToday: number }> {
  await assertQuotaLeft(deps, accountId, limits)
  await assertMayWork(deps, accountId, limits)
  const scans = await splitUpload(deps, { accountId, limits, upload, signal })
  const at = deps.clock.now()
  const id = newSortableId('batch', at)
  const batch = { id, account_id: accountId, total: scans.length, created_at: at.getTime() }
  const { scansToday } = await queueScans(deps, { accountId, limits, via, options, batchId: id, scans }, async (tx) => {
    await createScanBatchStore(tx).add(batch)
    // Anyone who scans in the browser sees what was found.
    const isNotified = limits.features.mailNotices && via === 'key'
    if (isNotified) await deps.queue.enqueue(tx, batchNoticeJob, { accountId, batchId: id })
    await afterwards(tx, batch)
  })
  return { batch, scansToday }
}

async function splitUpload(
  deps: AcceptBatchDeps,
  { accountId, limits, upload, signal }: Omit<BatchToAccept, 'options' | 'via'>,
): Promise<readonly BatchEntry[]> {
  const owner = ownerOf(accountId, limits)
  const split = { maxBytes: maxBatchBytes(limits), maxScanBytes: limits.maxFileBytes, maxScans: maxBatchScans }
  const outcome = await analyse(deps, owner, deps.analysis.split({ upload, limits: split }, { owner, signal }))
  if (outcome.outcome === 'split') return outcome.scans
  const { name, words, headers } = outcome.refusal
  throw new Refusal(name, statusOf(name), words, headers)
}
