import type { Db } from './database.ts'
import type { PasswordResetTable } from './schema.ts'

export function createPasswordResetStore(db: Db) {
  return {
    async add(row: PasswordResetTable): Promise<void> {
      await db.insertInto('password_resets').values(row).execute()
    },

    find: (tokenIndexes: readonly string[], now: number): Promise<PasswordResetTable | undefined> =>
      db
        .selectFrom('password_resets')
        .selectAll()
        .where('token_index', 'in', tokenIndexes)
        .where('expires_at', '>', now)
        .executeTakeFirst(),

    /** Uses up the token: of two requests that hold it, one gets true. */
    async spend(tokenIndex: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('password_resets')
        .where('token_index', '=', tokenIndex)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },

    async removeAll(accountId: string): Promise<void> {
      await db.deleteFrom('password_resets').where('account_id', '=', accountId).execute()
    },

    async deleteExpired(now: number): Promise<void> {
      await db.deleteFrom('password_resets').where('expires_at', '<=', now).execute()
    },
  }
}
