import type { Migration } from './migration.ts'

/** What fails a run of a project, and how each run fared, both as JSON. Older rows have neither. */
export const gates: Migration = {
  name: '180-gates',
  async up(db) {
    await db.schema.alterTable('projects').addColumn('gate', 'text').execute()
    await db.schema.alterTable('scan_labels').addColumn('gate', 'text').execute()
  },
}
