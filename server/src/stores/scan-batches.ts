import { sql } from 'kysely'
import type { ScanStatus } from '../core/scan-status.ts'
import type { Db } from './database.ts'
import type { ScanBatchTable, ScanRequestTable, ScanTable } from './schema.ts'

/** A scan of a batch, with what is known of its result. */
export interface BatchScanRow extends ScanRequestTable {
  score: number | null
  rating: string | null
  total: number | null
}

export function createScanBatchStore(db: Db) {
  return {
    async add(batch: ScanBatchTable): Promise<void> {
      await db.insertInto('scan_batches').values(batch).execute()
    },

    async find(accountId: string, id: string, notBefore: number): Promise<ScanBatchTable | undefined> {
      return db
        .selectFrom('scan_batches')
        .selectAll()
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .where('created_at', '>', notBefore)
        .executeTakeFirst()
    },

    async count(id: string): Promise<{ status: ScanStatus; n: number }[]> {
      return db
        .selectFrom('scan_requests')
        .select((select) => ['status', select.fn.countAll<number>().as('n')])
        .where('batch_id', '=', id)
        .groupBy('status')
        .execute()
    },

    /** Of its scans that are done, what each found. */
    listCounts: (id: string): Promise<Pick<ScanTable, 'critical' | 'high' | 'tally'>[]> =>
      db
        .selectFrom('scan_requests')
        .innerJoin('scans', 'scans.id', 'scan_requests.id')
        .select(['scans.critical', 'scans.high', 'scans.tally'])
        .where('scan_requests.batch_id', '=', id)
        .execute(),

    /** In the order of the upload. */
    async list(id: string, { limit, after = '' }: { limit: number; after?: string | undefined }) {
      return db
        .selectFrom('scan_requests')
        .leftJoin('scans', 'scans.id', 'scan_requests.id')
        .selectAll('scan_requests')
        .select(['scans.score', 'scans.rating', 'scans.total'])
        .where('scan_requests.batch_id', '=', id)
        .where('scan_requests.id', '>', after)
        .orderBy('scan_requests.id')
        .limit(limit)
        .execute() as Promise<BatchScanRow[]>
    },

    /** Ends what waits or is under way, and lets go of its places; which scans these were. */
    async cancel(id: string, now: number): Promise<Pick<ScanRequestTable, 'id' | 'day' | 'key_id'>[]> {
      const { rows } = await sql<{ id: string; day: number; key_id: string | null }>`
        update scan_requests set status = 'cancelled', finished_at = ${now}, instance_id = null, holds_place = 0,
          revision = revision + 1
        where batch_id = ${id} and status in ('queued', 'running') returning id, day, key_id`.execute(db)
      await sql`delete from scan_uploads where scan_id in (
        select id from scan_requests where batch_id = ${id} and status = 'cancelled')`.execute(db)
      return rows
    },
  }
}
