import { sql } from 'kysely'
import type { Migration } from './migration.ts'

export const aiReports: Migration = {
  name: '052-ai-reports',
  async up(db, types) {
    await db.schema
      .createTable('ai_reports')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('scan_id', 'text', (column) => column.notNull().references('scans.id').onDelete('cascade'))
      .addColumn('account_id', 'text', (column) => column.notNull())
      .addColumn('body', sql.raw(types.bytes), (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('ai_reports_scan').on('ai_reports').column('scan_id').execute()
  },
}
