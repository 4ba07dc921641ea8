import type { Migration } from './migration.ts'

/** An organisation is an account that nobody logs in to: keys, scans, plan and limits belong to it as to any other. */
export const organisations: Migration = {
  name: '080-organisations',
  async up(db) {
    await db.schema
      .alterTable('accounts')
      .addColumn('kind', 'text', (column) => column.notNull().defaultTo('person'))
      .execute()
    await db.schema
      .createTable('memberships')
      .addColumn('organisation_id', 'text', (column) => column.notNull().references('accounts.id').onDelete('cascade'))
      .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id').onDelete('cascade'))
      .addColumn('role', 'text', (column) => column.notNull())
      .addColumn('joined_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('memberships_key', ['organisation_id', 'account_id'])
      .execute()
    await db.schema.createIndex('memberships_account').on('memberships').column('account_id').execute()
    await db.schema
      .createTable('invitations')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('organisation_id', 'text', (column) => column.notNull().references('accounts.id').onDelete('cascade'))
      .addColumn('email', 'text', (column) => column.notNull())
      .addColumn('role', 'text', (column) => column.notNull())
      .addColumn('token_index', 'text', (column) => column.notNull().unique())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .addUniqueConstraint('invitations_same', ['organisation_id', 'email'])
      .execute()
  },
}
