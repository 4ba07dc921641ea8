import type { Db } from './database.ts'
import type { SessionTable } from './schema.ts'

export type SessionRow = SessionTable

export function createSessionStore(db: Db) {
  return {
    async add(row: SessionRow): Promise<void> {
      await db.insertInto('sessions').values(row).execute()
    },

    find: (tokenIndexes: readonly string[], now: number): Promise<SessionRow | undefined> =>
      db
        .selectFrom('sessions')
        .selectAll()
        .where('token_index', 'in', tokenIndexes)
        .where('expires_at', '>', now)
        .executeTakeFirst(),

    /** The newest that is alive and was begun at this address after `from`. */
    findBegun: (accountId: string, address: string, { from, until }: { from: number; until: number }) =>
      db
        .selectFrom('sessions')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('address', '=', address)
        .where('created_at', '>', from)
        .where('created_at', '<=', until)
        .where('expires_at', '>', until)
        .orderBy('created_at', 'desc')
        .executeTakeFirst(),

    list: (accountId: string, now: number): Promise<SessionRow[]> =>
      db
        .selectFrom('sessions')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('expires_at', '>', now)
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .execute(),

    async touch(id: string, at: number): Promise<void> {
      await db.updateTable('sessions').set({ last_used_at: at }).where('id', '=', id).execute()
    },

    async remove(accountId: string, id: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('sessions')
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },

    async removeAll(accountId: string): Promise<void> {
      await db.deleteFrom('sessions').where('account_id', '=', accountId).execute()
    },

    /** All but one. */
    async removeOthers(accountId: string, id: string): Promise<void> {
      await db.deleteFrom('sessions').where('account_id', '=', accountId).where('id', '!=', id).execute()
    },

    async deleteExpired(now: number): Promise<void> {
      await db.deleteFrom('sessions').where('expires_at', '<=', now).execute()
    },
  }
}
