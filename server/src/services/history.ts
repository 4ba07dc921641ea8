import type { Readable } from 'node:stream'
import type { Counts, ScanResult } from '@assay/engine'
import type { ReportFormat } from '../analysis/tasks.ts'
import { addDays, type Clock } from '../core/clock.ts'
import { refuse } from '../core/errors.ts'
import { looksLikeId } from '../core/ids.ts'
import { streamStored, streamStoredWith } from '../core/stored.ts'
import { type Db, transaction } from '../stores/database.ts'
import { createScanStore, type ScanFilter } from '../stores/scans.ts'
import type { ScanTable } from '../stores/schema.ts'
import type { Limits } from './admission.ts'
import { type AnalyseDeps, analyse, ownerOf } from './analyse.ts'
import { getLimits } from './limits.ts'
import { type Actor, type NoteChangeDeps, noteChange } from './note-change.ts'

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
  /** Null for scans made before it was noted. */
  readonly sha256: string | null
  readonly engineVersion: string | null
  readonly fileCount: number
  readonly createdAt: string
  /** From then on it is gone, if the plan stays. */
  readonly expiresAt: string
}

/** Scans at or before this moment no longer exist for their owner, whether or not they are deleted already. */
export const findOldest = (clock: Clock, { historyDays }: Pick<Limits, 'historyDays'>): number =>
  addDays(clock.now(), -historyDays).getTime()

export async function listScans(
  deps: HistoryDeps,
  accountId: string,
  { limit, cursor, filter }: { limit: number; cursor?: string | undefined; filter: ScanFilter },
): Promise<{ scans: ScanEntry[]; nextCursor: string | null }> {
  const limits = await getLimits(deps, accountId)
  const after = cursor === undefined ? undefined : readCursor(cursor)
  const notBefore = findOldest(deps.clock, limits)
  const rows = await createScanStore(deps.db).list(accountId, { notBefore, limit: limit + 1, after, filter })
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    scans: page.map((row) => toEntry(row, limits)),
    nextCursor: rows.length > limit && last ? writeCursor(last.id) : null,
  }
}

/**
 * The stored answer of a scan as the bytes of `{success, data}`, with what the list knows and the answer does not say. Nothing here reads
 * a result: whoever uploaded the file decided how large it is.
 */
export async function streamScan(deps: HistoryDeps, accountId: string, scanId: string): Promise<Readable> {
  const { row, limits } = await findScan(deps, accountId, scanId)
  const packed = (await createScanStore(deps.db).findBody(row.id, 'result')) ?? refuse('scanNotFound')
  const { kind, status, sizeBytes, expiresAt, fileCount, ...entry } = toEntry(row, limits)
  const { fileName, createdAt, counts, sha256, engineVersion } = entry
  // What newer results say themselves.
  const more = row.engine_version ? {} : { fileName, createdAt, counts, sha256, engineVersion }
  return streamStoredWith(packed, { kind, status, sizeBytes, expiresAt, fileCount, ...more })
}

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
  const work = deps.analysis.render({ result: packed, format, scannedAt }, { owner })
  return { row, report: Buffer.from(await analyse(deps, owner, work)) }
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

export async function deleteScan(deps: HistoryDeps & NoteChangeDeps, actor: Actor, scanId: string): Promise<void> {
  const { accountId } = actor.caller
  const limits = await getLimits(deps, accountId)
  await transaction(deps.db, async (tx) => {
    const isGone =
      looksLikeId('scan', scanId) &&
      (await createScanStore(tx).remove(accountId, scanId, findOldest(deps.clock, limits)))
    if (!isGone) refuse('scanNotFound')
    await noteChange({ ...deps, db: tx }, actor, 'scan.deleted', { scanId })
  })
}

/** One of the account's own that its plan still keeps; for anything else the same refusal. */
async function findScan(
  deps: HistoryDeps,
  accountId: string,
  scanId: string,
): Promise<{ row: ScanTable; limits: Limits }> {
  if (!looksLikeId('scan', scanId)) return refuse('scanNotFound')
  const limits = await getLimits(deps, accountId)
  const row = await createScanStore(deps.db).find(accountId, scanId, findOldest(deps.clock, limits))
  return row ? { row, limits } : refuse('scanNotFound')
}

const toEntry = (row: ScanTable, { historyDays }: Limits): ScanEntry => ({
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
  sha256: row.sha256 || null,
  engineVersion: row.engine_version || null,
  fileCount: row.file_count,
  createdAt: new Date(row.created_at).toISOString(),
  expiresAt: addDays(new Date(row.created_at), historyDays).toISOString(),
})

const CURSOR_PURPOSE = 'scans:'

/** Opaque to the client; holds the last id of a page. */
const writeCursor = (id: string): string => Buffer.from(CURSOR_PURPOSE + id).toString('base64url')

function readCursor(cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString()
  const id = text.slice(CURSOR_PURPOSE.length)
  if (!text.startsWith(CURSOR_PURPOSE) || !looksLikeId('scan', id))
    refuse('invalid', 'cursor must be a nextCursor of this list.')
  return id
}
