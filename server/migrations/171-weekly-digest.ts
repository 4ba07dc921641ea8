import type { Migration } from './migration.ts'

/** When a mail that goes out in a rhythm was last due to its reader; older rows have no such moment. */
export const weeklyDigest: Migration = {
  name: '171-weekly-digest',
  async up(db) {
    await db.schema.alterTable('mail_preferences').addColumn('last_sent_at', 'bigint').execute()
    await db.schema
      .createIndex('mail_preferences_kind')
      .on('mail_preferences')
      .columns(['kind', 'account_id'])
      .execute()
  },
}
