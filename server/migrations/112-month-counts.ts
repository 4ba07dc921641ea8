import type { Migration } from './migration.ts'

/** Scans of an account since each of its renewals: a day's count cannot tell what came before the moment. */
export const monthCounts: Migration = {
  name: '112-month-counts',
  async up(db) {
    await db.schema
      .createTable('month_counts')
      .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id').onDelete('cascade'))
      .addColumn('renewed_at', 'bigint', (column) => column.notNull())
      .addColumn('n', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('month_counts_key', ['account_id', 'renewed_at'])
      .execute()
  },
}
