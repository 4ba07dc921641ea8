import type { Migration } from './migration.ts'

/** What a key may do and how often. Keys made before may do everything, as often as the plan allows. */
export const keyScopes: Migration = {
  name: '100-key-scopes',
  async up(db) {
    await db.schema.alterTable('api_keys').addColumn('scopes', 'text').execute()
    await db.schema.alterTable('api_keys').addColumn('requests_per_hour', 'bigint').execute()
    await db.schema.alterTable('api_keys').addColumn('scans_per_day', 'bigint').execute()
    await db.schema.alterTable('scan_requests').addColumn('key_id', 'text').execute()
    await db.schema.alterTable('scan_reservations').addColumn('key_id', 'text').execute()
    await db.schema
      .createTable('key_scan_counts')
      .addColumn('key_id', 'text', (column) => column.notNull())
      .addColumn('day', 'bigint', (column) => column.notNull())
      .addColumn('n', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('key_scan_counts_key', ['key_id', 'day'])
      .execute()
    await db.schema.createIndex('key_scan_counts_day').on('key_scan_counts').column('day').execute()
  },
}
