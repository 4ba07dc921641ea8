import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/**
 * When retention deletes a row. Null: not worked out yet, as of every row that is new, older than this column, or whose owner's plan has changed;
 * the sweep works it out, so that this step changes no row.
 */
export const expiry: Migration = {
  name: '141-expiry',
  async up(db) {
    for (const table of ['scans', 'scan_requests', 'scan_batches']) {
      await db.schema.alterTable(table).addColumn('expires_at', 'bigint').execute()
      await sql`create index ${sql.ref(`${table}_expiry`)} on ${sql.table(table)} (expires_at, id)`.execute(db)
    }
  },
}
