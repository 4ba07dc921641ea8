import { refuse } from '../core/errors.ts'
import { looksLikeId } from '../core/ids.ts'
import type { ScanStatus } from '../core/scan-status.ts'
import { createScanRequestStore } from '../stores/scan-requests.ts'
import { createScanStore, type ListedScanRow, type ScanFilter, type ScanSort } from '../stores/scans.ts'
import type { ScanRequestTable } from '../stores/schema.ts'
import type { Limits } from './admission.ts'
import { type GateVerdict, verdictOf } from './gate.ts'
import { findOldest, type HistoryDeps, type ScanEntry, type ScanProgress, toEntry, toProgress } from './history.ts'
import { getLimits } from './limits.ts'

/** What only a result has. */
type ResultField =
  | 'vulnerabilitiesCount'
  | 'securityScore'
  | 'completeness'
  | 'counts'
  | 'tally'
  | 'sha256'
  | 'engineVersion'
  | 'fileCount'

/** A scan whatever became of it: without a result, the fields of a result are null. */
export type ListedScan = Omit<ScanEntry, ResultField | 'status'> &
  Pick<ScanProgress, 'status' | 'batchId' | 'progress' | 'reason' | 'startedAt' | 'finishedAt'> & {
    readonly [Field in ResultField]: ScanEntry[Field] | null
  } & {
    readonly project: string | null
    readonly ref: string | null
    readonly commit: string | null
    readonly gate: GateVerdict | null
  }

export interface ScanListing {
  readonly limit: number
  readonly cursor?: string | undefined
  readonly sort: ScanSort
  readonly statuses: readonly ScanStatus[]
  readonly filter: ScanFilter
}

export interface ScanList {
  readonly scans: readonly ListedScan[]
  readonly total: number
  readonly nextCursor: string | null
}

type Row = { readonly done: ListedScanRow } | { readonly request: ScanRequestTable }

const idOf = (row: Row): string => ('done' in row ? row.done.id : row.request.id)

export async function listScans(deps: HistoryDeps, accountId: string, listing: ScanListing): Promise<ScanList> {
  const limits = await getLimits(deps, accountId)
  const { limit } = listing
  const { rows, total } = await readRows(deps, accountId, listing, findOldest(deps.clock, limits))
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    scans: shown.map((row) => ('done' in row ? toListed(row.done, limits) : toUnfinished(row.request, limits))),
    total,
    nextCursor: rows.length > limit && last ? writeCursor(last) : null,
  }
}

/** One more than the page holds, of those with a result and those without, in one order. */
async function readRows(deps: HistoryDeps, accountId: string, listing: ScanListing, notBefore: number) {
  const { limit, sort, filter } = listing
  const after = readCursor(listing.cursor)
  const isByScore = sort === 'score' || sort === '-score'
  // What asks for a result leaves out whatever has none.
  const needsResult = isByScore || filter.rating !== undefined || filter.severity !== undefined
  const statuses = needsResult ? [] : listing.statuses.filter((status) => status !== 'completed')
  const wantsDone = listing.statuses.includes('completed')
  const [scans, requests] = [createScanStore(deps.db), createScanRequestStore(deps.db)]
  const page = { notBefore, limit: limit + 1, filter }
  const done = wantsDone ? await scans.list(accountId, { ...page, sort, after }) : []
  const isOldestFirst = sort === 'createdAt'
  const others =
    statuses.length > 0 ? await requests.list(accountId, { ...page, statuses, isOldestFirst, after: after?.id }) : []
  const rows: Row[] = [...done.map((row) => ({ done: row })), ...others.map((request) => ({ request }))]
  if (!isByScore) rows.sort((a, b) => (idOf(a) < idOf(b) === isOldestFirst ? -1 : 1))
  const total =
    (wantsDone ? await scans.count(accountId, notBefore, filter) : 0) +
    (statuses.length > 0 ? await requests.count(accountId, { notBefore, statuses, filter }) : 0)
  return { rows, total }
}

const toListed = (row: ListedScanRow, limits: Limits): ListedScan => {
  const entry = toEntry(row, limits)
  return {
    ...entry,
    project: row.project,
    ref: row.ref,
    commit: row.commit_hash,
    gate: verdictOf(row.gate),
    batchId: row.batch_id,
    progress: null,
    reason: null,
    startedAt: entry.createdAt,
    finishedAt: entry.createdAt,
  }
}

const toUnfinished = (row: ScanRequestTable, limits: Limits): ListedScan => {
  const { position: _, ...progress } = toProgress(row, limits)
  const { via = null } = JSON.parse(row.options) as { via?: ListedScan['via'] }
  return {
    ...progress,
    via,
    vulnerabilitiesCount: null,
    securityScore: null,
    completeness: null,
    counts: null,
    tally: null,
    sha256: null,
    engineVersion: null,
    fileCount: null,
    gate: null,
  }
}

const CURSOR_PURPOSE = 'scans:'

/** Opaque to the client; holds the last id of a page and the score it is ordered by. */
function writeCursor(row: Row): string {
  const score = 'done' in row ? row.done.score : 0
  return Buffer.from(`${CURSOR_PURPOSE}${idOf(row)} ${score}`).toString('base64url')
}

function readCursor(cursor: string | undefined): { id: string; score: number } | undefined {
  if (cursor === undefined) return undefined
  const text = Buffer.from(cursor, 'base64url').toString()
  const [id = '', score = '0'] = text.slice(CURSOR_PURPOSE.length).split(' ')
  if (!text.startsWith(CURSOR_PURPOSE) || !looksLikeId('scan', id) || !/^\d{1,3}$/.test(score))
    refuse('invalid', 'cursor must be a nextCursor of this list.')
  return { id, score: Number(score) }
}
