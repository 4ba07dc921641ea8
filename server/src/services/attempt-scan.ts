import { engineVersion } from '@assay/engine'
import type { Scanned } from '../analysis/tasks.ts'
import { newSortableId } from '../core/ids.ts'
import type { Log } from '../core/log.ts'
import { noteInLog } from '../core/log-context.ts'
import type { Labels } from '../core/sources/labels.ts'
import { traced } from '../core/tracing.ts'
import { type Db, transaction } from '../stores/database.ts'
import { createScanRequestStore } from '../stores/scan-requests.ts'
import { createScanStore } from '../stores/scans.ts'
import type { ScanBodyTable, ScanTable } from '../stores/schema.ts'
import type { Limits } from './admission.ts'
import { newScanRequest, reasonOf } from './new-scan-request.ts'
import { countForMonth } from './quota-month.ts'
import { type RecordedScan, recordFindings } from './record-findings.ts'
import type { AnnounceScan } from './scan-events.ts'
import { chargeScan, giveBackSurely, type Reservation, reserveScan, type ScanQuotaDeps } from './scan-quota.ts'
import { tallyFound } from './scan-tally.ts'

export interface AttemptDeps extends ScanQuotaDeps {
  readonly log: Log
  readonly announceScan: AnnounceScan
}

/** A scan of either kind that is let in. */
export interface Attempt {
  readonly kind: ScanTable['kind']
  readonly accountId: string
  readonly limits: Limits
  /** `paths`: of every source in it. */
  readonly file: { readonly name: string; readonly sizeBytes: number; readonly paths: readonly string[] }
  readonly labels: Labels
  readonly batchId?: string | undefined
  /** The credential of the caller. */
  readonly via: ScanTable['via']
  /** Whether the owner hears of a scan that ended so: what the caller did wrong is no failed scan. */
  readonly isFailure: (error: unknown) => boolean
}

/** The place it holds, and by which name and moment it is known. */
export interface Place {
  readonly scanId: string
  readonly at: Date
  /** Scans of the day, this one included. */
  readonly scansToday: number
  /** Makes the place a charge, in the transaction that stores the result: both happen or neither. */
  charge(tx: Db): Promise<void>
}

/** Does the work of a scan in a place of the day's quota, which is free again when there is no result. */
export async function attemptScan<T>(
  deps: AttemptDeps,
  attempt: Attempt,
  work: (place: Place) => Promise<T>,
): Promise<T> {
  const reservation = await reserveScan(deps, attempt.accountId, attempt.limits)
  const at = deps.clock.now()
  const scanId = newSortableId('scan', at)
  noteInLog({ scanId })
  try {
    const { scansToday } = reservation
    return await work({ scanId, at, scansToday, charge: (tx) => chargeScan(tx, reservation) })
  } catch (error) {
    await giveBackSurely(deps, reservation)
    if (attempt.isFailure(error)) await keepFailure(deps, attempt, { scanId, at, reservation }, error)
    throw error
  }
}

interface Failed {
  readonly scanId: string
  readonly at: Date
  readonly reservation: Reservation
}

/** The owner hears of it, and finds it under the id that the event names. */
async function keepFailure(
  deps: AttemptDeps,
  { kind, accountId, limits, file, labels, via }: Attempt,
  { scanId, at, reservation }: Failed,
  error: unknown,
): Promise<void> {
  const now = deps.clock.now().getTime()
  const request = newScanRequest({
    id: scanId,
    accountId,
    kind,
    limits,
    file,
    labels,
    options: { via },
    at,
    place: reservation,
  })
  const ended = { status: 'failed', holds_place: 0, reason: reasonOf(error), finished_at: now } as const
  const failed = { status: 'failed', kind, accountId, limits, scanId, fileName: file.name, at } as const
  try {
    await transaction(deps.db, async (tx) => {
      await createScanRequestStore(tx).keepFailure({ ...request, ...ended })
      await deps.announceScan(tx, failed)
    })
  } catch (error) {
    deps.log.warn({ err: error, scanId }, 'a failed scan could not be announced')
  }
}

export interface Finished {
  readonly place: Place
  readonly outcome: Pick<
    Scanned,
    'securityScore' | 'completeness' | 'counts' | 'sha256' | 'fileCount' | 'isProject' | 'found' | 'lookedAt'
  >
  readonly body: Omit<ScanBodyTable, 'scan_id'>
}

/** The result, its charge and what follows from it become true together, before the client hears of it. */
export async function storeScan(
  deps: AttemptDeps,
  { kind, accountId, limits, file, labels, batchId, via }: Attempt,
  { place, outcome, body }: Finished,
  afterwards: (tx: Db, recorded: RecordedScan) => Promise<void>,
): Promise<void> {
  const { scanId, at, scansToday } = place
  const { securityScore, completeness, counts, sha256, fileCount, isProject } = outcome
  const tally = tallyFound(outcome.found, outcome.counts.suppressed)
  const { score, rating, summary } = securityScore
  const { total, critical, high, medium, low } = summary
  const store = async (tx: Db): Promise<void> => {
    await place.charge(tx)
    await createScanStore(tx).add(
      {
        id: scanId,
        account_id: accountId,
        kind,
        status: 'completed',
        file_name: file.name,
        size_bytes: file.sizeBytes,
        score,
        rating,
        total,
        critical,
        high,
        medium,
        low,
        completeness,
        created_at: at.getTime(),
        info: counts.info,
        advisories: counts.advisories,
        suppressed: counts.suppressed,
        sha256,
        engine_version: engineVersion,
        file_count: fileCount,
        is_project: isProject ? 1 : 0,
        via,
        tally: JSON.stringify(tally),
      },
      body,
    )
    const recorded = await recordFindings(
      { ...deps, db: tx },
      { scanId, accountId, at, labels, batchId, files: file.paths },
      outcome,
    )
    await deps.announceScan(tx, {
      status: 'completed',
      kind,
      accountId,
      scanId,
      fileName: file.name,
      securityScore,
      completeness,
      counts,
      tally,
      sha256,
      via,
      limits,
      scansToday,
      batchId,
      at,
      project: labels.project ?? null,
      gate: recorded.gate,
    })
    await afterwards(tx, recorded)
    await countForMonth(tx, deps.clock, accountId)
  }
  await traced('store', () => transaction(deps.db, store))
}
