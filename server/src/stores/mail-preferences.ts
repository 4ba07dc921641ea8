import type { Db } from './database.ts'
import type { MailPreferenceTable } from './schema.ts'

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
  }
}
