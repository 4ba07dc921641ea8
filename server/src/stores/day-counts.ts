import { sql } from 'kysely'
import type { Db } from './database.ts'

/** Who is counted: an account, or a key that has a limit of its own. */
const tables = {
  account: { table: sql.table('scan_counts'), owner: sql.ref('account_id') },
  key: { table: sql.table('key_scan_counts'), owner: sql.ref('key_id') },
}

/** Scans of a day. */
export function createDayCountStore(db: Db, counted: keyof typeof tables) {
  const { table, owner } = tables[counted]
  return {
    /**
     * Takes places of the day, all or none; the count with them, or undefined when the limit does not allow it. One statement: exact under
     * concurrency.
     */
    async take(ownerId: string, day: number, limit: number, places = 1): Promise<number | undefined> {
      if (places > limit) return undefined
      const { rows } = await sql<{ n: number }>`
        insert into ${table} (${owner}, day, n) values (${ownerId}, ${day}, ${places})
        on conflict (${owner}, day) do update set n = ${table}.n + ${places} where ${table}.n + ${places} <= ${limit}
        returning n`.execute(db)
      return rows[0]?.n
    },

    /** Counts a scan that gave a result though its place had been given back. */
    async force(ownerId: string, day: number): Promise<void> {
      await sql`insert into ${table} (${owner}, day, n) values (${ownerId}, ${day}, 1)
        on conflict (${owner}, day) do update set n = ${table}.n + 1`.execute(db)
    },

    async giveBack(ownerId: string, day: number, places = 1): Promise<void> {
      await sql`update ${table} set n = n - ${places}
        where ${owner} = ${ownerId} and day = ${day} and n >= ${places}`.execute(db)
    },

    async count(ownerId: string, day: number): Promise<number> {
      const { rows } = await sql<{ n: number }>`
        select n from ${table} where ${owner} = ${ownerId} and day = ${day}`.execute(db)
      return rows[0]?.n ?? 0
    },

    async listSince(ownerId: string, day: number): Promise<{ day: number; n: number }[]> {
      const { rows } = await sql<{ day: number; n: number }>`
        select day, n from ${table} where ${owner} = ${ownerId} and day >= ${day}`.execute(db)
      return rows
    },

    async removeAll(ownerId: string): Promise<void> {
      await sql`delete from ${table} where ${owner} = ${ownerId}`.execute(db)
    },

    async deleteBefore(day: number): Promise<void> {
      await sql`delete from ${table} where day < ${day}`.execute(db)
    },
  }
}
