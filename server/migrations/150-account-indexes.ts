import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** What lists and counts of one account are found by, so that none reads the rows of the others. */
export const accountIndexes: Migration = {
  name: '150-account-indexes',
  async up(db) {
    const statements = [
      sql`create index findings_state on findings (account_id, state, severity, id)`,
      sql`create index findings_detector on findings (account_id, detector, id)`,
      sql`create index findings_file on findings (account_id, file, id)`,
      sql`create index findings_set_aside on findings (account_id, project) where state in ('false-positive', 'accepted')`,
      sql`create index finding_refs_open on finding_refs (finding_id, ref) where state = 'open'`,
      sql`create index scan_labels_account on scan_labels (account_id, scan_id)`,
      // The names are read from the index alone, whatever part of them is looked for.
      sql`create index scans_name on scans (account_id, file_name, id)`,
      sql`create index scan_requests_queued on scan_requests (id) where status = 'queued'`,
    ]
    for (const statement of statements) await statement.execute(db)
  },
}
