import type { Db } from './database.ts'
import type { WebhookDeliveryTable, WebhookMessageTable } from './schema.ts'

export type WebhookDeliveryRow = WebhookDeliveryTable & { type: string }

export interface AttemptRecord {
  readonly status: WebhookDeliveryTable['status']
  readonly statusCode: number | null
  readonly error: string | null
  readonly durationMs: number
  readonly at: number
}

export function createWebhookDeliveryStore(db: Db) {
  const withType = () =>
    db
      .selectFrom('webhook_deliveries')
      .innerJoin('webhook_messages', 'webhook_messages.id', 'webhook_deliveries.message_id')
      .selectAll('webhook_deliveries')
      .select('webhook_messages.type')
  return {
    /** Once per id, however often it is added. */
    async addMessage(message: WebhookMessageTable): Promise<void> {
      await db
        .insertInto('webhook_messages')
        .values(message)
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute()
    },

    findMessage: (id: string): Promise<WebhookMessageTable | undefined> =>
      db.selectFrom('webhook_messages').selectAll().where('id', '=', id).executeTakeFirst(),

    /** False when this message is already on its way to this webhook. */
    async add(
      delivery: Pick<WebhookDeliveryTable, 'id' | 'webhook_id' | 'message_id' | 'created_at'>,
    ): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('webhook_deliveries')
        .values({
          ...delivery,
          status: 'pending',
          attempts: 0,
          last_status_code: null,
          last_error: null,
          last_duration_ms: null,
          last_attempt_at: null,
        })
        .onConflict((conflict) => conflict.columns(['webhook_id', 'message_id']).doNothing())
        .executeTakeFirst()
      return (numInsertedOrUpdatedRows ?? 0n) > 0n
    },

    get: (id: string): Promise<WebhookDeliveryRow | undefined> =>
      withType().where('webhook_deliveries.id', '=', id).executeTakeFirst(),

    find: (accountId: string, id: string): Promise<WebhookDeliveryRow | undefined> =>
      withType()
        .where('webhook_deliveries.id', '=', id)
        .where('webhook_messages.account_id', '=', accountId)
        .executeTakeFirst(),

    /** Newest first: ids sort by time. */
    list(
      webhookId: string,
      { notBefore, limit, after }: { notBefore: number; limit: number; after: string | undefined },
    ): Promise<WebhookDeliveryRow[]> {
      const page = withType()
        .where('webhook_deliveries.webhook_id', '=', webhookId)
        .where('webhook_messages.created_at', '>=', notBefore)
      return (after === undefined ? page : page.where('webhook_deliveries.id', '<', after))
        .orderBy('webhook_deliveries.id', 'desc')
        .limit(limit)
        .execute()
    },

    async count(webhookId: string, notBefore: number): Promise<number> {
      const row = await db
        .selectFrom('webhook_deliveries')
        .innerJoin('webhook_messages', 'webhook_messages.id', 'webhook_deliveries.message_id')
        .select((select) => select.fn.countAll<number>().as('n'))
        .where('webhook_deliveries.webhook_id', '=', webhookId)
        .where('webhook_messages.created_at', '>=', notBefore)
        .executeTakeFirstOrThrow()
      return Number(row.n)
    },

    async recordAttempt(id: string, attempt: AttemptRecord): Promise<void> {
      await db
        .updateTable('webhook_deliveries')
        .set((row) => ({
          status: attempt.status,
          attempts: row('attempts', '+', 1),
          last_status_code: attempt.statusCode,
          last_error: attempt.error,
          last_duration_ms: attempt.durationMs,
          last_attempt_at: attempt.at,
        }))
        .where('id', '=', id)
        .execute()
    },

    async setStatus(id: string, status: WebhookDeliveryTable['status'], error: string | null): Promise<void> {
      await db.updateTable('webhook_deliveries').set({ status, last_error: error }).where('id', '=', id).execute()
    },

    async deleteBefore(moment: number): Promise<number> {
      const gone = await db.deleteFrom('webhook_messages').where('created_at', '<', moment).executeTakeFirst()
      return Number(gone.numDeletedRows)
    },
  }
}
