import type { Analysis } from '../analysis/analysis.ts'
import type { ReportFormat, Scanned, ScanTask } from '../analysis/tasks.ts'
import { Refusal, refuse } from '../core/errors.ts'
import { newSortableId } from '../core/ids.ts'
import type { Log } from '../core/log.ts'
import { type Db, transaction } from '../stores/database.ts'
import { createScanStore } from '../stores/scans.ts'
import { analyse, checkContractSize } from './analyse.ts'
import { findOldest } from './history.ts'
import type { Limits } from './limits.ts'
import type { AnnounceScan, ScanFailed } from './scan-events.ts'
import {
  assertQuotaLeft,
  chargeScan,
  giveBackSurely,
  type Reservation,
  reserveScan,
  type ScanQuotaDeps,
} from './scan-quota.ts'
import { checkSource, type Upload, type UploadedFile } from './upload.ts'

export interface RunScanDeps extends ScanQuotaDeps {
  readonly analysis: Analysis
  readonly log: Log
  readonly announceScan: AnnounceScan
}

export interface ScanRequest {
  readonly accountId: string
  readonly limits: Limits
  /** Of this moment, if known. */
  readonly scansToday?: number | undefined
  /** Reads the body; called only when the quota allows a scan. */
  readonly receive: () => Promise<Upload>
  readonly suppressions: ScanTask['suppressions']
  readonly format: ReportFormat
  /** Id of an earlier scan to compare with. */
  readonly baseline?: string | undefined
  /** Joins the transaction that stores the result. */
  readonly onStored?: ((tx: Db, answer: ScanAnswer) => Promise<void>) | undefined
}

export interface ScanAnswer {
  readonly scanId: string
  readonly body: Uint8Array
  readonly scansToday: number
}

/** A standard scan from upload to stored result, with every check in the order the interface promises. */
export async function runScan(deps: RunScanDeps, request: ScanRequest): Promise<ScanAnswer> {
  const { accountId, limits } = request
  if (request.scansToday === undefined || request.scansToday >= limits.scansPerDay) {
    await assertQuotaLeft(deps, accountId, limits)
  }
  const file = checkSource(await request.receive(), limits.maxFileBytes)
  const baseline = await readBaseline(deps, request)
  await checkContractSize(deps, file.bytes, limits.maxContractBytes)
  const reservation = await reserveScan(deps, accountId, limits)
  const at = deps.clock.now()
  const scanId = newSortableId('scan', at)
  try {
    const task = { ...scanTask(request, scanId, file, at), baseline }
    const outcome = await analyse(deps.analysis.scan(task))
    if (outcome.outcome === 'unreadable') return refuse('notSolidity', outcome.line, outcome.reason)
    const answer = { scanId, body: outcome.body, scansToday: reservation.scansToday }
    await storeScan(deps, request, { file, at, reservation, outcome, answer })
    return answer
  } catch (error) {
    await giveBackSurely(deps, reservation)
    if (!(error instanceof Refusal)) await announceFailure(deps, { accountId, limits, scanId, fileName: file.name, at })
    throw error
  }
}

const scanTask = (request: ScanRequest, scanId: string, file: UploadedFile, at: Date) => ({
  source: file.bytes,
  scanId,
  file: `uploads/${scanId}.sol`,
  suppressions: request.suppressions,
  format: request.format,
  scannedAt: at.toISOString(),
})

async function readBaseline(
  deps: RunScanDeps,
  { accountId, limits, baseline }: ScanRequest,
): Promise<Uint8Array | undefined> {
  if (baseline === undefined) return undefined
  const scans = createScanStore(deps.db)
  const found = await scans.find(accountId, baseline, findOldest(deps.clock, limits))
  return (found && (await scans.findBody(found.id, 'result'))) ?? refuse('scanNotFound')
}

interface FinishedScan {
  readonly answer: ScanAnswer
  readonly file: UploadedFile
  readonly at: Date
  readonly reservation: Reservation
  readonly outcome: Scanned
}

/** The result, its charge and what follows from it become true together, before the client hears of it. */
async function storeScan(deps: RunScanDeps, request: ScanRequest, done: FinishedScan): Promise<void> {
  const { accountId, limits } = request
  const { file, at, reservation, outcome, answer } = done
  const { scanId } = answer
  const { score, rating, summary } = outcome.securityScore
  await transaction(deps.db, async (tx) => {
    await chargeScan(tx, reservation)
    await createScanStore(tx).add(
      {
        id: scanId,
        account_id: accountId,
        kind: 'standard',
        status: 'completed',
        file_name: file.name,
        size_bytes: file.bytes.length,
        score,
        rating,
        total: summary.total,
        critical: summary.critical,
        high: summary.high,
        medium: summary.medium,
        low: summary.low,
        completeness: outcome.completeness,
        created_at: at.getTime(),
      },
      { source: outcome.storedSource, result: outcome.storedResult },
    )
    await deps.announceScan(tx, {
      status: 'completed',
      kind: 'standard',
      accountId,
      scanId,
      fileName: file.name,
      securityScore: outcome.securityScore,
      limits,
      scansToday: reservation.scansToday,
      at,
    })
    await request.onStored?.(tx, answer)
  })
}

async function announceFailure(deps: RunScanDeps, scan: Omit<ScanFailed, 'status' | 'kind'>): Promise<void> {
  try {
    await transaction(deps.db, (tx) => deps.announceScan(tx, { status: 'failed', kind: 'standard', ...scan }))
  } catch (error) {
    deps.log.warn({ err: error, scanId: scan.scanId }, 'a failed scan could not be announced')
  }
}
