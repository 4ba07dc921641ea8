import type { Migration } from './migration.ts'

export const idempotency: Migration = {
  name: '012-idempotency',
  async up(db) {
    await db.schema
      .createTable('idempotent_requests')
      .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id').onDelete('cascade'))
      .addColumn('route', 'text', (column) => column.notNull())
      .addColumn('key_index', 'text', (column) => column.notNull())
      .addColumn('content_index', 'text', (column) => column.notNull())
      .addColumn('lease_id', 'text', (column) => column.notNull())
      .addColumn('lease_until', 'bigint', (column) => column.notNull())
      .addColumn('response', 'text')
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('idempotent_requests_key', ['account_id', 'route', 'key_index'])
      .execute()
    await db.schema.createIndex('idempotent_requests_expiry').on('idempotent_requests').column('expires_at').execute()
  },
}
