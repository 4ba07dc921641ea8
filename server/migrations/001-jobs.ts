import { sql } from 'kysely'
import type { Migration } from './migration.ts'

export const jobs: Migration = {
  name: '001-jobs',
  async up(db) {
    await db.schema
      .createTable('jobs')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('key', 'text')
      .addColumn('payload', 'text', (column) => column.notNull())
      .addColumn('attempt', 'integer', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('run_at', 'bigint', (column) => column.notNull())
      .addColumn('lease_until', 'bigint')
      .addColumn('lease_id', 'text')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('finished_at', 'bigint')
      .execute()
    await db.schema.createIndex('jobs_due').on('jobs').columns(['state', 'run_at']).execute()
    await sql`create unique index jobs_one_waiting_per_key on jobs (name, key) where state = 'waiting' and key is not null`.execute(
      db,
    )
    await db.schema
      .createTable('schedules')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('next_at', 'bigint', (column) => column.notNull())
      .execute()
  },
}
