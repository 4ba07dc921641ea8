import type { Readable } from 'node:stream'
import type { Counts, ScanResult, Tally } from '@assay/engine'
import type { ReportFormat } from '../analysis/tasks.ts'
import { addDays, type Clock } from '../core/clock.ts'
import { refuse } from '../core/errors.ts'
import { looksLikeId } from '../core/ids.ts'
import type { ScanStatus } from '../core/scan-status.ts'
import { streamStored, streamStoredWith } from '../core/stored.ts'
import { type Db, transaction } from '../stores/database.ts'
import { createFindingRefStore } from '../stores/finding-refs.ts'
import { createScanLabelStore } from '../stores/scan-labels.ts'
import { createScanRequestStore } from '../stores/scan-requests.ts'
import { createScanStore } from '../stores/scans.ts'
import type { ScanLabelTable, ScanRequestTable, ScanTable } from '../stores/schema.ts'
import type { Limits } from './admission.ts'
import { type AnalyseDeps, analyse, assertMayWork, ownerOf } from './analyse.ts'
import { verdictOf } from './gate.ts'
import { getLimits } from './limits.ts'
import { type Actor, type NoteChangeDeps, noteChange } from './note-change.ts'
import { freePlace } from './scan-quota.ts'
import { readTally } from './scan-tally.ts'
import type { ScanWatch } from './scan-watch.ts'
import { listRecords, listSetAsideOf, scoreWithoutSetAside } from './set-aside.ts'

export interface HistoryDeps {
  readonly db: Db
  readonly clock: Clock
}

/** A scan as the list shows it. */
export interface ScanEntry {
  readonly scanId: string
  readonly kind: ScanTable['kind']
  readonly status: ScanTable['status']
  readonly fileName: string
  readonly sizeBytes: number
  readonly vulnerabilitiesCount: number
  readonly securityScore: ScanResult['securityScore']
  readonly completeness: ScanTable['completeness']
  readonly counts: Counts
  /** Null for scans made before it was kept. */
  readonly tally: Tally | null
  /** Null for scans made before it was noted. */
  readonly sha256: string | null
  readonly engineVersion: string | null
  readonly fileCount: number
  /** Null for scans made before it was noted. */
  readonly via: ScanTable['via']
  readonly createdAt: string
  /** From then on it is gone, if the plan stays. */
  readonly expiresAt: string
}

/** Scans at or before this moment no longer exist for their owner, whether or not they are deleted already. */
export const findOldest = (clock: Clock, { historyDays }: Pick<Limits, 'historyDays'>): number =>
  addDays(clock.now(), -historyDays).getTime()

/** A scan that has no result: it waits, is under way, or came to nothing. */
export interface ScanProgress {
  readonly scanId: string
  readonly kind: ScanTable['kind']
  readonly status: ScanStatus
  readonly batchId: string | null
  readonly fileName: string
  readonly sizeBytes: number
  /** Of one that waits, where it is requested by its id: 1 is the next of this account. */
  readonly position: number | null
  readonly progress: { readonly filesDone: number; readonly files: number } | null
  readonly reason: string | null
  readonly createdAt: string
  readonly startedAt: string | null
  readonly finishedAt: string | null
  readonly expiresAt: string
  readonly project: string | null
  readonly ref: string | null
  readonly commit: string | null
}

/**
 * The stored answer of a scan as the bytes of `{success, data}`, with what the list knows and the answer does not say. Nothing here reads
 * a result: anyone who uploaded the file decided how large it is.
 */
export async function streamScan(
  deps: HistoryDeps,
  accountId: string,
  scanId: string,
): Promise<{ body: Readable; version: string } | { success: true; data: ScanProgress }> {
  const found = await findRow(deps, accountId, scanId)
  if (!found) {
    const { scan } = (await findProgress(deps, accountId, scanId)) ?? refuse('scanNotFound')
    return { success: true, data: scan }
  }
  const packed = (await createScanStore(deps.db).findBody(found.row.id, 'result')) ?? refuse('scanNotFound')
  const members = await describeScan(deps, accountId, found)
  const label = await createScanLabelStore(deps.db).find(found.row.id)
  const records = await listRecords(deps, accountId, label?.project ?? found.row.id)
  const states = new Map(records.map(({ id, state }) => [id, state]))
  // The stored answer never changes: what is added to it makes the difference.
  const version = `${scanId} ${JSON.stringify(members)} ${JSON.stringify([...states])}`
  return { body: streamStoredWith(packed, members, states), version }
}

/** The same of a scan that is there, for readers of a link. */
export async function streamResult(
  deps: HistoryDeps & AnalyseDeps,
  accountId: string,
  row: ScanTable,
  more: object,
  includesSource: boolean,
): Promise<{ body: Readable; version: string }> {
  const limits = await getLimits(deps, accountId)
  const result = (await createScanStore(deps.db).findBody(row.id, 'result')) ?? refuse('linkNotFound')
  const owner = ownerOf(accountId, limits)
  const packed = includesSource ? result : await analyse(deps, owner, deps.analysis.withhold({ result }, { owner }))
  // What a project demands of its runs is its own affair.
  const { gate: _, ...described } = await describeScan(deps, accountId, { row, limits })
  const members = { ...described, ...more }
  return { body: streamStoredWith(packed, members), version: `${row.id} ${JSON.stringify(members)}` }
}

/** What the list knows of a scan and its answer does not say. */
async function describeScan(deps: HistoryDeps, accountId: string, { row, limits }: { row: ScanTable; limits: Limits }) {
  const { kind, status, sizeBytes, expiresAt, fileCount, via, ...entry } = toEntry(row, limits)
  const { fileName, createdAt, counts, sha256, engineVersion } = entry
  // What newer results say themselves.
  const more = row.engine_version ? {} : { fileName, createdAt, counts, sha256, engineVersion }
  const setAside = (await scoreWithoutSetAside(deps, accountId, [row])).get(row.id)
  const labels = createScanLabelStore(deps.db)
  const label = await labels.find(row.id)
  // Only of the newest scan of a ref the records tell all that it found.
  const isNewest =
    setAside !== undefined && label && (await labels.findNewest(accountId, label.project, label.ref)) === row.id
  const belongs = { ...describeLabel(label), gate: verdictOf(label?.gate) }
  return { kind, status, sizeBytes, expiresAt, fileCount, via, ...belongs, ...more, ...(isNewest && { setAside }) }
}

/** Scans without a project, and those of before there were projects, belong to none. */
const describeLabel = (label: ScanLabelTable | undefined) => ({
  project: label && label.project !== label.scan_id ? label.project : null,
  ref: label?.ref ?? null,
  commit: label?.commit_hash ?? null,
})

export async function getSource(
  deps: HistoryDeps,
  accountId: string,
  scanId: string,
): Promise<{ row: ScanTable; source: Readable }> {
  const { row } = await findScan(deps, accountId, scanId)
  const packed = (await createScanStore(deps.db).findBody(row.id, 'source')) ?? refuse('scanNotFound')
  return { row, source: streamStored(packed) }
}

export async function getReport(
  deps: HistoryDeps & AnalyseDeps,
  accountId: string,
  scanId: string,
  format: ReportFormat,
): Promise<{ row: ScanTable; report: Buffer | Readable }> {
  const { row, limits } = await findScan(deps, accountId, scanId)
  const packed = (await createScanStore(deps.db).findBody(row.id, 'result')) ?? refuse('scanNotFound')
  if (format === 'json') return { row, report: streamStored(packed) }
  const scannedAt = new Date(row.created_at).toISOString()
  const owner = ownerOf(accountId, limits)
  const { project, ref, commit } = describeLabel(await createScanLabelStore(deps.db).find(row.id))
  const labels = { project: project ?? undefined, ref: ref ?? undefined, commit: commit ?? undefined }
  const setAside = await listSetAsideOf(deps, accountId, row.id)
  const work = deps.analysis.render({ result: packed, format, scannedAt, setAside, labels }, { owner })
  return { row, report: Buffer.from(await analyse(deps, owner, work)) }
}

/** Some of the findings of a scan, as JSON: for results that are too large to be read at once. */
export async function pageFindings(
  deps: HistoryDeps & AnalyseDeps,
  accountId: string,
  scanId: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<{ readonly body: Buffer; readonly nextCursor: string | null }> {
  const from = cursor === undefined ? 0 : readPosition(cursor)
  const { row, limits } = await findScan(deps, accountId, scanId)
  const result = (await createScanStore(deps.db).findBody(row.id, 'result')) ?? refuse('scanNotFound')
  const owner = ownerOf(accountId, limits)
  const label = await createScanLabelStore(deps.db).find(row.id)
  const records = await listRecords(deps, accountId, label?.project ?? row.id)
  const work = deps.analysis.page({ result, from, count: limit, records }, { owner })
  const { findings, total } = await analyse(deps, owner, work)
  const nextCursor = from + limit < total ? writePosition(from + limit) : null
  // A stored result never changes, so a place in it stays the same place.
  const rest = JSON.stringify({ total, nextCursor }).slice(1)
  const body = Buffer.concat([Buffer.from('{"success":true,"data":{"findings":'), findings, Buffer.from(`,${rest}}`)])
  return { body, nextCursor }
}

const POSITION_PURPOSE = 'findings:'

const writePosition = (from: number): string => Buffer.from(POSITION_PURPOSE + from).toString('base64url')

function readPosition(cursor: string): number {
  const text = Buffer.from(cursor, 'base64url').toString()
  const digits = text.slice(POSITION_PURPOSE.length)
  if (!text.startsWith(POSITION_PURPOSE) || !/^\d{1,9}$/.test(digits))
    refuse('invalid', 'cursor must be a nextCursor of this list.')
  return Number(digits)
}

/** The attack on one finding of a scan; whatever has none is not found. */
export async function getFoundryTest(
  deps: HistoryDeps & AnalyseDeps,
  accountId: string,
  scanId: string,
  fingerprint: string,
): Promise<Buffer> {
  const { row, limits } = await findScan(deps, accountId, scanId)
  const scans = createScanStore(deps.db)
  const result = (await scans.findBody(row.id, 'result')) ?? refuse('scanNotFound')
  const source = (await scans.findBody(row.id, 'source')) ?? refuse('scanNotFound')
  const owner = ownerOf(accountId, limits)
  const test = await analyse(deps, owner, deps.analysis.foundryTest({ result, source, fingerprint }, { owner }))
  return Buffer.from(test ?? refuse('scanNotFound'))
}

/** Patches for the findings of a scan, as JSON. */
export async function getFixes(
  deps: HistoryDeps & AnalyseDeps,
  accountId: string,
  scanId: string,
  withUnsafe: boolean,
): Promise<Buffer> {
  const { row, limits } = await findScan(deps, accountId, scanId)
  await assertMayWork(deps, accountId, limits)
  const scans = createScanStore(deps.db)
  const result = (await scans.findBody(row.id, 'result')) ?? refuse('scanNotFound')
  const source = (await scans.findBody(row.id, 'source')) ?? refuse('scanNotFound')
  const owner = ownerOf(accountId, limits)
  const fixes = await analyse(deps, owner, deps.analysis.fix({ result, source, withUnsafe }, { owner }))
  return Buffer.concat([Buffer.from('{"success":true,"data":'), fixes, Buffer.from('}')])
}

export interface DeleteScanDeps extends HistoryDeps, NoteChangeDeps {
  readonly db: Db
  readonly clock: Clock
  readonly scanWatch: ScanWatch
}

/** Cancels what is not done, deletes what is; which of the two. */
export async function deleteScan(deps: DeleteScanDeps, actor: Actor, scanId: string): Promise<'cancelled' | 'deleted'> {
  const { accountId } = actor.caller
  if (!looksLikeId('scan', scanId)) return refuse('scanNotFound')
  const notBefore = findOldest(deps.clock, await getLimits(deps, accountId))
  const done = await transaction(deps.db, async (tx) => {
    if (await cancelRequest({ ...deps, db: tx }, accountId, scanId, notBefore)) {
      await noteChange({ ...deps, db: tx }, actor, 'scan.cancelled', { scanId })
      return 'cancelled'
    }
    await createFindingRefStore(tx).detachScan(accountId, scanId)
    const isGone = await createScanStore(tx).remove(accountId, scanId, notBefore)
    const wasRequest = await createScanRequestStore(tx).remove(accountId, scanId, notBefore)
    if (!isGone && !wasRequest) return refuse('scanNotFound')
    await noteChange({ ...deps, db: tx }, actor, 'scan.deleted', { scanId })
    return 'deleted'
  })
  deps.scanWatch.notify(scanId)
  return done
}

/** False when there is none that waits or is under way. */
async function cancelRequest(deps: HistoryDeps, accountId: string, scanId: string, notBefore: number) {
  const requests = createScanRequestStore(deps.db)
  if (!(await requests.find(accountId, scanId, notBefore))) return false
  const cancelled = await requests.cancel(scanId, deps.clock.now().getTime())
  if (cancelled) await freePlace(deps.db, cancelled)
  return cancelled !== undefined
}

/** One of the account's own that its plan still keeps; for anything else the same refusal. */
export async function findScan(
  deps: HistoryDeps,
  accountId: string,
  scanId: string,
  otherwise: 'scanNotFound' | 'linkNotFound' = 'scanNotFound',
): Promise<{ row: ScanTable; limits: Limits }> {
  return (await findRow(deps, accountId, scanId)) ?? refuse(otherwise)
}

async function findRow(
  deps: HistoryDeps,
  accountId: string,
  scanId: string,
): Promise<{ row: ScanTable; limits: Limits } | undefined> {
  if (!looksLikeId('scan', scanId)) return undefined
  const limits = await getLimits(deps, accountId)
  const row = await createScanStore(deps.db).find(accountId, scanId, findOldest(deps.clock, limits))
  return row && { row, limits }
}

/** How far a scan of the account's own got. */
export async function findProgress(
  deps: HistoryDeps,
  accountId: string,
  scanId: string,
): Promise<{ readonly scan: ScanProgress; readonly revision: number } | undefined> {
  if (!looksLikeId('scan', scanId)) return undefined
  const limits = await getLimits(deps, accountId)
  const row = await createScanRequestStore(deps.db).find(accountId, scanId, findOldest(deps.clock, limits))
  return row && { scan: toProgress(row, limits, await findPosition(deps, row)), revision: row.revision }
}

/** The same of one that was never queued: all that can be known is that it is done. */
export async function findResultProgress(
  deps: HistoryDeps,
  accountId: string,
  scanId: string,
): Promise<ScanProgress | undefined> {
  const found = await findRow(deps, accountId, scanId)
  if (!found) return undefined
  const { kind, status, fileName, sizeBytes, createdAt, expiresAt } = toEntry(found.row, found.limits)
  return {
    scanId,
    kind,
    status,
    batchId: null,
    fileName,
    sizeBytes,
    position: null,
    progress: null,
    reason: null,
    createdAt,
    startedAt: createdAt,
    finishedAt: createdAt,
    expiresAt,
    ...describeLabel(await createScanLabelStore(deps.db).find(scanId)),
  }
}

const findPosition = async (deps: HistoryDeps, row: ScanRequestTable): Promise<number | null> =>
  row.status === 'queued' ? 1 + (await createScanRequestStore(deps.db).countAhead(row)) : null

const momentOf = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())

export const toProgress = (
  row: ScanRequestTable,
  { historyDays }: Pick<Limits, 'historyDays'>,
  position: number | null = null,
): ScanProgress => ({
  scanId: row.id,
  kind: row.kind,
  status: row.status,
  batchId: row.batch_id,
  fileName: row.file_name,
  sizeBytes: row.size_bytes,
  position,
  progress: row.files_total > 0 ? { filesDone: row.files_done, files: row.files_total } : null,
  reason: row.reason,
  createdAt: new Date(row.created_at).toISOString(),
  startedAt: momentOf(row.started_at),
  finishedAt: momentOf(row.finished_at),
  expiresAt: addDays(new Date(row.created_at), historyDays).toISOString(),
  project: row.project,
  ref: row.ref,
  commit: row.commit_hash,
})

export const toEntry = (row: ScanTable, { historyDays }: Pick<Limits, 'historyDays'>): ScanEntry => ({
  scanId: row.id,
  kind: row.kind,
  status: row.status,
  fileName: row.file_name,
  sizeBytes: row.size_bytes,
  vulnerabilitiesCount: row.total,
  securityScore: {
    score: row.score,
    rating: row.rating as ScanResult['securityScore']['rating'],
    summary: { total: row.total, critical: row.critical, high: row.high, medium: row.medium, low: row.low },
  },
  completeness: row.completeness,
  counts: {
    critical: row.critical,
    high: row.high,
    medium: row.medium,
    low: row.low,
    info: row.info,
    advisories: row.advisories,
    suppressed: row.suppressed,
  },
  tally: readTally(row),
  sha256: row.sha256 || null,
  engineVersion: row.engine_version || null,
  fileCount: row.file_count,
  via: row.via,
  createdAt: new Date(row.created_at).toISOString(),
  expiresAt: addDays(new Date(row.created_at), historyDays).toISOString(),
})
