import { type Db, transaction } from './database.ts'
import type { WebhookTable } from './schema.ts'

export type WebhookRow = WebhookTable
export type WebhookChanges = Partial<
  Pick<WebhookRow, 'url' | 'events' | 'description' | 'status' | 'disabled_reason' | 'failing_since'>
>

export function createWebhookStore(db: Db) {
  return {
    /** False when the account has `max` already. */
    add: (row: WebhookRow, max: number): Promise<boolean> =>
      transaction(db, async (tx) => {
        // Holding the account's row makes the count and the insert one step.
        await tx
          .updateTable('accounts')
          .set((account) => ({ id: account.ref('id') }))
          .where('id', '=', row.account_id)
          .execute()
        const { n } = await tx
          .selectFrom('webhooks')
          .select((select) => select.fn.countAll<number>().as('n'))
          .where('account_id', '=', row.account_id)
          .executeTakeFirstOrThrow()
        if (n >= max) return false
        await tx.insertInto('webhooks').values(row).execute()
        return true
      }),

    list: (accountId: string): Promise<WebhookRow[]> =>
      db.selectFrom('webhooks').selectAll().where('account_id', '=', accountId).orderBy('id').execute(),

    find: (accountId: string, id: string): Promise<WebhookRow | undefined> =>
      db.selectFrom('webhooks').selectAll().where('id', '=', id).where('account_id', '=', accountId).executeTakeFirst(),

    get: (id: string): Promise<WebhookRow | undefined> =>
      db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirst(),

    async change(id: string, changes: WebhookChanges): Promise<void> {
      if (Object.keys(changes).length === 0) return
      await db.updateTable('webhooks').set(changes).where('id', '=', id).execute()
    },

    async setSecret(
      id: string,
      secrets: Pick<WebhookRow, 'secret' | 'previous_secret' | 'previous_until'>,
    ): Promise<void> {
      await db.updateTable('webhooks').set(secrets).where('id', '=', id).execute()
    },

    /** A page of all webhooks in the order of their ids, for sealing their secrets anew. */
    listAfter(afterId: string | undefined, limit: number): Promise<WebhookRow[]> {
      let query = db.selectFrom('webhooks').selectAll()
      if (afterId) query = query.where('id', '>', afterId)
      return query.orderBy('id').limit(limit).execute()
    },

    /** False when the secret was changed meanwhile. */
    async reseal(
      { id, secret }: Pick<WebhookRow, 'id' | 'secret'>,
      resealed: Pick<WebhookRow, 'secret' | 'previous_secret'>,
    ): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('webhooks')
        .set(resealed)
        .where('id', '=', id)
        .where('secret', '=', secret)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    /** Notes a failure; since when this webhook has been failing. */
    async noteFailure(id: string, now: number): Promise<number> {
      await db
        .updateTable('webhooks')
        .set({ failing_since: now })
        .where('id', '=', id)
        .where('failing_since', 'is', null)
        .execute()
      const row = await db.selectFrom('webhooks').select('failing_since').where('id', '=', id).executeTakeFirst()
      return row?.failing_since ?? now
    },

    async noteSuccess(id: string): Promise<void> {
      await db
        .updateTable('webhooks')
        .set({ failing_since: null })
        .where('id', '=', id)
        .where('failing_since', 'is not', null)
        .execute()
    },

    /** True for the one who turned it off. */
    async disable(id: string, reason: string): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('webhooks')
        .set({ status: 'disabled', disabled_reason: reason })
        .where('id', '=', id)
        .where('status', '=', 'active')
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async removeMadeBy(accountId: string, makers: readonly string[]): Promise<number> {
      const { numDeletedRows } = await db
        .deleteFrom('webhooks')
        .where('account_id', '=', accountId)
        .where('maker', 'in', makers)
        .executeTakeFirst()
      return Number(numDeletedRows)
    },

    async setMaker(accountId: string, makers: readonly string[], to: string): Promise<void> {
      await db
        .updateTable('webhooks')
        .set({ maker: to })
        .where('account_id', '=', accountId)
        .where('maker', 'in', makers)
        .execute()
    },

    async remove(accountId: string, id: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('webhooks')
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },
  }
}
