import type { Db } from './database.ts'
import type { SecurityEventTable } from './schema.ts'

export function createSecurityEventStore(db: Db) {
  return {
    async add(row: SecurityEventTable): Promise<void> {
      await db.insertInto('security_events').values(row).execute()
    },

    /** The newest first, those before `beforeId` only. */
    list(accountId: string, limit: number, beforeId: string | undefined): Promise<SecurityEventTable[]> {
      let query = db.selectFrom('security_events').selectAll().where('account_id', '=', accountId)
      if (beforeId) query = query.where('id', '<', beforeId)
      return query.orderBy('id', 'desc').limit(limit).execute()
    },

    async count(accountId: string): Promise<number> {
      const row = await db
        .selectFrom('security_events')
        .select((select) => select.fn.countAll<number>().as('n'))
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow()
      return Number(row.n)
    },

    async deleteOlderThan(moment: number): Promise<void> {
      await db.deleteFrom('security_events').where('at', '<', moment).execute()
    },
  }
}
