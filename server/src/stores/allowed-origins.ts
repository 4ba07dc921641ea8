import { type Db, transaction } from './database.ts'

export function createAllowedOriginStore(db: Db) {
  return {
    async list(accountId: string): Promise<string[]> {
      const rows = await db
        .selectFrom('allowed_origins')
        .select('origin')
        .where('account_id', '=', accountId)
        .orderBy('origin')
        .execute()
      return rows.map(({ origin }) => origin)
    },

    /** Whether this account allows it; without one, whether any does. */
    async has(origin: string, accountId?: string): Promise<boolean> {
      let query = db.selectFrom('allowed_origins').select('origin').where('origin', '=', origin)
      if (accountId !== undefined) query = query.where('account_id', '=', accountId)
      return (await query.limit(1).executeTakeFirst()) !== undefined
    },

    /** These and no others. */
    replace: (accountId: string, origins: readonly string[]): Promise<void> =>
      transaction(db, async (tx) => {
        await tx.deleteFrom('allowed_origins').where('account_id', '=', accountId).execute()
        if (origins.length === 0) return
        await tx
          .insertInto('allowed_origins')
          .values(origins.map((origin) => ({ account_id: accountId, origin })))
          .execute()
      }),
  }
}
