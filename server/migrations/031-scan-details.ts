import type { Migration } from './migration.ts'

/** What every listing says of a scan; scans made before have none of it. */
export const scanDetails: Migration = {
  name: '031-scan-details',
  async up(db) {
    for (const column of ['info', 'advisories', 'suppressed'])
      await db.schema
        .alterTable('scans')
        .addColumn(column, 'integer', (c) => c.notNull().defaultTo(0))
        .execute()
    for (const column of ['sha256', 'engine_version'])
      await db.schema
        .alterTable('scans')
        .addColumn(column, 'text', (c) => c.notNull().defaultTo(''))
        .execute()
    await db.schema
      .alterTable('scans')
      .addColumn('file_count', 'integer', (c) => c.notNull().defaultTo(1))
      .execute()
    await db.schema
      .alterTable('scans')
      .addColumn('is_project', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
  },
}
