import type { Clock } from '../core/clock.ts'
import { refuse } from '../core/errors.ts'
import { looksLikeId } from '../core/ids.ts'
import { createAccountStore } from '../stores/accounts.ts'
import { type Db, transaction } from '../stores/database.ts'
import { createFindingRefStore } from '../stores/finding-refs.ts'
import {
  createFindingStore,
  type DecidedColumn,
  type FindingFilter,
  type FindingSort,
  type ListedFindingRow,
} from '../stores/findings.ts'
import { createMembershipStore } from '../stores/memberships.ts'
import { createProjectStore } from '../stores/projects.ts'
import type { FindingRefTable, FindingTable } from '../stores/schema.ts'
import { judgeAgain } from './gate.ts'
import { findOldest } from './history.ts'
import { getLimits } from './limits.ts'
import { nameActor } from './name-actor.ts'
import { type Actor, type NoteChangeDeps, noteChange } from './note-change.ts'

export { findingSorts } from '../stores/findings.ts'

export interface FindingDeps {
  readonly db: Db
  readonly clock: Clock
}

export interface FindingView {
  readonly id: string
  /** Null: the scan was sent without one, and the record is its own. */
  readonly project: string | null
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
  /** The address of who works on it. */
  readonly assignee: string | null
  readonly comment: string | null
  readonly firstScanId: string
  readonly firstSeenAt: string
  readonly lastScanId: string
  readonly lastSeenAt: string
  readonly refs: readonly FindingRefView[]
}

/** How it is on one ref. */
export interface FindingRefView {
  /** Null: scans that were sent without one. */
  readonly ref: string | null
  readonly isDefault: boolean
  readonly state: FindingRefTable['state']
  readonly lastScanId: string
  readonly lastSeenAt: string
}

const iso = (at: number): string => new Date(at).toISOString()

/** Each with its state on every ref. */
async function toViews({ db, clock }: FindingDeps, rows: readonly FindingTable[]): Promise<FindingView[]> {
  const now = clock.now().getTime()
  const refsOf = new Map<string, FindingRefTable[]>(rows.map(({ id }) => [id, []]))
  for (const ref of await createFindingRefStore(db).listOf([...refsOf.keys()])) refsOf.get(ref.finding_id)?.push(ref)
  const names = [...new Set(rows.filter(isOfProject).map(({ project }) => project))]
  const projects = await createProjectStore(db).list(rows[0]?.account_id ?? '', names)
  const defaults = new Map(projects.map(({ name, default_ref }) => [name, default_ref]))
  return rows.map((row) => toView(row, now, (refsOf.get(row.id) ?? []).map(toRefView(defaults.get(row.project)))))
}

/** Records of a scan without a project are under the scan's id. */
export const isOfProject = ({ project }: Pick<FindingTable, 'project'>): boolean => !looksLikeId('scan', project)

const toRefView =
  (defaultRef: string | undefined) =>
  ({ ref, state, last_scan_id, last_seen_at }: FindingRefTable): FindingRefView => ({
    ref: ref || null,
    isDefault: defaultRef === undefined || ref === defaultRef,
    state,
    lastScanId: last_scan_id,
    lastSeenAt: iso(last_seen_at),
  })

function toView(row: FindingTable, now: number, refs: readonly FindingRefView[]): FindingView {
  const isOver = row.until !== null && row.until <= now
  return {
    id: row.id,
    project: isOfProject(row) ? row.project : null,
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
    assignee: row.assignee,
    comment: row.comment,
    firstScanId: row.first_scan_id,
    firstSeenAt: iso(row.first_seen_at),
    lastScanId: row.last_scan_id,
    lastSeenAt: iso(row.last_seen_at),
    refs,
  }
}

export interface FindingListing {
  readonly limit: number
  readonly cursor?: string | undefined
  readonly sort: FindingSort
  readonly filter: FindingFilter
}

export async function listFindings(
  deps: FindingDeps,
  accountId: string,
  { limit, cursor, sort, filter }: FindingListing,
): Promise<{ findings: FindingView[]; total: number; nextCursor: string | null }> {
  const after = cursor === undefined ? undefined : readCursor(cursor, sort)
  const now = deps.clock.now().getTime()
  const notBefore = findOldest(deps.clock, await getLimits(deps, accountId))
  const store = createFindingStore(deps.db)
  const rows = await store.list(accountId, { now, notBefore, limit: limit + 1, sort, after, filter })
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    findings: await toViews(deps, shown),
    total: await store.count(accountId, { now, notBefore, filter }),
    nextCursor: rows.length > limit && last ? writeCursor(sort, last) : null,
  }
}

const CURSOR_PURPOSE = 'findings'

/** Opaque to the client; a page in another order begins anew. */
const writeCursor = (sort: FindingSort, { sorted_by, id }: ListedFindingRow): string =>
  Buffer.from(JSON.stringify([CURSOR_PURPOSE, sort, sorted_by, id])).toString('base64url')

function readCursor(cursor: string, sort: FindingSort): { value: string | number; id: string } {
  const [purpose, of, value, id] = parseList(Buffer.from(cursor, 'base64url').toString())
  const isCursor = purpose === CURSOR_PURPOSE && of === sort && typeof id === 'string' && looksLikeId('finding', id)
  const isValue = sort === 'file' || sort.endsWith('irstSeenAt') ? typeof value === 'string' : typeof value === 'number'
  if (!isCursor || !isValue) return refuse('invalid', 'cursor must be a nextCursor of this list.')
  return { value: value as string | number, id }
}

function parseList(text: string): unknown[] {
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) ? list : []
  } catch {
    return []
  }
}

export async function getFinding(deps: FindingDeps, accountId: string, id: string): Promise<FindingView> {
  const notBefore = findOldest(deps.clock, await getLimits(deps, accountId))
  if (!looksLikeId('finding', id)) return refuse('findingNotFound')
  const row = (await createFindingStore(deps.db).find(accountId, id, notBefore)) ?? refuse('findingNotFound')
  const [view] = await toViews(deps, [row])
  return view as FindingView
}

/** What is not given stays as it is; null takes it away. */
export interface FindingChange {
  readonly state?: FindingTable['state'] | undefined
  readonly reason?: string | undefined
  readonly until?: string | undefined
  readonly assignee?: string | null | undefined
  readonly comment?: string | null | undefined
}

/** A decision, like a note, holds for the same finding in later scans of the project too. */
export async function changeFinding(
  deps: FindingDeps & NoteChangeDeps,
  actor: Actor,
  id: string,
  change: FindingChange,
): Promise<FindingView> {
  const { accountId } = actor.caller
  const { state, assignee } = change
  const comment = change.comment === undefined ? undefined : change.comment?.trim() || null
  const now = deps.clock.now().getTime()
  refuseContradiction(change, now)
  const notBefore = findOldest(deps.clock, await getLimits(deps, accountId))
  if (!looksLikeId('finding', id)) return refuse('findingNotFound')
  const row = await transaction(deps.db, async (tx) => {
    const inside = { ...deps, db: tx }
    if (assignee) await refuseOutsider(tx, accountId, assignee)
    const changed = await createFindingStore(tx).change(accountId, id, notBefore, {
      ...(state !== undefined && toDecision(change, state, now, await nameActor(tx, actor))),
      ...(assignee !== undefined && { assignee }),
      ...(comment !== undefined && { comment }),
    })
    if (state !== undefined && changed) await judgeAgain(inside, changed)
    if (state !== undefined) await noteChange(inside, actor, 'finding.decided', { findingId: id, state })
    if (assignee !== undefined)
      await noteChange(inside, actor, 'finding.assigned', { findingId: id, assignee: assignee ?? '' })
    if (comment !== undefined) await noteChange(inside, actor, 'finding.commented', { findingId: id })
    return changed ?? refuse('findingNotFound')
  })
  const [view] = await toViews(deps, [row])
  return view as FindingView
}

function refuseContradiction({ state, reason, until, assignee, comment }: FindingChange, now: number): void {
  const isNoted = assignee !== undefined || comment !== undefined
  if (state === undefined && (!isNoted || reason !== undefined || until !== undefined))
    refuse('invalid', 'state is required.')
  if (until === undefined) return
  if (Date.parse(until) <= now) refuse('invalid', 'until must be in the future.')
  if (state === 'open' || state === 'fixed') refuse('invalid', 'until goes with false-positive and accepted only.')
}

const toDecision = (
  { reason, until }: FindingChange,
  state: FindingTable['state'],
  now: number,
  by: string | null,
): Pick<FindingTable, DecidedColumn> => ({
  state,
  reason: reason ?? null,
  until: until === undefined ? null : Date.parse(until),
  decided_by: by,
  decided_at: now,
})

/** Work is given to people who can see it: members of the organization, or the owner of the account. */
async function refuseOutsider(db: Db, accountId: string, email: string): Promise<void> {
  const isMember = looksLikeId('organisation', accountId)
    ? (await createMembershipStore(db).list(accountId)).some((member) => member.email === email)
    : (await createAccountStore(db).find(accountId))?.email === email
  if (!isMember) refuse('invalid', 'assignee must be the email address of a member.')
}
