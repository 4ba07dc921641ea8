import type { Migration } from './migration.ts'

/** By which credential a scan was asked for, unknown of earlier ones; and the scans that a mail is still to tell of. */
export const scanNotices: Migration = {
  name: '113-scan-notices',
  async up(db) {
    await db.schema.alterTable('scans').addColumn('via', 'text').execute()
    await db.schema
      .createTable('scan_notices')
      .addColumn('scan_id', 'text', (column) => column.primaryKey().references('scans.id').onDelete('cascade'))
      .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id').onDelete('cascade'))
      .execute()
    await db.schema.createIndex('scan_notices_account').on('scan_notices').columns(['account_id', 'scan_id']).execute()
  },
}
