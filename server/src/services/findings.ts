import type { FoundRow } from '../analysis/tasks.ts'
import type { Clock } from '../core/clock.ts'
import { refuse } from '../core/errors.ts'
import { looksLikeId, newSortableId } from '../core/ids.ts'
import type { Labels } from '../core/sources/labels.ts'
import { type Db, transaction } from '../stores/database.ts'
import { createFindingStore, type FindingFilter } from '../stores/findings.ts'
import { createScanLabelStore } from '../stores/scan-labels.ts'
import type { FindingTable } from '../stores/schema.ts'
import { findOldest } from './history.ts'
import { getLimits } from './limits.ts'
import { nameActor } from './name-actor.ts'
import { type Actor, type NoteChangeDeps, noteChange } from './note-change.ts'
import { type ScoreWithout, scoreWithoutSetAside } from './set-aside.ts'

export interface FindingDeps {
  readonly db: Db
  readonly clock: Clock
}

export interface SeenIn {
  readonly scanId: string
  readonly accountId: string
  readonly at: Date
  readonly fileName: string
  readonly labels: Labels
  readonly completeness: 'full' | 'partial'
}

/** Keeps what a scan found, in its transaction. Without a project the file's own name groups its scans. */
export async function recordFindings(tx: Db, seen: SeenIn, found: readonly FoundRow[]): Promise<void> {
  const { scanId, accountId, labels } = seen
  const project = labels.project ?? seen.fileName
  const { ref = null, commit = null } = labels
  await createScanLabelStore(tx).add({ scan_id: scanId, account_id: accountId, project, ref, commit_hash: commit })
  const findings = createFindingStore(tx)
  await findings.saw(toRows(seen, project, found))
  // What was not read may still be there.
  if (seen.completeness === 'full') await findings.markFixed(accountId, project, scanId)
}

/** In one order everywhere, so that two scans of a project never wait for each other; the same one twice is one. */
function toRows({ scanId, accountId, at }: SeenIn, project: string, found: readonly FoundRow[]): FindingTable[] {
  const unique = new Map(found.map((row) => [`${row.file}\n${row.fingerprint}`, row]))
  return [...unique]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, row]) => ({
      ...row,
      id: newSortableId('finding', at),
      account_id: accountId,
      project,
      state: 'open',
      reason: null,
      until: null,
      decided_by: null,
      decided_at: null,
      first_scan_id: scanId,
      first_seen_at: at.getTime(),
      last_scan_id: scanId,
      last_seen_at: at.getTime(),
    }))
}

export interface FindingView {
  readonly id: string
  readonly project: string
  readonly file: string
  readonly fingerprint: string
  readonly kind: FindingTable['kind']
  readonly vulnerabilityId: string | null
  readonly detector: string
  readonly severity: FindingTable['severity']
  readonly confidence: FindingTable['confidence']
  readonly title: string
  readonly message: string
  readonly contract: string | null
  readonly function: string | null
  readonly line: number
  readonly state: FindingTable['state']
  readonly reason: string | null
  readonly until: string | null
  readonly decidedBy: string | null
  readonly decidedAt: string | null
  readonly firstScanId: string
  readonly firstSeenAt: string
  readonly lastScanId: string
  readonly lastSeenAt: string
}

const iso = (at: number): string => new Date(at).toISOString()

function toView(row: FindingTable, now: number): FindingView {
  const isOver = row.until !== null && row.until <= now
  return {
    id: row.id,
    project: row.project,
    file: row.file,
    fingerprint: row.fingerprint,
    kind: row.kind,
    vulnerabilityId: row.vulnerability_id,
    detector: row.detector,
    severity: row.severity,
    confidence: row.confidence,
    title: row.title,
    message: row.message,
    contract: row.contract,
    function: row.function,
    line: row.line,
    state: isOver ? 'open' : row.state,
    reason: isOver ? null : row.reason,
    until: row.until === null || isOver ? null : iso(row.until),
    decidedBy: isOver ? null : row.decided_by,
    decidedAt: row.decided_at === null || isOver ? null : iso(row.decided_at),
    firstScanId: row.first_scan_id,
    firstSeenAt: iso(row.first_seen_at),
    lastScanId: row.last_scan_id,
    lastSeenAt: iso(row.last_seen_at),
  }
}

export async function listFindings(
  deps: FindingDeps,
  accountId: string,
  { limit, cursor, filter }: { limit: number; cursor?: string | undefined; filter: FindingFilter },
): Promise<{ findings: FindingView[]; nextCursor: string | null }> {
  if (cursor !== undefined && !looksLikeId('finding', cursor))
    refuse('invalid', 'cursor must be a nextCursor of this list.')
  const now = deps.clock.now().getTime()
  const notBefore = findOldest(deps.clock, await getLimits(deps, accountId))
  const page = { now, notBefore, limit: limit + 1, after: cursor, filter }
  const rows = await createFindingStore(deps.db).list(accountId, page)
  const shown = rows.slice(0, limit)
  return {
    findings: shown.map((row) => toView(row, now)),
    nextCursor: rows.length > limit ? (shown.at(-1)?.id ?? null) : null,
  }
}

export interface Decision {
  readonly state: FindingTable['state']
  readonly reason?: string | undefined
  readonly until?: string | undefined
}

/** A decision holds for the same finding in later scans of the project too. */
export async function decideFinding(
  deps: FindingDeps & NoteChangeDeps,
  actor: Actor,
  id: string,
  { state, reason, until }: Decision,
): Promise<FindingView> {
  const { accountId } = actor.caller
  const now = deps.clock.now().getTime()
  const end = until === undefined ? null : Date.parse(until)
  if (end !== null && end <= now) refuse('invalid', 'until must be in the future.')
  if (end !== null && (state === 'open' || state === 'fixed'))
    refuse('invalid', 'until goes with false-positive and accepted only.')
  const notBefore = findOldest(deps.clock, await getLimits(deps, accountId))
  if (!looksLikeId('finding', id)) return refuse('findingNotFound')
  const row = await transaction(deps.db, async (tx) => {
    const decision = {
      state,
      reason: reason ?? null,
      until: end,
      decided_by: await nameActor(tx, actor),
      decided_at: now,
    }
    const decided = await createFindingStore(tx).decide(accountId, id, notBefore, decision)
    await noteChange({ ...deps, db: tx }, actor, 'finding.decided', { findingId: id, state })
    return decided ?? refuse('findingNotFound')
  })
  return toView(row, now)
}

export interface ProjectView {
  readonly name: string
  readonly scans: number
  readonly score: number
  readonly rating: string
  /** Of the newest scan; null when nothing in it is set aside. */
  readonly setAside: ScoreWithout | null
  /** The newest first. */
  readonly trend: readonly TrendPoint[]
}

export interface TrendPoint {
  readonly scanId: string
  readonly at: string
  readonly score: number
  readonly rating: string
  readonly vulnerabilitiesCount: number
  readonly ref: string | null
  readonly commit: string | null
}

const MAX_TREND_ROWS = 2000
const MAX_POINTS = 50

export async function listProjects(deps: FindingDeps, accountId: string): Promise<ProjectView[]> {
  const notBefore = findOldest(deps.clock, await getLimits(deps, accountId))
  const rows = await createScanLabelStore(deps.db).list(accountId, notBefore, MAX_TREND_ROWS)
  const projects = new Map<string, TrendPoint[]>()
  for (const row of rows) {
    const point = {
      scanId: row.scan_id,
      at: iso(row.created_at),
      score: row.score,
      rating: row.rating,
      vulnerabilitiesCount: row.total,
      ref: row.ref,
      commit: row.commit_hash,
    }
    projects.set(row.project, [...(projects.get(row.project) ?? []), point])
  }
  const newest = new Set([...projects.values()].map(([point]) => point?.scanId))
  const scans = rows.filter(({ scan_id }) => newest.has(scan_id)).map((row) => ({ ...row, id: row.scan_id }))
  const without = await scoreWithoutSetAside(deps, accountId, scans)
  return [...projects].map(([name, points]) => ({
    name,
    scans: points.length,
    score: points[0]?.score ?? 0,
    rating: points[0]?.rating ?? '',
    setAside: without.get(points[0]?.scanId ?? '') ?? null,
    trend: points.slice(0, MAX_POINTS),
  }))
}
