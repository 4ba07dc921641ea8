import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** A page of scans is found in the index alone; decisions that have ended are found without reading every finding. `scans_account` goes a release later. */
export const pageIndexes: Migration = {
  name: '161-page-indexes',
  async up(db) {
    const statements = [
      sql`create index scans_page on scans (account_id, id, created_at)`,
      sql`create index findings_until on findings (account_id, until) where until is not null`,
    ]
    for (const statement of statements) await statement.execute(db)
  },
}
