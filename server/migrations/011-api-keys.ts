import type { Migration } from './migration.ts'

export const apiKeys: Migration = {
  name: '011-api-keys',
  async up(db) {
    await db.schema
      .createTable('api_keys')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id').onDelete('cascade'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('type', 'text', (column) => column.notNull())
      .addColumn('key_index', 'text', (column) => column.notNull().unique())
      .addColumn('sealed', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .addColumn('revoked_at', 'bigint')
      .addColumn('last_used_at', 'bigint')
      .addColumn('expiry_noticed_at', 'bigint')
      .execute()
    await db.schema.createIndex('api_keys_account').on('api_keys').columns(['account_id', 'created_at']).execute()
    await db.schema.createIndex('api_keys_expiry').on('api_keys').column('expires_at').execute()
  },
}
