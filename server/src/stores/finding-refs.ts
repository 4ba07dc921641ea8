import { sql } from 'kysely'
import type { Db } from './database.ts'
import type { FindingRefTable } from './schema.ts'

/** Where and when a scan looked. */
export interface Look {
  readonly accountId: string
  readonly project: string
  readonly ref: string
  /** When it was accepted. */
  readonly at: number
  readonly observation: string
}

export interface UnseenFinding {
  readonly id: string
  readonly file: string
  readonly detector: string
}

/** Rows of one statement: on the embedded database the serving thread does nothing else meanwhile. */
const BATCH = 100
/** Beyond this many files it is cheaper to look through all findings of the project. */
const MAX_NAMED_FILES = 100

export function createFindingRefStore(db: Db) {
  return {
    /** A look that was accepted earlier than the last one changes nothing. */
    async observe(rows: readonly FindingRefTable[]): Promise<void> {
      for (let at = 0; at < rows.length; at += BATCH) {
        await db
          .insertInto('finding_refs')
          .values(rows.slice(at, at + BATCH))
          .onConflict((conflict) =>
            conflict
              .columns(['finding_id', 'ref'])
              .doUpdateSet((update) => ({
                state: update.ref('excluded.state'),
                last_scan_id: update.ref('excluded.last_scan_id'),
                last_seen_at: update.ref('excluded.last_seen_at'),
                observed_at: update.ref('excluded.observed_at'),
                observation: update.ref('excluded.observation'),
              }))
              .whereRef('excluded.observed_at', '>=', 'finding_refs.observed_at'),
          )
          .execute()
      }
    },

    /** What is open on the ref and was not seen by this look, nor by a later one; only of these files, where they are few. */
    async listUnseen(
      { accountId, project, ref, at, observation }: Look,
      files: readonly string[] | undefined,
    ): Promise<UnseenFinding[]> {
      if (files?.length === 0) return []
      let query = db
        .selectFrom('findings')
        .innerJoin('finding_refs', 'finding_refs.finding_id', 'findings.id')
        .select(['findings.id', 'findings.file', 'findings.detector'])
        .where('findings.account_id', '=', accountId)
        .where('findings.project', '=', project)
        .where('finding_refs.ref', '=', ref)
        .where('finding_refs.state', '=', 'open')
        .where('finding_refs.observed_at', '<=', at)
        .where('finding_refs.observation', '!=', observation)
      if (files && files.length <= MAX_NAMED_FILES) query = query.where('findings.file', 'in', files)
      return query.execute()
    },

    /** Those that this look would have seen. */
    async close({ ref, at, observation }: Look, ids: readonly string[]): Promise<void> {
      for (let from = 0; from < ids.length; from += BATCH) {
        await db
          .updateTable('finding_refs')
          .set({ state: 'fixed', observed_at: at, observation })
          .where('ref', '=', ref)
          .where('finding_id', 'in', ids.slice(from, from + BATCH))
          .execute()
      }
    },

    /** On every ref, the newest first. */
    async listOf(findingIds: readonly string[]): Promise<FindingRefTable[]> {
      if (findingIds.length === 0) return []
      return db
        .selectFrom('finding_refs')
        .selectAll()
        .where('finding_id', 'in', findingIds)
        .orderBy('last_seen_at', 'desc')
        .orderBy('ref')
        .execute()
    },

    /**
     * Brings the state of these records in line with their refs: the default one decides, and where it never had the finding, any that has it
     * open. What people decided stays; `fixed`, said by a person, until the deciding ref is looked at again.
     */
    async settle(
      ids: readonly string[],
      { defaultRef, lookedAt, now }: { defaultRef: string; lookedAt: string | undefined; now: number },
    ): Promise<void> {
      const isOnDefault = sql`exists (select 1 from finding_refs r where r.finding_id = findings.id and r.ref = ${defaultRef})`
      const isOpen = sql`exists (select 1 from finding_refs r where r.finding_id = findings.id and r.state = 'open'
        and (r.ref = ${defaultRef} or not ${isOnDefault}))`
      const isDecided = sql`(findings.state in ('false-positive', 'accepted') and (until is null or until > ${now}))`
      const isSaidFixed =
        lookedAt === defaultRef
          ? sql`1 = 0`
          : sql`(findings.state = 'fixed' and decided_by is not null and ${isOnDefault})`
      for (let from = 0; from < ids.length; from += BATCH) {
        const some = ids.slice(from, from + BATCH)
        for (const [state, holds] of [
          ['open', isOpen],
          ['fixed', sql`not ${isOpen}`],
        ] as const)
          await db
            .updateTable('findings')
            .set({ state, reason: null, until: null, decided_by: null, decided_at: null })
            .where('id', 'in', some)
            .where('state', '!=', state)
            .where(sql<boolean>`${holds} and not ${isDecided} and not ${isSaidFixed}`)
            .execute()
      }
    },

    /** With a scan that is deleted goes what it alone saw; the rest is what another ref saw last. */
    async detachScan(accountId: string, scanId: string): Promise<void> {
      const other = sql`from finding_refs r where r.finding_id = findings.id and r.last_scan_id != ${scanId}`
      await sql`update findings set
          last_seen_at = (select max(r.last_seen_at) ${other}),
          last_scan_id = (select max(r.last_scan_id) ${other})
        where account_id = ${accountId} and last_scan_id = ${scanId} and exists (select 1 ${other})`.execute(db)
    },
  }
}
