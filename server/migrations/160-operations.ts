import type { Migration } from './migration.ts'

/** The request that a job goes back to, and when the operator last did what is to be done now and then. */
export const operations: Migration = {
  name: '160-operations',
  async up(db) {
    await db.schema.alterTable('jobs').addColumn('request_id', 'text').execute()
    await db.schema
      .createTable('operator_marks')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .execute()
  },
}
