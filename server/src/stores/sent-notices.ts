import type { Db } from './database.ts'
import type { SentNoticeTable } from './schema.ts'

export function createSentNoticeStore(db: Db) {
  return {
    /** True for the one caller that gets to tell. */
    async add(row: SentNoticeTable): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('told_once')
        .values(row)
        .onConflict((conflict) => conflict.columns(['account_id', 'subject']).doNothing())
        .executeTakeFirst()
      return numInsertedOrUpdatedRows === 1n
    },

    async deleteOlderThan(moment: number): Promise<void> {
      await db.deleteFrom('told_once').where('at', '<', moment).execute()
    },
  }
}
