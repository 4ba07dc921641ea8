import type { Migration } from './migration.ts'

/** How many requests each key made on each day. */
export const keyUsage: Migration = {
  name: '034-key-usage',
  async up(db) {
    await db.schema
      .createTable('key_usage')
      .addColumn('account_id', 'text', (column) => column.notNull())
      .addColumn('key_id', 'text', (column) => column.notNull())
      .addColumn('day', 'bigint', (column) => column.notNull())
      .addColumn('requests', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('key_usage_key', ['account_id', 'day', 'key_id'])
      .execute()
    await db.schema.createIndex('key_usage_day').on('key_usage').column('day').execute()
  },
}
