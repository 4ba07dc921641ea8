import type { FoundRow, Scanned } from '../analysis/tasks.ts'
import type { Clock } from '../core/clock.ts'
import { newSortableId } from '../core/ids.ts'
import type { Labels } from '../core/sources/labels.ts'
import { pack, unpackElsewhere } from '../core/stored.ts'
import type { Db } from '../stores/database.ts'
import { createFindingRefStore, type Look } from '../stores/finding-refs.ts'
import { createFindingStore } from '../stores/findings.ts'
import { createProjectStore } from '../stores/projects.ts'
import { createScanLabelStore } from '../stores/scan-labels.ts'
import type { FindingTable, ProjectTable, ScanLabelTable } from '../stores/schema.ts'
import { type GateVerdict, judgeRun } from './gate.ts'

export interface RecordFindingsDeps {
  /** The transaction that stores the scan. */
  readonly db: Db
  readonly clock: Clock
}

export interface SeenIn {
  readonly scanId: string
  readonly accountId: string
  /** When the scan was accepted. */
  readonly at: Date
  readonly labels: Labels
  /** Scans of a batch are one observation. */
  readonly batchId?: string | undefined
  /** Of every source that was sent, also those that are read for meaning only. */
  readonly files: readonly string[]
}

export interface RecordedScan {
  /** Ids of records that others made first. */
  readonly renamed: ReadonlyMap<string, string>
  /** Null without a gate. */
  readonly gate: GateVerdict | null
}

export type Seen = Pick<Scanned, 'found' | 'lookedAt'>

/**
 * Keeps what a scan found. A finding has a state on each ref of its project; the default ref decides the record's. A scan closes only what
 * it looked at: the files it analyzed to their end, on its own ref. Whichever scan was accepted later is right, whichever ended later. Without
 * a project there is nothing to carry over or to close: then the records are the scan's own.
 */
export async function recordFindings(deps: RecordFindingsDeps, seen: SeenIn, outcome: Seen): Promise<RecordedScan> {
  const { db } = deps
  const { scanId, accountId, labels } = seen
  const { project = scanId, ref = null, commit = null } = labels
  const look = { accountId, project, ref: ref ?? '', at: seen.at.getTime(), observation: seen.batchId ?? scanId }
  const row = labels.project === undefined ? undefined : await lockProject(deps, look)
  const label: ScanLabelTable = {
    scan_id: scanId,
    account_id: accountId,
    project,
    ref,
    commit_hash: commit,
    observation: look.observation,
    files: row ? pack(Buffer.from(JSON.stringify(outcome.lookedAt))) : null,
    gate: null,
  }
  await createScanLabelStore(db).add(label)
  const since = row ? await listFilesLookedAtSince(db, label, look) : new Set<string>()
  const rows = toRows(seen, project, outcome.found)
  const ids = await createFindingStore(db).saw(rows)
  await createFindingRefStore(db).observe(rows.map((row, index) => toRef(row, ids[index] as string, look, since)))
  const renamed = new Map(
    rows.map(({ id }, index) => [id, ids[index] as string] as const).filter(([id, kept]) => id !== kept),
  )
  if (!row) return { renamed, gate: null }
  const closed = await closeUnseen(db, look, seen, outcome)
  const settled = { defaultRef: row.default_ref, lookedAt: look.ref, now: deps.clock.now().getTime() }
  await createFindingRefStore(db).settle([...ids, ...closed], settled)
  return { renamed, gate: await judgeRun(deps, row, { scanId, ref: look.ref }) }
}

/** What is usual, in the order of preference; else the first ref that a scan was sent for. */
const usualRefs = ['main', 'master']

/** Also keeps others from recording scans of the project meanwhile: none of them would see what the other saw. */
async function lockProject(
  { db, clock }: RecordFindingsDeps,
  { accountId, project, ref, at }: Look,
): Promise<ProjectTable> {
  const projects = createProjectStore(db)
  const fresh = { id: newSortableId('project', new Date(at)), account_id: accountId, name: project }
  const row = await projects.lock({
    ...fresh,
    default_ref: ref,
    is_default_set: 0,
    tags: null,
    gate: null,
    scope: null,
    created_at: at,
  })
  if (row.is_default_set || !isMoreUsual(ref, row.default_ref)) return row
  await changeDefaultRef({ db, clock }, row, ref, false)
  return { ...row, default_ref: ref }
}

const rankOf = (ref: string): number => (usualRefs.includes(ref) ? usualRefs.indexOf(ref) : usualRefs.length)
const isMoreUsual = (ref: string, than: string): boolean => rankOf(ref) < rankOf(than)

/** Every record gets the state that it has on the new one. */
export async function changeDefaultRef(
  { db, clock }: RecordFindingsDeps,
  { id, account_id, name }: { readonly id: string; readonly account_id: string; readonly name: string },
  defaultRef: string,
  isSet: boolean,
): Promise<void> {
  await createProjectStore(db).setDefaultRef(id, defaultRef, isSet)
  const ids = await createFindingStore(db).listIds(account_id, name)
  await createFindingRefStore(db).settle(ids, { defaultRef, lookedAt: undefined, now: clock.now().getTime() })
}

/** Files in which a scan that was accepted later found what there is to find. */
async function listFilesLookedAtSince(db: Db, label: ScanLabelTable, { at, observation }: Look): Promise<Set<string>> {
  const later = await createScanLabelStore(db).listLater(label, at)
  const files = new Set<string>()
  for (const each of later) {
    if (each.files === null || each.observation === observation) continue
    for (const file of JSON.parse((await unpackElsewhere(each.files)).toString()) as string[]) files.add(file)
  }
  return files
}

/** In one order everywhere; the same one twice is one. */
function toRows({ scanId, accountId, at }: SeenIn, project: string, found: readonly FoundRow[]): FindingTable[] {
  const unique = new Map(found.map((row) => [`${row.file}\n${row.fingerprint}`, row]))
  return [...unique]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { alsoIn: _, ...row }]) => ({
      ...row,
      account_id: accountId,
      project,
      state: 'open',
      reason: null,
      until: null,
      decided_by: null,
      decided_at: null,
      assignee: null,
      comment: null,
      first_scan_id: scanId,
      first_seen_at: at.getTime(),
      last_scan_id: scanId,
      last_seen_at: at.getTime(),
    }))
}

const toRef = (row: FindingTable, id: string, { ref, at, observation }: Look, lookedAtSince: ReadonlySet<string>) => ({
  finding_id: id,
  ref,
  state: lookedAtSince.has(row.file) ? ('fixed' as const) : ('open' as const),
  last_scan_id: row.last_scan_id,
  last_seen_at: at,
  observed_at: at,
  observation,
})

async function closeUnseen(
  db: Db,
  look: Look,
  { labels, files }: SeenIn,
  { found, lookedAt }: Seen,
): Promise<string[]> {
  const refs = createFindingRefStore(db)
  const isGone = labels.allFiles ? isNotAmong(new Set(files)) : () => false
  const wasLookedAt = new Set(lookedAt)
  // One cause in several files is one finding, reported in the first of them.
  const seenElsewhere = new Set(found.flatMap(({ detector, alsoIn }) => alsoIn.map((file) => `${detector}\n${file}`)))
  const unseen = await refs.listUnseen(look, labels.allFiles ? undefined : lookedAt)
  const closed = unseen
    .filter(({ file }) => wasLookedAt.has(file) || isGone(file))
    .filter(({ file, detector }) => !seenElsewhere.has(`${detector}\n${file}`))
    .map(({ id }) => id)
  await refs.close(look, closed)
  return closed
}

const isNotAmong =
  (files: ReadonlySet<string>) =>
  (file: string): boolean =>
    !files.has(file)
