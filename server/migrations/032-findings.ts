import type { Migration } from './migration.ts'

/** What was found, once per project, file and fingerprint, with what people decided about it; and what a scan belongs to. */
export const findings: Migration = {
  name: '032-findings',
  async up(db) {
    await db.schema
      .createTable('scan_labels')
      .addColumn('scan_id', 'text', (column) => column.primaryKey().references('scans.id').onDelete('cascade'))
      .addColumn('account_id', 'text', (column) => column.notNull())
      .addColumn('project', 'text', (column) => column.notNull())
      .addColumn('ref', 'text')
      .addColumn('commit_hash', 'text')
      .execute()
    await db.schema
      .createIndex('scan_labels_project')
      .on('scan_labels')
      .columns(['account_id', 'project', 'scan_id'])
      .execute()
    await db.schema
      .createTable('findings')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id').onDelete('cascade'))
      .addColumn('project', 'text', (column) => column.notNull())
      .addColumn('file', 'text', (column) => column.notNull())
      .addColumn('fingerprint', 'text', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('vulnerability_id', 'text')
      .addColumn('detector', 'text', (column) => column.notNull())
      .addColumn('severity', 'text', (column) => column.notNull())
      .addColumn('confidence', 'text', (column) => column.notNull())
      .addColumn('title', 'text', (column) => column.notNull())
      .addColumn('message', 'text', (column) => column.notNull())
      .addColumn('contract', 'text')
      .addColumn('function', 'text')
      .addColumn('line', 'integer', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('reason', 'text')
      .addColumn('until', 'bigint')
      .addColumn('first_scan_id', 'text', (column) => column.notNull())
      .addColumn('first_seen_at', 'bigint', (column) => column.notNull())
      // With its newest scan a record is gone: retention really deletes.
      .addColumn('last_scan_id', 'text', (column) => column.notNull().references('scans.id').onDelete('cascade'))
      .addColumn('last_seen_at', 'bigint', (column) => column.notNull())
      .addUniqueConstraint('findings_same', ['account_id', 'project', 'file', 'fingerprint'])
      .execute()
    await db.schema.createIndex('findings_account').on('findings').columns(['account_id', 'id']).execute()
    await db.schema.createIndex('findings_scan').on('findings').column('last_scan_id').execute()
  },
}
