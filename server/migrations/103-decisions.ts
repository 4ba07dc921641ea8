import type { Migration } from './migration.ts'

/** Who decided about a finding, and when. Unknown for what was decided before. */
export const decisions: Migration = {
  name: '103-decisions',
  async up(db) {
    await db.schema.alterTable('findings').addColumn('decided_by', 'text').execute()
    await db.schema.alterTable('findings').addColumn('decided_at', 'bigint').execute()
  },
}
