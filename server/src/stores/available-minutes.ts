import { sql } from 'kysely'
import type { Db } from './database.ts'

export function createAvailableMinuteStore(db: Db) {
  return {
    /** Any number of processes may say so. */
    async add(minute: number): Promise<void> {
      await db
        .insertInto('available_minutes')
        .values({ minute })
        .onConflict((conflict) => conflict.column('minute').doNothing())
        .execute()
    },

    async findFirst(): Promise<number | undefined> {
      const row = await db
        .selectFrom('available_minutes')
        .select('minute')
        .orderBy('minute')
        .limit(1)
        .executeTakeFirst()
      return row?.minute
    },

    /** How many in [from, to). */
    async count(from: number, to: number): Promise<number> {
      const row = await db
        .selectFrom('available_minutes')
        .select(sql<number>`count(*)`.as('n'))
        .where('minute', '>=', from)
        .where('minute', '<', to)
        .executeTakeFirst()
      return Number(row?.n ?? 0)
    },

    async deleteBefore(minute: number): Promise<void> {
      await db.deleteFrom('available_minutes').where('minute', '<', minute).execute()
    },
  }
}
