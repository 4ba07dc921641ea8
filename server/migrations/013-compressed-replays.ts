import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** Answers kept for a repeated request: their bodies compressed, as bytes. */
export const compressedReplays: Migration = {
  name: '013-compressed-replays',
  async up(db, types) {
    await db.schema.alterTable('idempotent_requests').addColumn('response_body', sql.raw(types.bytes)).execute()
  },
}
