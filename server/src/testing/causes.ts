import { unpackElsewhere } from '../core/stored.ts'
import type { Db } from '../stores/database.ts'
import type { FindingRefTable, FindingTable } from '../stores/schema.ts'

type Finding = Pick<FindingTable, 'id' | 'account_id' | 'project' | 'file' | 'state' | 'decided_by'> & {
  readonly default_ref: string | null
}

/** Where a state has no cause: no scan that saw the finding or looked for it, no decision of a person, no reason. */
export async function findUncaused(db: Db): Promise<string[]> {
  const findings = await listFindings(db)
  const refs = new Map<string, FindingRefTable[]>()
  for (const row of await db.selectFrom('finding_refs').selectAll().execute())
    refs.set(row.finding_id, [...(refs.get(row.finding_id) ?? []), row])
  const broken = await listWithoutReason(db)
  const labels = await readLabels(db)
  for (const finding of findings) {
    const own = refs.get(finding.id) ?? []
    if (!isStateCaused(finding, own)) broken.push(`${finding.id} is ${finding.state} on no ref and by nobody`)
    for (const ref of own)
      if (!(await isRefCaused(labels, finding, ref)))
        broken.push(`${finding.id} is ${ref.state} on ${ref.ref || 'no ref'} by no scan`)
  }
  return broken
}

const listFindings = (db: Db): Promise<Finding[]> =>
  db
    .selectFrom('findings as f')
    .leftJoin('projects as p', (join) =>
      join.onRef('p.account_id', '=', 'f.account_id').onRef('p.name', '=', 'f.project'),
    )
    .select(['f.id', 'f.account_id', 'f.project', 'f.file', 'f.state', 'f.decided_by', 'p.default_ref'])
    .execute()

/** A person decided, or the default ref says so; where that never had the finding, any that has it open. */
function isStateCaused({ state, decided_by, default_ref }: Finding, refs: readonly FindingRefTable[]): boolean {
  if (decided_by !== null) return true
  const deciding = refs.filter(({ ref }) => ref === default_ref)
  const isOpen = (deciding.length > 0 ? deciding : refs).some((ref) => ref.state === 'open')
  return state === (isOpen ? 'open' : 'fixed')
}

interface Labels {
  /** The observation of a scan; undefined when it was deleted since, or was made before observations were noted. */
  observationOf(scanId: string): string | undefined
  /** Observations of one ref of a project. */
  listObservations(finding: Finding, ref: string): readonly string[]
  isKnown(observation: string): boolean
  /** Other observations of the same ref that looked at the file. */
  isLookedAtBesides(finding: Finding, ref: FindingRefTable): Promise<boolean>
}

async function readLabels(db: Db): Promise<Labels> {
  const rows = await db
    .selectFrom('scan_labels')
    .select(['scan_id', 'account_id', 'project', 'ref', 'observation'])
    .execute()
  const byScan = new Map(rows.map((row) => [row.scan_id, row.observation ?? undefined]))
  const known = new Set(rows.map(({ observation }) => observation))
  const sameRef = ({ account_id, project }: Finding, ref: string) =>
    rows.filter((row) => row.account_id === account_id && row.project === project && (row.ref ?? '') === ref)
  return {
    observationOf: (scanId) => byScan.get(scanId),
    listObservations: (finding, ref) => sameRef(finding, ref).map(({ observation }) => observation ?? ''),
    isKnown: (observation) => known.has(observation),
    async isLookedAtBesides(finding, { ref, observation }) {
      for (const row of sameRef(finding, ref)) {
        if (row.observation === observation) continue
        const { files } = await db
          .selectFrom('scan_labels')
          .select('files')
          .where('scan_id', '=', row.scan_id)
          .executeTakeFirstOrThrow()
        if (files === null) continue
        if ((JSON.parse((await unpackElsewhere(files)).toString()) as string[]).includes(finding.file)) return true
      }
      return false
    },
  }
}

/** Open: the scan that saw it is the last that looked. Fixed: another one looked, and did not see it. */
async function isRefCaused(labels: Labels, finding: Finding, ref: FindingRefTable): Promise<boolean> {
  const seenBy = labels.observationOf(ref.last_scan_id)
  // Scans are deleted, and with them what they said.
  if (seenBy === undefined || !labels.isKnown(ref.observation)) return true
  if (ref.state === 'open') return ref.observation === seenBy
  if (ref.observation === seenBy) return labels.isLookedAtBesides(finding, ref)
  return labels.listObservations(finding, ref.ref).includes(ref.observation)
}

/** What was turned off or failed says why. */
async function listWithoutReason(db: Db): Promise<string[]> {
  const webhooks = await db
    .selectFrom('webhooks')
    .select(['id', 'status'])
    .where('status', '=', 'disabled')
    .where('disabled_reason', 'is', null)
    .execute()
  const requests = await db
    .selectFrom('scan_requests')
    .select(['id', 'status'])
    .where('status', '=', 'failed')
    .where('reason', 'is', null)
    .execute()
  return [...webhooks, ...requests].map(({ id, status }) => `${id} is ${status} for no reason`)
}
