import type { Migration } from './migration.ts'

/** Many scans that were asked for in one call. */
export const scanBatches: Migration = {
  name: '091-scan-batches',
  async up(db) {
    await db.schema
      .createTable('scan_batches')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id').onDelete('cascade'))
      .addColumn('total', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('scan_batches_account').on('scan_batches').columns(['account_id', 'id']).execute()
    await db.schema.createIndex('scan_batches_created').on('scan_batches').column('created_at').execute()
  },
}
