import { addDays } from '../core/clock.ts'
import { refuse } from '../core/errors.ts'
import { looksLikeId } from '../core/ids.ts'
import { type ScanStatus, scanStatuses } from '../core/scan-status.ts'
import { transaction } from '../stores/database.ts'
import { type BatchScanRow, createScanBatchStore } from '../stores/scan-batches.ts'
import type { ScanBatchTable } from '../stores/schema.ts'
import type { Limits } from './admission.ts'
import { type DeleteScanDeps, findOldest, type HistoryDeps, type ScanProgress, toProgress } from './history.ts'
import { getLimits } from './limits.ts'
import { type Actor, noteChange } from './note-change.ts'
import { giveBackPlace } from './scan-quota.ts'

export interface BatchScan extends ScanProgress {
  readonly score: number | null
  readonly rating: string | null
  readonly vulnerabilitiesCount: number | null
}

export interface BatchView {
  readonly batchId: string
  /** Whether anything is still to be done. */
  readonly status: 'running' | 'completed'
  readonly total: number
  /** Of the scans that are still there: one that its owner deleted is not counted. */
  readonly counts: Readonly<Record<ScanStatus, number>>
  readonly createdAt: string
  readonly expiresAt: string
  readonly scans: readonly BatchScan[]
  readonly nextCursor: string | null
}

export async function getBatch(
  deps: HistoryDeps,
  accountId: string,
  batchId: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<BatchView> {
  if (cursor !== undefined && !looksLikeId('scan', cursor))
    refuse('invalid', 'cursor must be a nextCursor of this list.')
  const { batch, limits } = await findBatch(deps, accountId, batchId)
  const store = createScanBatchStore(deps.db)
  const found = new Map((await store.count(batch.id)).map(({ status, n }) => [status, Number(n)]))
  const counts = Object.fromEntries(scanStatuses.map((status) => [status, found.get(status) ?? 0]))
  const rows = await store.list(batch.id, { limit: limit + 1, after: cursor })
  const shown = rows.slice(0, limit)
  const at = new Date(batch.created_at)
  return {
    batchId: batch.id,
    status: counts.queued || counts.running ? 'running' : 'completed',
    total: batch.total,
    counts: counts as BatchView['counts'],
    createdAt: at.toISOString(),
    expiresAt: addDays(at, limits.historyDays).toISOString(),
    scans: shown.map((row) => toScan(row, limits)),
    nextCursor: rows.length > limit ? (shown.at(-1)?.id ?? null) : null,
  }
}

const toScan = (row: BatchScanRow, limits: Limits): BatchScan => ({
  ...toProgress(row, limits),
  score: row.score,
  rating: row.rating,
  vulnerabilitiesCount: row.total,
})

/** Cancels what is not done; how many that were. Results stay. */
export async function cancelBatch(deps: DeleteScanDeps, actor: Actor, batchId: string): Promise<number> {
  const { accountId } = actor.caller
  const { batch } = await findBatch(deps, accountId, batchId)
  const cancelled = await transaction(deps.db, async (tx) => {
    const scans = await createScanBatchStore(tx).cancel(batch.id, deps.clock.now().getTime())
    const [first] = scans
    // Its places are all of one day, and of one key.
    if (first) await giveBackPlace(tx, accountId, first.day, first.key_id, scans.length)
    if (first) await noteChange({ ...deps, db: tx }, actor, 'batch.cancelled', { batchId })
    return scans
  })
  for (const { id } of cancelled) deps.scanWatch.notify(id)
  return cancelled.length
}

async function findBatch(
  deps: HistoryDeps,
  accountId: string,
  batchId: string,
): Promise<{ batch: ScanBatchTable; limits: Limits }> {
  const limits = await getLimits(deps, accountId)
  const batch = looksLikeId('batch', batchId)
    ? await createScanBatchStore(deps.db).find(accountId, batchId, findOldest(deps.clock, limits))
    : undefined
  return batch ? { batch, limits } : refuse('batchNotFound')
}
