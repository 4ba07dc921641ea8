import { type ExpressionBuilder, sql } from 'kysely'
import type { Db } from './database.ts'
import type { FindingState, FindingTable, Schema } from './schema.ts'

export interface FindingFilter {
  readonly severity?: FindingTable['severity'] | undefined
  readonly vulnerabilityId?: string | undefined
  readonly detector?: string | undefined
  readonly state?: FindingState | undefined
  readonly file?: string | undefined
  readonly project?: string | undefined
  readonly scanId?: string | undefined
  readonly firstSeenSince?: number | undefined
  readonly since?: number | undefined
}

export interface FindingPage {
  readonly now: number
  /** Only what scans younger than this have seen exists for its owner. */
  readonly notBefore: number
  readonly limit: number
  readonly after?: string | undefined
  readonly filter: FindingFilter
}

/** Rows of one statement: on the embedded database the serving thread does nothing else meanwhile. */
const BATCH = 100
const letOthersIn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

export function createFindingStore(db: Db) {
  return {
    /** Adds what is new and renews what was seen before; what people decided stays, but a fixed one is open again. */
    async saw(rows: readonly FindingTable[]): Promise<void> {
      for (let at = 0; at < rows.length; at += BATCH) {
        if (at > 0) await letOthersIn()
        await db
          .insertInto('findings')
          .values(rows.slice(at, at + BATCH))
          .onConflict((conflict) =>
            conflict.columns(['account_id', 'project', 'file', 'fingerprint']).doUpdateSet((update) => ({
              kind: update.ref('excluded.kind'),
              severity: update.ref('excluded.severity'),
              confidence: update.ref('excluded.confidence'),
              title: update.ref('excluded.title'),
              message: update.ref('excluded.message'),
              contract: update.ref('excluded.contract'),
              function: update.ref('excluded.function'),
              line: update.ref('excluded.line'),
              last_scan_id: update.ref('excluded.last_scan_id'),
              last_seen_at: update.ref('excluded.last_seen_at'),
              state: sql<FindingState>`case findings.state when 'fixed' then 'open' else findings.state end`,
            })),
          )
          .execute()
      }
    },

    /** Open ones of the project that its newest scan did not see. */
    async markFixed(accountId: string, project: string, scanId: string): Promise<void> {
      await db
        .updateTable('findings')
        .set({ state: 'fixed', decided_by: null, decided_at: null })
        .where('account_id', '=', accountId)
        .where('project', '=', project)
        .where('state', '=', 'open')
        .where('last_scan_id', '!=', scanId)
        .execute()
    },

    async list(accountId: string, { now, notBefore, limit, after, filter }: FindingPage): Promise<FindingTable[]> {
      let query = db
        .selectFrom('findings')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('last_seen_at', '>', notBefore)
        .where(matches(filter, now))
      if (after !== undefined) query = query.where('id', '<', after)
      return query.orderBy('id', 'desc').limit(limit).execute()
    },

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

    /** What this scan saw, as long as it is the newest of its project. */
    listOfScans: (accountId: string, scanIds: readonly string[]): Promise<FindingTable[]> =>
      db
        .selectFrom('findings')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('last_scan_id', 'in', scanIds)
        .execute(),

    /** What no scan of the project had seen before this one, the gravest first. */
    listFirstSeen: (accountId: string, scanId: string): Promise<FindingTable[]> =>
      db
        .selectFrom('findings')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('last_scan_id', '=', scanId)
        .where('first_scan_id', '=', scanId)
        .orderBy(gravestFirst)
        .orderBy('id')
        .execute(),

    /** Weaknesses that this scan saw last and nobody has set aside, the gravest and surest first. */
    listOpenOfScan: (accountId: string, scanId: string, now: number): Promise<FindingTable[]> =>
      db
        .selectFrom('findings')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('last_scan_id', '=', scanId)
        .where('kind', '=', 'vulnerability')
        .where(isIn('open', now))
        .orderBy(gravestFirst)
        .orderBy(sql`case confidence when 'high' then 0 when 'medium' then 1 else 2 end`)
        .orderBy('file')
        .orderBy('line')
        .orderBy('id')
        .execute(),

    /** Of these scans, those that saw something which is set aside at this moment. */
    async findScansWithSetAside(accountId: string, scanIds: readonly string[], now: number): Promise<string[]> {
      const rows = await db
        .selectFrom('findings')
        .select('last_scan_id')
        .distinct()
        .where('account_id', '=', accountId)
        .where('last_scan_id', 'in', scanIds)
        .where('state', 'in', ['false-positive', 'accepted'])
        .where((finding) => finding.or([finding('until', 'is', null), finding('until', '>', now)]))
        .execute()
      return rows.map(({ last_scan_id }) => last_scan_id)
    },

    /** The finding as it is now; undefined when there is none of this account. */
    async decide(
      accountId: string,
      id: string,
      notBefore: number,
      decision: Pick<FindingTable, 'state' | 'reason' | 'until' | 'decided_by' | 'decided_at'>,
    ): Promise<FindingTable | undefined> {
      return db
        .updateTable('findings')
        .set(decision)
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .where('last_seen_at', '>', notBefore)
        .returningAll()
        .executeTakeFirst()
    },
  }
}

const gravestFirst = sql`case severity when 'critical' then 0 when 'high' then 1 when 'medium' then 2 when 'low' then 3 else 4 end`

const matches = (filter: FindingFilter, now: number) => (finding: ExpressionBuilder<Schema, 'findings'>) =>
  finding.and([
    ...(filter.severity === undefined ? [] : [finding('severity', '=', filter.severity)]),
    ...(filter.vulnerabilityId === undefined ? [] : [finding('vulnerability_id', '=', filter.vulnerabilityId)]),
    ...(filter.detector === undefined ? [] : [finding('detector', '=', filter.detector)]),
    ...(filter.state === undefined ? [] : [isIn(filter.state, now)]),
    ...(filter.file === undefined ? [] : [finding('file', '=', filter.file)]),
    ...(filter.project === undefined ? [] : [finding('project', '=', filter.project)]),
    ...(filter.scanId === undefined ? [] : [finding('last_scan_id', '=', filter.scanId)]),
    ...(filter.firstSeenSince === undefined ? [] : [finding('first_seen_at', '>=', filter.firstSeenSince)]),
    ...(filter.since === undefined ? [] : [finding('last_seen_at', '>=', filter.since)]),
  ])

/** A decision that has ended counts no more. */
const isIn = (state: FindingState, now: number) =>
  sql<boolean>`case when until is not null and until <= ${now} then 'open' else state end = ${state}`
