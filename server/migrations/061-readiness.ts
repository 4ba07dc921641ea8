import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** One row that is written to find out whether anything can be. */
export const readiness: Migration = {
  name: '061-readiness',
  async up(db, types) {
    await db.schema
      .createTable('readiness')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('ballast', sql.raw(types.bytes), (column) => column.notNull())
      .execute()
  },
}
