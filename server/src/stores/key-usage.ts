import { sql } from 'kysely'
import type { Db } from './database.ts'
import type { KeyUsageTable } from './schema.ts'

export function createKeyUsageStore(db: Db) {
  return {
    async add({ account_id, key_id, day, requests }: KeyUsageTable): Promise<void> {
      await sql`insert into key_usage (account_id, key_id, day, requests)
        values (${account_id}, ${key_id}, ${day}, ${requests})
        on conflict (account_id, day, key_id) do update set requests = key_usage.requests + ${requests}`.execute(db)
    },

    /** The newest day first. */
    listSince: (accountId: string, day: number): Promise<KeyUsageTable[]> =>
      db
        .selectFrom('key_usage')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('day', '>=', day)
        .orderBy('day', 'desc')
        .orderBy('key_id')
        .execute(),

    async removeAll(accountId: string): Promise<void> {
      await db.deleteFrom('key_usage').where('account_id', '=', accountId).execute()
    },

    async deleteBefore(day: number): Promise<void> {
      await db.deleteFrom('key_usage').where('day', '<', day).execute()
    },
  }
}
