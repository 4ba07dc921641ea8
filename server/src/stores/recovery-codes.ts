import type { Db } from './database.ts'

export function createRecoveryCodeStore(db: Db) {
  const removeAll = async (accountId: string): Promise<void> => {
    await db.deleteFrom('recovery_codes').where('account_id', '=', accountId).execute()
  }
  return {
    removeAll,

    /** The new ones void those before. */
    async replace(accountId: string, hashes: readonly string[]): Promise<void> {
      await removeAll(accountId)
      await db
        .insertInto('recovery_codes')
        .values(hashes.map((hash) => ({ account_id: accountId, code_hash: hash })))
        .execute()
    },

    /** Uses it up: of two requests that bring it, one gets true. */
    async spend(accountId: string, hash: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('recovery_codes')
        .where('account_id', '=', accountId)
        .where('code_hash', '=', hash)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },

    async count(accountId: string): Promise<number> {
      const rows = await db
        .selectFrom('recovery_codes')
        .select('code_hash')
        .where('account_id', '=', accountId)
        .execute()
      return rows.length
    },
  }
}
