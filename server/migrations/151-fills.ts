import type { Migration } from './migration.ts'

/** How far a background job has filled what a step of the schema added. */
export const fills: Migration = {
  name: '151-fills',
  async up(db) {
    await db.schema
      .createTable('fills')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('position', 'text', (column) => column.notNull())
      .addColumn('filled', 'bigint', (column) => column.notNull())
      .addColumn('is_done', 'integer', (column) => column.notNull())
      .execute()
  },
}
