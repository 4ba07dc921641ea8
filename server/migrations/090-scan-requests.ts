import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** Scans that were asked for and have no result yet, or never will: what waits, in whose turn, and why some failed. */
export const scanRequests: Migration = {
  name: '090-scan-requests',
  async up(db, types) {
    await db.schema
      .createTable('scan_requests')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id').onDelete('cascade'))
      .addColumn('batch_id', 'text')
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('file_name', 'text', (column) => column.notNull())
      .addColumn('size_bytes', 'bigint', (column) => column.notNull())
      .addColumn('options', 'text', (column) => column.notNull())
      .addColumn('rank', 'integer', (column) => column.notNull())
      .addColumn('day', 'bigint', (column) => column.notNull())
      .addColumn('scans_today', 'bigint', (column) => column.notNull())
      .addColumn('holds_place', 'integer', (column) => column.notNull())
      .addColumn('instance_id', 'text')
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('files_done', 'integer', (column) => column.notNull())
      .addColumn('files_total', 'integer', (column) => column.notNull())
      .addColumn('reason', 'text')
      .addColumn('revision', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('started_at', 'bigint')
      .addColumn('finished_at', 'bigint')
      .execute()
    const index = (name: string, columns: string) =>
      sql`create index ${sql.ref(name)} on scan_requests (${sql.raw(columns)})`.execute(db)
    await index('scan_requests_turn', 'account_id, status, id')
    await index('scan_requests_created', 'created_at')
    await sql`create index scan_requests_batch on scan_requests (batch_id, id) where batch_id is not null`.execute(db)
    await sql`create index scan_requests_running on scan_requests (instance_id) where status = 'running'`.execute(db)
    await db.schema
      .createTable('scan_uploads')
      .addColumn('scan_id', 'text', (column) => column.primaryKey().references('scan_requests.id').onDelete('cascade'))
      .addColumn('upload', sql.raw(types.bytes), (column) => column.notNull())
      .execute()
    await db.schema
      .createTable('scan_lanes')
      .addColumn('account_id', 'text', (column) => column.primaryKey().references('accounts.id').onDelete('cascade'))
      .addColumn('rank', 'integer', (column) => column.notNull())
      .addColumn('turn', 'bigint', (column) => column.notNull())
      .addColumn('revision', 'bigint', (column) => column.notNull())
      .execute()
  },
}
