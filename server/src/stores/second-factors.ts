import type { Db } from './database.ts'
import type { SecondFactorTable } from './schema.ts'

export type { FactorKind } from './schema.ts'

export type SecondFactorRow = SecondFactorTable

export function createSecondFactorStore(db: Db) {
  const remove = async (accountId: string, id?: string): Promise<number> => {
    const all = db.deleteFrom('second_factors').where('account_id', '=', accountId)
    const { numDeletedRows } = await (id === undefined ? all : all.where('id', '=', id)).executeTakeFirst()
    return Number(numDeletedRows)
  }
  return {
    /** False when this credential belongs to a user already. */
    async add(row: SecondFactorRow): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('second_factors')
        .values(row)
        .onConflict((conflict) => conflict.column('credential_id').doNothing())
        .executeTakeFirst()
      return (numInsertedOrUpdatedRows ?? 0n) > 0n
    },

    find: (accountId: string, id: string): Promise<SecondFactorRow | undefined> =>
      db
        .selectFrom('second_factors')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .executeTakeFirst(),

    findCredential: (credentialId: string): Promise<SecondFactorRow | undefined> =>
      db
        .selectFrom('second_factors')
        .selectAll()
        .where('credential_id', '=', credentialId)
        .where('confirmed_at', 'is not', null)
        .executeTakeFirst(),

    /** Those that count, the oldest first. */
    listConfirmed: (accountId: string): Promise<SecondFactorRow[]> =>
      db
        .selectFrom('second_factors')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('confirmed_at', 'is not', null)
        .orderBy('created_at')
        .orderBy('id')
        .execute(),

    async confirm(id: string, count: number, at: number): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('second_factors')
        .set({ confirmed_at: at, last_count: count })
        .where('id', '=', id)
        .where('confirmed_at', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    /** Takes a code once: of two requests that bring the same, one gets true. An authenticator that does not count stays at zero. */
    async use(id: string, count: number, at: number): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('second_factors')
        .set({ last_count: count, last_used_at: at })
        .where('id', '=', id)
        .where('last_count', count === 0 ? '=' : '<', count)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    remove: async (accountId: string, id: string): Promise<boolean> => (await remove(accountId, id)) > 0,
    removeAll: (accountId: string): Promise<number> => remove(accountId),

    async deleteUnconfirmed(createdBefore: number): Promise<void> {
      await db
        .deleteFrom('second_factors')
        .where('confirmed_at', 'is', null)
        .where('created_at', '<', createdBefore)
        .execute()
    },

    /** In the order of their ids, for going through them all. */
    listAfter: (afterId: string | undefined, limit: number): Promise<SecondFactorRow[]> =>
      db
        .selectFrom('second_factors')
        .selectAll()
        .where('id', '>', afterId ?? '')
        .orderBy('id')
        .limit(limit)
        .execute(),

    async reseal(id: string, secret: string): Promise<void> {
      await db.updateTable('second_factors').set({ secret }).where('id', '=', id).execute()
    },
  }
}
