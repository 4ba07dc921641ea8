import { sql } from 'kysely'
import type { Db } from './database.ts'

/** Scans of the day of keys that have a limit of their own. */
export function createKeyScanCountStore(db: Db) {
  return {
    /** Takes places of the day, all or none; false when the limit does not allow it. One statement: exact under concurrency. */
    async take(keyId: string, day: number, limit: number, places = 1): Promise<boolean> {
      if (places > limit) return false
      const { rows } = await sql<{ n: number }>`
        insert into key_scan_counts (key_id, day, n) values (${keyId}, ${day}, ${places})
        on conflict (key_id, day) do update set n = key_scan_counts.n + ${places}
          where key_scan_counts.n + ${places} <= ${limit}
        returning n`.execute(db)
      return rows.length > 0
    },

    /** Counts a scan that gave a result though its place had been given back. */
    async force(keyId: string, day: number): Promise<void> {
      await sql`insert into key_scan_counts (key_id, day, n) values (${keyId}, ${day}, 1)
        on conflict (key_id, day) do update set n = key_scan_counts.n + 1`.execute(db)
    },

    async giveBack(keyId: string, day: number, places = 1): Promise<void> {
      await sql`update key_scan_counts set n = n - ${places}
        where key_id = ${keyId} and day = ${day} and n >= ${places}`.execute(db)
    },

    async count(keyId: string, day: number): Promise<number> {
      const row = await db
        .selectFrom('key_scan_counts')
        .select('n')
        .where('key_id', '=', keyId)
        .where('day', '=', day)
        .executeTakeFirst()
      return row?.n ?? 0
    },

    async deleteBefore(day: number): Promise<void> {
      await db.deleteFrom('key_scan_counts').where('day', '<', day).execute()
    },
  }
}
