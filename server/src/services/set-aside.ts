import { type SecurityScore, scoreFindings } from '@assay/engine'
import type { SetAside, StatedFinding } from '../analysis/tasks.ts'
import type { Clock } from '../core/clock.ts'
import type { Db } from '../stores/database.ts'
import { createFindingStore } from '../stores/findings.ts'
import { createScanLabelStore } from '../stores/scan-labels.ts'
import type { FindingTable } from '../stores/schema.ts'

export interface SetAsideDeps {
  readonly db: Db
  readonly clock: Clock
}

/** How many findings of a scan were set aside, and the score without them. */
export interface ScoreWithout {
  readonly total: number
  readonly securityScore: SecurityScore
}

/** A project with more decisions than any result has findings is not read to its end. */
const MAX_DECISIONS = 10_000

/** What people decided about findings of a project, for its next scan or a report of an earlier one. */
export async function listSetAside(
  { db, clock }: SetAsideDeps,
  accountId: string,
  project: string,
): Promise<SetAside[]> {
  const rows = await createFindingStore(db).listSetAside(accountId, project, clock.now().getTime(), MAX_DECISIONS)
  return rows.map(({ file, fingerprint, state, reason }) => ({
    file,
    fingerprint,
    state: state as SetAside['state'],
    reason,
  }))
}

/** The records of a project, or of a scan without one, as they are at this moment. */
export async function listRecords(
  { db, clock }: SetAsideDeps,
  accountId: string,
  project: string,
): Promise<StatedFinding[]> {
  const now = clock.now().getTime()
  const rows = await createFindingStore(db).listKnown(accountId, project, MAX_DECISIONS)
  return rows.map(({ id, file, fingerprint, state, until }) => ({
    id,
    file,
    fingerprint,
    state: until !== null && until <= now ? 'open' : state,
  }))
}

/** The same for a scan that was made. */
export async function listSetAsideOf(deps: SetAsideDeps, accountId: string, scanId: string): Promise<SetAside[]> {
  const label = await createScanLabelStore(deps.db).find(scanId)
  return label ? listSetAside(deps, accountId, label.project) : []
}

/** What of a scan is needed to score it without some of its findings. */
interface ScoredScan {
  readonly id: string
}

/**
 * The scores of scans without what is set aside now, by scan; those that lost nothing by it are not among them. Only the newest scan of a
 * project and ref can be compared: records say which scan saw a finding last.
 */
export async function scoreWithoutSetAside(
  { db, clock }: SetAsideDeps,
  accountId: string,
  scans: readonly ScoredScan[],
): Promise<Map<string, ScoreWithout>> {
  const now = clock.now().getTime()
  const findings = createFindingStore(db)
  const ids = scans.map(({ id }) => id)
  const concerned = ids.length === 0 ? [] : await findings.findScansWithSetAside(accountId, ids, now)
  const rows = concerned.length === 0 ? [] : await findings.listOfScans(accountId, concerned)
  return new Map(
    scans
      .filter(({ id }) => concerned.includes(id))
      .map((scan) => [
        scan.id,
        scoreScan(
          rows.filter(({ seen_in }) => seen_in === scan.id),
          now,
        ),
      ]),
  )
}

function scoreScan(rows: readonly FindingTable[], now: number): ScoreWithout {
  const rest = rows.filter((row) => row.kind === 'vulnerability' && !isSetAside(row, now))
  return { total: rows.filter((row) => isSetAside(row, now)).length, securityScore: scoreFindings(rest) }
}

const isSetAside = ({ state, until }: Pick<FindingTable, 'state' | 'until'>, now: number): boolean =>
  (state === 'false-positive' || state === 'accepted') && (until === null || until > now)
