import type { Migration } from './migration.ts'

/** To which project a scan belongs, also while it has no result. */
export const requestLabels: Migration = {
  name: '142-request-labels',
  async up(db) {
    for (const column of ['project', 'ref', 'commit_hash'])
      await db.schema.alterTable('scan_requests').addColumn(column, 'text').execute()
  },
}
