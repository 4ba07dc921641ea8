import type { Migration } from './migration.ts'

/** One row for each minute in which some process of the service could serve. */
export const availableMinutes: Migration = {
  name: '070-available-minutes',
  async up(db) {
    await db.schema
      .createTable('available_minutes')
      .addColumn('minute', 'bigint', (column) => column.primaryKey())
      .execute()
  },
}
