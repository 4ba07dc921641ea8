import type { Db } from './database.ts'
import type { BillingEventTable } from './schema.ts'

export function createBillingEventStore(db: Db) {
  return {
    /** False when it is there already. */
    async add(event: Omit<BillingEventTable, 'processed_at'>): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('billing_events')
        .values({ ...event, processed_at: null })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .executeTakeFirst()
      return (numInsertedOrUpdatedRows ?? 0n) > 0n
    },

    find: (id: string): Promise<BillingEventTable | undefined> =>
      db.selectFrom('billing_events').selectAll().where('id', '=', id).executeTakeFirst(),

    async markProcessed(id: string, at: number): Promise<void> {
      await db.updateTable('billing_events').set({ processed_at: at }).where('id', '=', id).execute()
    },

    async deleteProcessedBefore(moment: number): Promise<void> {
      await db
        .deleteFrom('billing_events')
        .where('processed_at', 'is not', null)
        .where('received_at', '<', moment)
        .execute()
    },
  }
}
