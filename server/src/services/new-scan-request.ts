import { TaskOverrun } from '../analysis/pool.ts'
import { Refusal } from '../core/errors.ts'
import type { Labels } from '../core/sources/labels.ts'
import type { ScanRequestTable } from '../stores/schema.ts'
import type { Limits } from './admission.ts'
import { ownerOf } from './analyse.ts'

export interface NewScan {
  readonly id: string
  readonly accountId: string
  readonly kind: ScanRequestTable['kind']
  readonly limits: Limits
  readonly file: { readonly name: string; readonly sizeBytes: number }
  readonly at: Date
  /** Of the day's quota. */
  readonly place: { readonly day: number; readonly scansToday: number }
  readonly batchId?: string | undefined
  readonly options?: object
  readonly labels?: Labels | undefined
}

/** A scan that waits, as it is stored. */
export const newScanRequest = (scan: NewScan): ScanRequestTable => ({
  id: scan.id,
  account_id: scan.accountId,
  batch_id: scan.batchId ?? null,
  kind: scan.kind,
  status: 'queued',
  file_name: scan.file.name,
  size_bytes: scan.file.sizeBytes,
  options: JSON.stringify(scan.options ?? {}),
  rank: ownerOf(scan.accountId, scan.limits).rank,
  day: scan.place.day,
  scans_today: scan.place.scansToday,
  holds_place: 1,
  key_id: scan.limits.key?.id ?? null,
  instance_id: null,
  attempts: 0,
  files_done: 0,
  files_total: 0,
  reason: null,
  revision: 1,
  created_at: scan.at.getTime(),
  started_at: null,
  finished_at: null,
  project: scan.labels?.project ?? null,
  ref: scan.labels?.ref ?? null,
  commit_hash: scan.labels?.commit ?? null,
})

/** Why a scan failed, in words for its owner: those of a refusal, and of anything else no more than they can act on. */
export function reasonOf(error: unknown): string {
  if (error instanceof Refusal) return error.message
  if (error instanceof TaskOverrun && error.overrun === 'timeout')
    return error.limitMs === undefined
      ? 'The scan timed out.'
      : `The scan timed out after ${formatSeconds(error.limitMs)} of CPU time.`
  if (error instanceof TaskOverrun && error.overrun === 'memory')
    return 'The scan was stopped: it needed too much memory.'
  return 'Scan failed.'
}

const formatSeconds = (ms: number): string => `${Number((ms / 1000).toPrecision(2))} s`
