import { sql } from 'kysely'
import type { Migration } from './migration.ts'

export const scans: Migration = {
  name: '030-scans',
  async up(db, types) {
    await db.schema
      .createTable('account_limits')
      .addColumn('account_id', 'text', (column) => column.primaryKey().references('accounts.id').onDelete('cascade'))
      .addColumn('requests_per_hour', 'bigint')
      .addColumn('scans_per_day', 'bigint')
      .addColumn('max_file_bytes', 'bigint')
      .addColumn('max_contract_bytes', 'bigint')
      .addColumn('history_days', 'bigint')
      .execute()
    await db.schema
      .createTable('request_counts')
      .addColumn('account_id', 'text', (column) => column.notNull())
      .addColumn('key_type', 'text', (column) => column.notNull())
      .addColumn('hour', 'bigint', (column) => column.notNull())
      .addColumn('n', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('request_counts_key', ['account_id', 'key_type', 'hour'])
      .execute()
    await db.schema.createIndex('request_counts_hour').on('request_counts').column('hour').execute()
    await db.schema
      .createTable('scan_counts')
      .addColumn('account_id', 'text', (column) => column.notNull())
      .addColumn('day', 'bigint', (column) => column.notNull())
      .addColumn('n', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('scan_counts_key', ['account_id', 'day'])
      .execute()
    await db.schema.createIndex('scan_counts_day').on('scan_counts').column('day').execute()
    await db.schema
      .createTable('instances')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('alive_until', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema
      .createTable('scan_reservations')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('instance_id', 'text', (column) => column.notNull())
      .addColumn('account_id', 'text', (column) => column.notNull())
      .addColumn('day', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('scan_reservations_instance').on('scan_reservations').column('instance_id').execute()
    await db.schema
      .createTable('scans')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id').onDelete('cascade'))
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('file_name', 'text', (column) => column.notNull())
      .addColumn('size_bytes', 'bigint', (column) => column.notNull())
      .addColumn('score', 'integer', (column) => column.notNull())
      .addColumn('rating', 'text', (column) => column.notNull())
      .addColumn('total', 'integer', (column) => column.notNull())
      .addColumn('critical', 'integer', (column) => column.notNull())
      .addColumn('high', 'integer', (column) => column.notNull())
      .addColumn('medium', 'integer', (column) => column.notNull())
      .addColumn('low', 'integer', (column) => column.notNull())
      .addColumn('completeness', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('scans_account').on('scans').columns(['account_id', 'id']).execute()
    await db.schema.createIndex('scans_created').on('scans').column('created_at').execute()
    await db.schema
      .createTable('scan_bodies')
      .addColumn('scan_id', 'text', (column) => column.primaryKey().references('scans.id').onDelete('cascade'))
      .addColumn('source', sql.raw(types.bytes), (column) => column.notNull())
      .addColumn('result', sql.raw(types.bytes), (column) => column.notNull())
      .execute()
  },
}
