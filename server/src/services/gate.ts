import type { Clock } from '../core/clock.ts'
import { gateReason } from '../messages/gate.ts'
import type { Db } from '../stores/database.ts'
import { createFindingRefStore } from '../stores/finding-refs.ts'
import { createFindingStore, severities } from '../stores/findings.ts'
import { createProjectStore } from '../stores/projects.ts'
import { createScanLabelStore } from '../stores/scan-labels.ts'
import type { FindingTable, ProjectTable } from '../stores/schema.ts'

type Severity = FindingTable['severity']

/** What fails a run of a project. */
export interface Gate {
  /** An open finding of this severity, or of a higher one, fails it. */
  readonly failOn: Severity
  /**
   * Only findings that are new. On the default branch: first seen after the gate was set. On another: not open on the default branch. So a
   * branch fails for what it adds, however often it is scanned, and what was merged fails the default branch until it is fixed or dismissed.
   */
  readonly onlyNew: boolean
  /** When it was set so. */
  readonly since: string
}

/** How a run fared. */
export interface GateVerdict {
  readonly failOn: Severity
  readonly onlyNew: boolean
  readonly isPassed: boolean
  /** The findings that count, by severity; the lower ones are absent. */
  readonly bySeverity: Partial<Record<Severity, number>>
  readonly reason: string
}

export interface GateDeps {
  readonly db: Db
  readonly clock: Clock
}

export const gateOf = ({ gate }: Pick<ProjectTable, 'gate'>): Gate | null =>
  gate === null ? null : (JSON.parse(gate) as Gate)

type StoredVerdict = Pick<GateVerdict, 'failOn' | 'onlyNew' | 'bySeverity'>

export const verdictOf = (stored: string | null | undefined): GateVerdict | null =>
  stored ? describe(JSON.parse(stored) as StoredVerdict) : null

function describe({ failOn, onlyNew, bySeverity }: StoredVerdict): GateVerdict {
  const counts = severities.map((severity) => [severity, bySeverity[severity] ?? 0] as const)
  const isPassed = counts.every(([, count]) => count === 0)
  return { failOn, onlyNew, isPassed, bySeverity, reason: gateReason({ failOn, onlyNew, counts }) }
}

/** Keeps with a run whether it passes the gate of its project; null without one. Only the newest run of a ref can be judged: records say which saw a finding last. */
export async function judgeRun(
  { db, clock }: GateDeps,
  project: Pick<ProjectTable, 'account_id' | 'default_ref' | 'gate'>,
  run: { readonly scanId: string; readonly ref: string },
): Promise<GateVerdict | null> {
  const gate = gateOf(project)
  if (gate === null) return null
  const { failOn, onlyNew, since } = gate
  const counted = severities.slice(0, severities.indexOf(failOn) + 1)
  const isDefault = run.ref === project.default_ref
  const newness = isDefault ? { firstSeenAfter: Date.parse(since) } : { notOpenOn: project.default_ref }
  const counts = await createFindingStore(db).countSeenBy(project.account_id, run.scanId, {
    now: clock.now().getTime(),
    severity: counted,
    ...(onlyNew && newness),
  })
  const bySeverity = Object.fromEntries(counted.map((severity) => [severity, counts.get(severity) ?? 0]))
  const stored: StoredVerdict = { failOn, onlyNew, bySeverity }
  await createScanLabelStore(db).setGate(run.scanId, JSON.stringify(stored))
  return describe(stored)
}

/** Once a finding has another state, the newest runs that saw it may fare otherwise. */
export async function judgeAgain(deps: GateDeps, finding: FindingTable): Promise<void> {
  const { id, account_id, project: name } = finding
  const project = await createProjectStore(deps.db).find(account_id, name)
  if (!project?.gate) return
  for (const { ref, last_scan_id } of await createFindingRefStore(deps.db).listOf([id]))
    await judgeNewest(deps, project, ref, last_scan_id)
}

/** The newest run of a ref, if it is this one; without one to name, whichever it is. */
export async function judgeNewest(
  deps: GateDeps,
  project: ProjectTable,
  ref: string,
  onlyIf?: string | undefined,
): Promise<void> {
  const newest = await createScanLabelStore(deps.db).findNewest(project.account_id, project.name, ref || null)
  if (newest !== undefined && (onlyIf === undefined || onlyIf === newest))
    await judgeRun(deps, project, { scanId: newest, ref })
}
