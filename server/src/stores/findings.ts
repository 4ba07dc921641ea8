import { type ExpressionBuilder, type OnConflictDatabase, type OnConflictTables, type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'
import type { FindingState, FindingTable, Schema } from './schema.ts'

export interface FindingFilter {
  readonly severity?: readonly FindingTable['severity'][] | undefined
  readonly confidence?: readonly FindingTable['confidence'][] | undefined
  readonly kind?: FindingTable['kind'] | undefined
  /** Those that need review: left out, or alone. */
  readonly review?: 'exclude' | 'only' | undefined
  readonly vulnerabilityId?: readonly string[] | undefined
  readonly detector?: readonly string[] | undefined
  readonly state?: readonly FindingState[] | undefined
  readonly file?: string | undefined
  readonly fingerprint?: readonly string[] | undefined
  readonly project?: string | undefined
  readonly assignee?: string | undefined
  /** Only what was seen on this ref, in the state that it has there. */
  readonly ref?: string | undefined
  readonly scanId?: string | undefined
  readonly firstSeenSince?: number | undefined
  readonly since?: number | undefined
}

export const findingSorts = ['-firstSeenAt', 'firstSeenAt', '-lastSeenAt', 'lastSeenAt', 'severity', 'file'] as const
export type FindingSort = (typeof findingSorts)[number]

export interface FindingPage {
  readonly now: number
  /** Only what scans younger than this have seen exists for its owner. */
  readonly notBefore: number
  readonly limit: number
  readonly sort: FindingSort
  /** The last of the page before: by what it is ordered, and its id. */
  readonly after?: { readonly value: string | number; readonly id: string } | undefined
  readonly filter: FindingFilter
}

/** A record, with what the list is ordered by. */
export interface ListedFindingRow extends FindingTable {
  sorted_by: string | number
}

/** Counting more than this tells nobody anything, and takes long. */
const MAX_COUNTED = 100_000

/** The most severe first. */
export const severities = ['critical', 'high', 'medium', 'low', 'info'] as const satisfies FindingTable['severity'][]

/** Which findings of a scan are counted. */
export interface SeenFilter {
  readonly now: number
  readonly severity: readonly FindingTable['severity'][]
  readonly firstSeenAfter?: number
  /** A ref on which they are not open. */
  readonly notOpenOn?: string
}

export type KnownRow = Pick<FindingTable, 'id' | 'file' | 'fingerprint' | 'state' | 'reason' | 'until'>

/** Rows of one statement: on the embedded database the serving thread does nothing else meanwhile. */
const BATCH = 100
const letOthersIn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

export type DecidedColumn = 'state' | 'reason' | 'until' | 'decided_by' | 'decided_at'

export function createFindingStore(db: Db) {
  return {
    /**
     * Adds what is new and renews what was seen before; the ids of all, in the order of the rows. What people decided stays. A scan that was
     * accepted before the one that saw it last changes nothing.
     */
    async saw(rows: readonly FindingTable[]): Promise<string[]> {
      const ids: string[] = []
      for (let at = 0; at < rows.length; at += BATCH) {
        if (at > 0) await letOthersIn()
        const some = rows.slice(at, at + BATCH)
        const kept = await db
          .insertInto('findings')
          .values(some)
          .onConflict((conflict) =>
            conflict.columns(['account_id', 'project', 'file', 'fingerprint']).doUpdateSet(renewed),
          )
          .returning(['id', 'file', 'fingerprint'])
          .execute()
        const idOf = new Map(kept.map(({ id, file, fingerprint }) => [`${file}\n${fingerprint}`, id]))
        ids.push(...some.map(({ file, fingerprint }) => idOf.get(`${file}\n${fingerprint}`) as string))
      }
      return ids
    },

    async list(accountId: string, page: FindingPage): Promise<ListedFindingRow[]> {
      const { now, notBefore, limit, sort, after, filter } = page
      const { by, direction } = orders[sort]
      let query = db
        .selectFrom('findings')
        .selectAll()
        .select(by.as('sorted_by'))
        .where('account_id', '=', accountId)
        .where('last_seen_at', '>', notBefore)
        .where(matches(filter, now))
      const beyond = sql.raw(direction === 'asc' ? '>' : '<')
      if (after)
        query = query.where(
          sql<boolean>`(${by} ${beyond} ${after.value} or ${by} = ${after.value} and id ${beyond} ${after.id})`,
        )
      return query.orderBy(by, direction).orderBy('id', direction).limit(limit).execute()
    },

    async count(accountId: string, { now, notBefore, filter }: Pick<FindingPage, 'now' | 'notBefore' | 'filter'>) {
      const some = db
        .selectFrom('findings')
        .select('id')
        .where('account_id', '=', accountId)
        .where('last_seen_at', '>', notBefore)
        .where(matches(filter, now))
        .limit(MAX_COUNTED)
      const { rows } = await sql<{ n: number | string }>`select count(*) as n from (${some}) f`.execute(db)
      return Number(rows[0]?.n)
    },

    /** How many there are of each severity, the most severe first. */
    async countBySeverity(
      accountId: string,
      { now, notBefore, filter }: Pick<FindingPage, 'now' | 'notBefore' | 'filter'>,
    ): Promise<{ severity: FindingTable['severity']; count: number }[]> {
      const rows = await db
        .selectFrom('findings')
        .select(['severity', sql<number | string>`count(*)`.as('n')])
        .where('account_id', '=', accountId)
        .where('last_seen_at', '>', notBefore)
        .where(matches(filter, now))
        .groupBy('severity')
        .orderBy(mostSevereFirst)
        .execute()
      return rows.map(({ severity, n }) => ({ severity, count: Number(n) }))
    },

    find: (accountId: string, id: string, notBefore: number): Promise<FindingTable | undefined> =>
      db
        .selectFrom('findings')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .where('last_seen_at', '>', notBefore)
        .executeTakeFirst(),

    async listIds(accountId: string, project: string): Promise<string[]> {
      const rows = await db
        .selectFrom('findings')
        .select('id')
        .where('account_id', '=', accountId)
        .where('project', '=', project)
        .execute()
      return rows.map(({ id }) => id)
    },

    /** The newest of a project. */
    listKnown: (accountId: string, project: string, limit: number): Promise<KnownRow[]> =>
      db
        .selectFrom('findings')
        .select(['id', 'file', 'fingerprint', 'state', 'reason', 'until'])
        .where('account_id', '=', accountId)
        .where('project', '=', project)
        .orderBy('id', 'desc')
        .limit(limit)
        .execute(),

    /** What of a project is set aside at this moment. */
    listSetAside: (
      accountId: string,
      project: string,
      now: number,
      limit: number,
    ): Promise<Pick<FindingTable, 'file' | 'fingerprint' | 'state' | 'reason'>[]> =>
      db
        .selectFrom('findings')
        .select(['file', 'fingerprint', 'state', 'reason'])
        .where('account_id', '=', accountId)
        .where('project', '=', project)
        .where('state', 'in', ['false-positive', 'accepted'])
        .where((finding) => finding.or([finding('until', 'is', null), finding('until', '>', now)]))
        .limit(limit)
        .execute(),

    /** What these scans saw, as long as each is the newest of its project and ref; `seen_in` is the scan. */
    listOfScans: (accountId: string, scanIds: readonly string[]): Promise<(FindingTable & { seen_in: string })[]> =>
      db
        .selectFrom('findings')
        .innerJoin('finding_refs as r', 'r.finding_id', 'findings.id')
        .selectAll('findings')
        .select('r.last_scan_id as seen_in')
        .where('account_id', '=', accountId)
        .where('r.last_scan_id', 'in', scanIds)
        .execute(),

    /** What no scan of the project had seen before this one, the most severe first. */
    listFirstSeen: (accountId: string, scanId: string): Promise<FindingTable[]> =>
      db
        .selectFrom('findings')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('last_scan_id', '=', scanId)
        .where('first_scan_id', '=', scanId)
        .orderBy(mostSevereFirst)
        .orderBy('id')
        .execute(),

    /** How many of each severity a scan saw that nobody has set aside, without those that need review. It has to be the newest of its project and ref. */
    async countSeenBy(
      accountId: string,
      scanId: string,
      { now, severity, firstSeenAfter, notOpenOn }: SeenFilter,
    ): Promise<Map<FindingTable['severity'], number>> {
      let query = db
        .selectFrom('findings')
        .select(['severity', sql<number | string>`count(*)`.as('n')])
        .where('account_id', '=', accountId)
        .where(wasSeenBy(scanId))
        .where(isUndecided(now))
        .where(isSure)
        .where('severity', 'in', severity)
      if (firstSeenAfter !== undefined) query = query.where('first_seen_at', '>', firstSeenAfter)
      if (notOpenOn !== undefined) query = query.where(sql<boolean>`not ${isOpenOn(notOpenOn)}`)
      const rows = await query.groupBy('severity').execute()
      return new Map(rows.map((row) => [row.severity, Number(row.n)]))
    },

    /** Findings that this scan saw last and nobody has set aside, the most severe and surest first; without those that need review. */
    listOpenOfScan: (accountId: string, scanId: string, now: number): Promise<FindingTable[]> =>
      db
        .selectFrom('findings')
        .selectAll()
        .where('account_id', '=', accountId)
        .where(wasSeenBy(scanId))
        .where(isSure)
        .where(isUndecided(now))
        .orderBy(mostSevereFirst)
        .orderBy(sql`case confidence when 'high' then 0 when 'medium' then 1 else 2 end`)
        .orderBy('file')
        .orderBy('line')
        .orderBy('id')
        .execute(),

    /** Of these scans, those that saw something which is set aside at this moment. */
    async findScansWithSetAside(accountId: string, scanIds: readonly string[], now: number): Promise<string[]> {
      const rows = await db
        .selectFrom('findings')
        .innerJoin('finding_refs as r', 'r.finding_id', 'findings.id')
        .select('r.last_scan_id')
        .distinct()
        .where('account_id', '=', accountId)
        .where('r.last_scan_id', 'in', scanIds)
        .where('findings.state', 'in', ['false-positive', 'accepted'])
        .where((finding) => finding.or([finding('until', 'is', null), finding('until', '>', now)]))
        .execute()
      return rows.map(({ last_scan_id }) => last_scan_id)
    },

    /** The finding as it is now; undefined when there is none of this account. */
    async change(
      accountId: string,
      id: string,
      notBefore: number,
      change: Partial<Pick<FindingTable, DecidedColumn | 'assignee' | 'comment'>>,
    ): Promise<FindingTable | undefined> {
      return db
        .updateTable('findings')
        .set(change)
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .where('last_seen_at', '>', notBefore)
        .returningAll()
        .executeTakeFirst()
    },
  }
}

type Renewed = (
  update: ExpressionBuilder<OnConflictDatabase<Schema, 'findings'>, OnConflictTables<'findings'>>,
) => object

const renewedColumns = [
  'kind',
  'severity',
  'confidence',
  'title',
  'message',
  'contract',
  'function',
  'line',
  'last_scan_id',
  'last_seen_at',
] as const

const renewed: Renewed = () =>
  Object.fromEntries(
    renewedColumns.map((column) => [
      column,
      sql`case when excluded.last_seen_at >= findings.last_seen_at then ${sql.ref(`excluded.${column}`)} else ${sql.ref(`findings.${column}`)} end`,
    ]),
  )

const wasSeenBy = (scanId: string) =>
  sql<boolean>`exists (select 1 from finding_refs r where r.finding_id = findings.id and r.last_scan_id = ${scanId})`

/** Nobody decided about it, or the decision has ended. */
const isUndecided = (now: number) =>
  sql<boolean>`(findings.state in ('open', 'fixed') or (findings.until is not null and findings.until <= ${now}))`

/** The others need review: the analysis is not sure enough to call them findings. */
const isSure = sql<boolean>`not (findings.kind = 'advisory' and findings.confidence = 'low')`

const isOpenOn = (ref: string) =>
  sql<boolean>`exists (select 1 from finding_refs r where r.finding_id = findings.id and r.ref = ${ref} and r.state = 'open')`

const mostSevereFirst = sql<number>`case severity when 'critical' then 0 when 'high' then 1 when 'medium' then 2 when 'low' then 3 else 4 end`

/** Ids sort by the moment of their making. */
const orders: Record<FindingSort, { readonly by: RawBuilder<string | number>; readonly direction: 'asc' | 'desc' }> = {
  '-firstSeenAt': { by: sql`id`, direction: 'desc' },
  firstSeenAt: { by: sql`id`, direction: 'asc' },
  '-lastSeenAt': { by: sql`last_seen_at`, direction: 'desc' },
  lastSeenAt: { by: sql`last_seen_at`, direction: 'asc' },
  severity: { by: mostSevereFirst, direction: 'asc' },
  file: { by: sql`file`, direction: 'asc' },
}

const anyState: readonly FindingState[] = ['open', 'false-positive', 'accepted', 'fixed']

const matches = (filter: FindingFilter, now: number) => (finding: ExpressionBuilder<Schema, 'findings'>) =>
  finding.and([
    // With a state, even if any, so that the index of states finds a rare severity.
    ...(filter.severity === undefined
      ? []
      : [finding('severity', 'in', filter.severity), finding('findings.state', 'in', anyState)]),
    ...(filter.confidence === undefined ? [] : [finding('confidence', 'in', filter.confidence)]),
    ...(filter.kind === undefined ? [] : [finding('kind', '=', filter.kind)]),
    ...(filter.review === undefined ? [] : [filter.review === 'exclude' ? isSure : finding.not(isSure)]),
    ...(filter.vulnerabilityId === undefined ? [] : [finding('vulnerability_id', 'in', filter.vulnerabilityId)]),
    ...(filter.detector === undefined ? [] : [finding('detector', 'in', filter.detector)]),
    ...(filter.state === undefined ? [] : [isIn(filter.state, filter.ref, now)]),
    ...(filter.file === undefined ? [] : [finding('file', '=', filter.file)]),
    ...(filter.fingerprint === undefined ? [] : [finding('fingerprint', 'in', filter.fingerprint)]),
    ...(filter.project === undefined ? [] : [finding('project', '=', filter.project)]),
    ...(filter.assignee === undefined ? [] : [finding('assignee', '=', filter.assignee)]),
    ...(filter.ref === undefined ? [] : [wasSeenOn(filter.ref)]),
    ...(filter.scanId === undefined ? [] : [wasSeenBy(filter.scanId)]),
    ...(filter.firstSeenSince === undefined ? [] : [finding('first_seen_at', '>=', filter.firstSeenSince)]),
    ...(filter.since === undefined ? [] : [finding('last_seen_at', '>=', filter.since)]),
  ])

const wasSeenOn = (ref: string) =>
  sql<boolean>`exists (select 1 from finding_refs r where r.finding_id = findings.id and r.ref = ${ref})`

/**
 * A decision that has ended counts no more. On a ref, what nobody decided about is in the state of the ref. Written without `case`: the database would
 * neither find such rows by an index nor know how many there are.
 */
function isIn(states: readonly FindingState[], ref: string | undefined, now: number) {
  const list = sql.join(states)
  const isStored = sql<boolean>`findings.state in (${list})`
  const holds = sql<boolean>`(findings.until is null or findings.until > ${now})`
  if (ref === undefined)
    return states.includes('open')
      ? sql<boolean>`(${isStored} or (findings.until is not null and findings.until <= ${now}))`
      : sql<boolean>`(${isStored} and ${holds})`
  const there = sql`(select r.state from finding_refs r where r.finding_id = findings.id and r.ref = ${ref})`
  return sql<boolean>`((${isUndecided(now)} and ${there} in (${list}))
    or (findings.state in ('false-positive', 'accepted') and ${isStored} and ${holds}))`
}
