import type { Migration } from './migration.ts'

/** A new address that its owner has yet to confirm by the code sent there; one per account. */
export const emailChanges: Migration = {
  name: '111-email-changes',
  async up(db) {
    await db.schema
      .createTable('email_changes')
      .addColumn('account_id', 'text', (column) => column.primaryKey().references('accounts.id').onDelete('cascade'))
      .addColumn('email', 'text', (column) => column.notNull())
      .addColumn('code_hash', 'text', (column) => column.notNull())
      .addColumn('tries_left', 'integer', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('email_changes_expires').on('email_changes').column('expires_at').execute()
  },
}
