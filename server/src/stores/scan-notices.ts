import type { Db } from './database.ts'
import type { ScanNoticeTable, ScanTable } from './schema.ts'

/** Nobody reads a mail about more of them. */
const MAX_NOTICES = 500

/** Scans that a mail is still to tell of. */
export function createScanNoticeStore(db: Db) {
  return {
    async add(row: ScanNoticeTable): Promise<void> {
      await db
        .insertInto('scan_notices')
        .values(row)
        .onConflict((conflict) => conflict.column('scan_id').doNothing())
        .execute()
    },

    /** Accounts with something to be reported, in the order of their ids. */
    async listAccounts(after: string, limit: number): Promise<string[]> {
      const rows = await db
        .selectFrom('scan_notices')
        .select('account_id')
        .distinct()
        .where('account_id', '>', after)
        .orderBy('account_id')
        .limit(limit)
        .execute()
      return rows.map(({ account_id }) => account_id)
    },

    /** Takes all of an account and returns the newest of them, the newest first. */
    async take(accountId: string): Promise<ScanTable[]> {
      const taken = await db
        .deleteFrom('scan_notices')
        .where('account_id', '=', accountId)
        .returning('scan_id')
        .execute()
      const ids = taken
        .map(({ scan_id }) => scan_id)
        .sort()
        .slice(-MAX_NOTICES)
      if (ids.length === 0) return []
      return db.selectFrom('scans').selectAll().where('id', 'in', ids).orderBy('id', 'desc').execute()
    },
  }
}
