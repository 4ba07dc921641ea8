import type { Migration } from './migration.ts'

/** Secret links by which people without an account read a scan, or the newest one of a project. */
export const shareLinks: Migration = {
  name: '110-share-links',
  async up(db) {
    await db.schema
      .createTable('share_links')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id').onDelete('cascade'))
      .addColumn('scan_id', 'text', (column) => column.references('scans.id').onDelete('cascade'))
      .addColumn('project', 'text')
      .addColumn('shows', 'text', (column) => column.notNull())
      .addColumn('token_index', 'text', (column) => column.notNull().unique())
      .addColumn('created_by', 'text')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('share_links_account').on('share_links').columns(['account_id', 'id']).execute()
    await db.schema.createIndex('share_links_scan').on('share_links').column('scan_id').execute()
    await db.schema.createIndex('share_links_expires').on('share_links').column('expires_at').execute()
  },
}
