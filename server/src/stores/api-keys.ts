import type { Db } from './database.ts'
import type { ApiKeyTable } from './schema.ts'

export type ApiKeyRow = ApiKeyTable

/** What a request with a key needs to know of it. */
type KnownKeyRow = Pick<
  ApiKeyRow,
  'id' | 'account_id' | 'type' | 'expires_at' | 'revoked_at' | 'scopes' | 'requests_per_hour' | 'scans_per_day'
>

/** What its owner may change of a key. */
export type KeyChanges = Partial<Pick<ApiKeyRow, 'name' | 'scopes' | 'requests_per_hour' | 'scans_per_day'>>

export function createApiKeyStore(db: Db) {
  return {
    async add(row: ApiKeyRow): Promise<void> {
      await db.insertInto('api_keys').values(row).execute()
    },

    /** The one look-up that a request with a key costs. */
    findByIndex: (keyIndexes: readonly string[]): Promise<KnownKeyRow | undefined> =>
      db
        .selectFrom('api_keys')
        .select([
          'id',
          'account_id',
          'type',
          'expires_at',
          'revoked_at',
          'scopes',
          'requests_per_hour',
          'scans_per_day',
        ])
        .where('key_index', 'in', keyIndexes)
        .executeTakeFirst(),

    find: (accountId: string, id: string): Promise<ApiKeyRow | undefined> =>
      db.selectFrom('api_keys').selectAll().where('account_id', '=', accountId).where('id', '=', id).executeTakeFirst(),

    /** The newest first. */
    list: (accountId: string): Promise<ApiKeyRow[]> =>
      db
        .selectFrom('api_keys')
        .selectAll()
        .where('account_id', '=', accountId)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .execute(),

    /** Those that work now, the newest first. */
    listActive: (accountId: string, now: number): Promise<ApiKeyRow[]> =>
      db
        .selectFrom('api_keys')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('revoked_at', 'is', null)
        .where('expires_at', '>', now)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .execute(),

    /** Keys that are neither revoked nor expired and were sealed by none of these secrets. */
    async countSealedByOthers(sealedStarts: readonly string[], now: number): Promise<number> {
      const { n } = await db
        .selectFrom('api_keys')
        .select((select) => select.fn.countAll<number>().as('n'))
        .where('revoked_at', 'is', null)
        .where('expires_at', '>', now)
        .where((row) => row.and(sealedStarts.map((start) => row('sealed', 'not like', `${start}%`))))
        .executeTakeFirstOrThrow()
      return n
    },

    async countActive(accountId: string, now: number): Promise<number> {
      const { n } = await db
        .selectFrom('api_keys')
        .select((select) => select.fn.countAll<number>().as('n'))
        .where('account_id', '=', accountId)
        .where('revoked_at', 'is', null)
        .where('expires_at', '>', now)
        .executeTakeFirstOrThrow()
      return n
    },

    /** False when there is no such key of this account or it was revoked before. */
    async revoke(accountId: string, id: string, at: number): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('api_keys')
        .set({ revoked_at: at })
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .where('revoked_at', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    /** The key as it is now; undefined when there is none of this account. */
    change: (accountId: string, id: string, changes: KeyChanges): Promise<ApiKeyRow | undefined> =>
      db
        .updateTable('api_keys')
        .set(changes)
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst(),

    async setMaker(accountId: string, from: string, to: string): Promise<void> {
      await db
        .updateTable('api_keys')
        .set({ maker: to })
        .where('account_id', '=', accountId)
        .where('maker', '=', from)
        .execute()
    },

    async setExpiry(accountId: string, id: string, expiresAt: number): Promise<void> {
      await db
        .updateTable('api_keys')
        .set({ expires_at: expiresAt })
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .execute()
    },

    async touch(id: string, at: number): Promise<void> {
      await db
        .updateTable('api_keys')
        .set({ last_used_at: at })
        .where('id', '=', id)
        .where((row) => row.or([row('last_used_at', 'is', null), row('last_used_at', '<', at)]))
        .execute()
    },

    /** Keys that end between two moments and whose owner was not notified yet. */
    listExpiring: (from: number, to: number, limit: number): Promise<ApiKeyRow[]> =>
      db
        .selectFrom('api_keys')
        .selectAll()
        .where('expires_at', '>', from)
        .where('expires_at', '<=', to)
        .where('revoked_at', 'is', null)
        .where('expiry_noticed_at', 'is', null)
        .orderBy('expires_at')
        .limit(limit)
        .execute(),

    /** True for the one caller that gets to tell. */
    async noteExpiryNotice(id: string, at: number): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('api_keys')
        .set({ expiry_noticed_at: at })
        .where('id', '=', id)
        .where('expiry_noticed_at', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    /** A page of all keys in the order of their ids, for sealing them anew. */
    listAfter(afterId: string | undefined, limit: number): Promise<ApiKeyRow[]> {
      let query = db.selectFrom('api_keys').selectAll()
      if (afterId) query = query.where('id', '>', afterId)
      return query.orderBy('id').limit(limit).execute()
    },

    async reseal(id: string, keyIndex: string, sealed: string): Promise<void> {
      await db.updateTable('api_keys').set({ key_index: keyIndex, sealed }).where('id', '=', id).execute()
    },
  }
}
