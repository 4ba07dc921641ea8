import type { Migration } from './migration.ts'

/** What each sweep knows of time, and whether it waits for the operator. */
export const sweepStates: Migration = {
  name: '140-sweep-states',
  async up(db) {
    await db.schema
      .createTable('sweep_states')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('trusted_at', 'bigint', (column) => column.notNull())
      .addColumn('jumped_at', 'bigint')
      .addColumn('seen_at', 'bigint')
      .addColumn('largest', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('held', 'bigint')
      .addColumn('is_released', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
  },
}
