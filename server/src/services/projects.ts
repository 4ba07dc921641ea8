import type { Tally } from '@assay/engine'
import { refuse } from '../core/errors.ts'
import { transaction } from '../stores/database.ts'
import { createProjectStore } from '../stores/projects.ts'
import { createScanLabelStore, type TrendRow } from '../stores/scan-labels.ts'
import type { ProjectTable } from '../stores/schema.ts'
import type { FindingDeps } from './findings.ts'
import { type Gate, type GateVerdict, gateOf, judgeNewest, verdictOf } from './gate.ts'
import { findOldest } from './history.ts'
import { getLimits } from './limits.ts'
import { type Actor, type NoteChangeDeps, noteChange } from './note-change.ts'
import { type ProjectScope, scopeOf, toScope } from './project-scope.ts'
import { changeDefaultRef } from './record-findings.ts'
import { readTally } from './scan-tally.ts'
import { type ScoreWithout, scoreWithoutSetAside } from './set-aside.ts'

export interface ProjectView {
  readonly id: string
  readonly name: string
  /** Whose scans decide the states of its findings and its score; null: scans without a ref. */
  readonly defaultRef: string | null
  readonly isDefaultRefSet: boolean
  readonly tags: readonly string[]
  /** Null: nothing fails its runs. */
  readonly gate: Gate | null
  /** Null: as the uploads say. */
  readonly scope: ProjectScope | null
  readonly scans: number
  /** Of the newest scan of the default ref; of any, where it has none. */
  readonly score: number
  readonly rating: string
  /** Of the same scan; null when nothing in it is set aside. */
  readonly setAside: ScoreWithout | null
  /** Of all refs, the newest first. */
  readonly trend: readonly TrendPoint[]
}

export interface TrendPoint {
  readonly scanId: string
  readonly at: string
  readonly score: number
  readonly rating: string
  readonly vulnerabilitiesCount: number
  readonly critical: number
  readonly high: number
  /** All findings by severity; null for scans made before it was kept. */
  readonly tally: Tally | null
  readonly completeness: TrendRow['completeness']
  readonly ref: string | null
  readonly commit: string | null
  readonly gate: GateVerdict | null
}

const MAX_POINTS = 50

export const projectSorts = ['latest', 'oldest', 'name', 'score'] as const
export type ProjectSort = (typeof projectSorts)[number]

export interface ProjectListing {
  /** A part of the name. */
  readonly search?: string | undefined
  /** Only those with all of these. */
  readonly tag?: readonly string[] | undefined
  readonly sort: ProjectSort
}

export async function listProjects(
  deps: FindingDeps,
  accountId: string,
  { search = '', tag = [], sort }: ProjectListing,
): Promise<ProjectView[]> {
  const notBefore = findOldest(deps.clock, await getLimits(deps, accountId))
  const rows = await createScanLabelStore(deps.db).list(accountId, notBefore, MAX_POINTS)
  const words = search.trim().toLowerCase()
  const names = [...new Set(rows.map(({ project }) => project))].filter((name) => name.toLowerCase().includes(words))
  const projects = await createProjectStore(deps.db).list(accountId, names)
  const wanted = projects.filter((project) => tag.every((one) => tagsOf(project).includes(one)))
  return (await describeProjects(deps, accountId, wanted, rows)).sort(comparisons[sort])
}

const byName = (a: ProjectView, b: ProjectView): number => a.name.localeCompare(b.name, 'en')

const newestPoint = ({ trend }: ProjectView): string => trend[0]?.at ?? ''

/** They come with the one first that was scanned last, and the order of equals stays. */
const comparisons: Record<ProjectSort, (a: ProjectView, b: ProjectView) => number> = {
  latest: () => 0,
  oldest: (a, b) => Date.parse(newestPoint(a)) - Date.parse(newestPoint(b)),
  name: byName,
  score: (a, b) => a.score - b.score || byName(a, b),
}

const tagsOf = ({ tags }: ProjectTable): string[] => (tags === null ? [] : (JSON.parse(tags) as string[]))

export async function getProject(deps: FindingDeps, accountId: string, id: string): Promise<ProjectView> {
  const notBefore = findOldest(deps.clock, await getLimits(deps, accountId))
  const project = await findProject(deps, accountId, id)
  const rows = await createScanLabelStore(deps.db).list(accountId, notBefore, MAX_POINTS, project.name)
  const [view] = await describeProjects(deps, accountId, [project], rows)
  return view ?? refuse('projectNotFound')
}

async function findProject({ db }: Pick<FindingDeps, 'db'>, accountId: string, id: string): Promise<ProjectTable> {
  return (await createProjectStore(db).findById(accountId, id)) ?? refuse('projectNotFound')
}

/** What is not given stays as it is. */
export interface ProjectChange {
  /** `null`: chosen by itself again, from the next scan on. */
  readonly defaultRef?: string | null | undefined
  readonly tags?: readonly string[] | undefined
  /** `null`: none. */
  readonly gate?: Omit<Gate, 'since'> | null | undefined
  /** `null`: as the uploads say. */
  readonly scope?: ProjectScope | null | undefined
}

export async function changeProject(
  deps: FindingDeps & NoteChangeDeps,
  actor: Actor,
  id: string,
  { defaultRef, tags, gate, scope }: ProjectChange,
): Promise<ProjectView> {
  const { accountId } = actor.caller
  if ([defaultRef, tags, gate, scope].every((given) => given === undefined))
    refuse('invalid', 'defaultRef, tags, gate or scope is required.')
  const wanted = scope ? toScope(scope) : null
  await transaction(deps.db, async (tx) => {
    const inside = { ...deps, db: tx }
    const project = await createProjectStore(tx).lock(await findProject(inside, accountId, id))
    if (defaultRef !== undefined)
      await changeDefaultRef(inside, project, defaultRef ?? project.default_ref, defaultRef !== null)
    if (tags !== undefined) await createProjectStore(tx).setTags(id, [...new Set(tags)])
    if (gate !== undefined) await changeGate(inside, project, gate)
    if (scope !== undefined) await createProjectStore(tx).setScope(id, wanted && JSON.stringify(wanted))
    await noteChange(inside, actor, 'project.changed', {
      projectId: id,
      project: project.name,
      ...(defaultRef !== undefined && { defaultRef: defaultRef ?? '' }),
      ...(tags !== undefined && { tags: tags.join(', ') }),
      ...(gate !== undefined && { gate: gate === null ? 'off' : `${gate.failOn}${gate.onlyNew ? ', only new' : ''}` }),
      ...(scope !== undefined && { scope: scopeWords(wanted) }),
    })
  })
  return getProject(deps, accountId, id)
}

/** For the log, whose details are short. */
function scopeWords(scope: ProjectScope | null): string {
  if (!scope) return 'as uploaded'
  return [`${scope.exclude.length} excluded`, `${scope.remappings.length} remappings`].join(', ')
}

/** The newest run of the default branch is judged by it right away. What was new stays new as long as only new findings count. */
async function changeGate(deps: FindingDeps, project: ProjectTable, gate: Omit<Gate, 'since'> | null): Promise<void> {
  const before = gateOf(project)
  const since = gate?.onlyNew && before?.onlyNew ? before.since : deps.clock.now().toISOString()
  const text =
    gate === null ? null : JSON.stringify({ failOn: gate.failOn, onlyNew: gate.onlyNew, since } satisfies Gate)
  const projects = createProjectStore(deps.db)
  await projects.setGate(project.id, text)
  // Its default branch may have been changed just before.
  const changed = await findProject(deps, project.account_id, project.id)
  await judgeNewest(deps, changed, changed.default_ref)
}

/** Those with scans that are still kept, the one that was scanned last first. */
async function describeProjects(
  deps: FindingDeps,
  accountId: string,
  projects: readonly ProjectTable[],
  rows: readonly TrendRow[],
): Promise<ProjectView[]> {
  const rowsOf = new Map<string, TrendRow[]>()
  for (const row of rows) rowsOf.set(row.project, [...(rowsOf.get(row.project) ?? []), row])
  const shown = projects
    .map((project) => ({ project, scans: rowsOf.get(project.name) ?? [] }))
    .filter(({ scans }) => scans.length > 0)
    .map(({ project, scans }) => ({ project, scans, newest: findDeciding(project, scans) }))
    .sort((a, b) => (newestOf(a.scans) < newestOf(b.scans) ? 1 : -1))
  const newestScans = shown.map(({ newest }) => ({ ...newest, id: newest.scan_id }))
  const without = await scoreWithoutSetAside(deps, accountId, newestScans)
  return shown.map(({ project, scans, newest }) => ({
    id: project.id,
    name: project.name,
    defaultRef: project.default_ref || null,
    isDefaultRefSet: project.is_default_set === 1,
    tags: tagsOf(project),
    gate: gateOf(project),
    scope: scopeOf(project),
    scans: newest.scans,
    score: newest.score,
    rating: newest.rating,
    setAside: without.get(newest.scan_id) ?? null,
    trend: scans.slice(0, MAX_POINTS).map(toPoint),
  }))
}

const newestOf = ([first]: readonly TrendRow[]): string => first?.scan_id ?? ''

const findDeciding = ({ default_ref }: ProjectTable, scans: readonly TrendRow[]): TrendRow =>
  scans.find(({ ref }) => (ref ?? '') === default_ref) ?? (scans[0] as TrendRow)

const toPoint = (row: TrendRow): TrendPoint => ({
  scanId: row.scan_id,
  at: new Date(row.created_at).toISOString(),
  score: row.score,
  rating: row.rating,
  vulnerabilitiesCount: row.total,
  critical: row.critical,
  high: row.high,
  tally: readTally(row),
  completeness: row.completeness,
  ref: row.ref,
  commit: row.commit_hash,
  gate: verdictOf(row.gate),
})
