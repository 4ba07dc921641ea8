import type { ExpressionBuilder } from 'kysely'
import type { Db } from './database.ts'
import type { MailPreferenceTable, Schema } from './schema.ts'

export function createMailPreferenceStore(db: Db) {
  return {
    list: (accountId: string): Promise<MailPreferenceTable[]> =>
      db.selectFrom('mail_preferences').selectAll().where('account_id', '=', accountId).execute(),

    async set(accountId: string, kind: string, isWanted: boolean): Promise<void> {
      await db
        .insertInto('mail_preferences')
        .values({ account_id: accountId, kind, is_wanted: isWanted ? 1 : 0 })
        .onConflict((conflict) => conflict.columns(['account_id', 'kind']).doUpdateSet({ is_wanted: isWanted ? 1 : 0 }))
        .execute()
    },

    /** Accounts that want this kind and are due for it, in the order of their ids. */
    async listDue(kind: string, turn: Turn, after: string, limit: number): Promise<string[]> {
      const rows = await db
        .selectFrom('mail_preferences')
        .select('account_id')
        .where('kind', '=', kind)
        .where('account_id', '>', after)
        .where(isDue(turn))
        .orderBy('account_id')
        .limit(limit)
        .execute()
      return rows.map(({ account_id }) => account_id)
    },

    /** True for the one caller that gets to send it; false for every other, and once it is no longer wanted. */
    async takeTurn(accountId: string, kind: string, turn: Turn): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('mail_preferences')
        .set({ last_sent_at: turn.at })
        .where('account_id', '=', accountId)
        .where('kind', '=', kind)
        .where(isDue(turn))
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
  }
}

/** One round of a mail that goes out in a rhythm. */
export interface Turn {
  readonly at: number
  readonly intervalMs: number
}

/** A moment more than an interval ahead was written by a clock that ran ahead. */
const isDue =
  ({ at, intervalMs }: Turn) =>
  (row: ExpressionBuilder<Schema, 'mail_preferences'>) =>
    row.and([
      row('is_wanted', '=', 1),
      row.or([
        row('last_sent_at', 'is', null),
        row('last_sent_at', '<=', at - intervalMs),
        row('last_sent_at', '>', at + intervalMs),
      ]),
    ])
