import type { Migration } from './migration.ts'

/**
 * What colleagues call a member. An account's own id opens things shortly after a log-in, so nobody else is shown it. A row outlives the
 * membership and the account: the log of the organisation goes on naming the same person the same.
 */
export const memberIds: Migration = {
  name: '120-member-ids',
  async up(db) {
    await db.schema
      .createTable('member_ids')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('organisation_id', 'text', (column) => column.notNull().references('accounts.id').onDelete('cascade'))
      .addColumn('account_id', 'text', (column) => column.notNull())
      .addUniqueConstraint('member_ids_same', ['organisation_id', 'account_id'])
      .execute()
  },
}
