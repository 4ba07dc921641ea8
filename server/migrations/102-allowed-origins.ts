import type { Migration } from './migration.ts'

/** From which sites' pages an account's keys may be used. */
export const allowedOrigins: Migration = {
  name: '102-allowed-origins',
  async up(db) {
    await db.schema
      .createTable('allowed_origins')
      .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id').onDelete('cascade'))
      .addColumn('origin', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('allowed_origins_key', ['account_id', 'origin'])
      .execute()
    await db.schema.createIndex('allowed_origins_origin').on('allowed_origins').column('origin').execute()
  },
}
