import type { Migration } from './migration.ts'

/** What an account was told of already, so that it is told once. */
export const toldOnce: Migration = {
  name: '101-told-once',
  async up(db) {
    await db.schema
      .createTable('told_once')
      .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id').onDelete('cascade'))
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('told_once_key', ['account_id', 'subject'])
      .execute()
    await db.schema.createIndex('told_once_at').on('told_once').column('at').execute()
  },
}
