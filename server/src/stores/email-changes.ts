import type { Db } from './database.ts'
import type { EmailChangeTable } from './schema.ts'

export function createEmailChangeStore(db: Db) {
  return {
    /** A newer one takes the place of the older. */
    async put(row: EmailChangeTable): Promise<void> {
      const { account_id, ...changes } = row
      await db
        .insertInto('email_changes')
        .values(row)
        .onConflict((conflict) => conflict.column('account_id').doUpdateSet(changes))
        .execute()
    },

    /** The one that waits, with one try less; undefined when none is left. */
    spendTry: (accountId: string, now: number): Promise<EmailChangeTable | undefined> =>
      db
        .updateTable('email_changes')
        .set((row) => ({ tries_left: row('tries_left', '-', 1) }))
        .where('account_id', '=', accountId)
        .where('tries_left', '>', 0)
        .where('expires_at', '>', now)
        .returningAll()
        .executeTakeFirst(),

    async remove(accountId: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('email_changes')
        .where('account_id', '=', accountId)
        .executeTakeFirst()
      return numDeletedRows === 1n
    },

    async deleteExpired(now: number): Promise<void> {
      await db.deleteFrom('email_changes').where('expires_at', '<=', now).execute()
    },
  }
}
