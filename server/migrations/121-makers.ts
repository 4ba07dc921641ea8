import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/**
 * Who made a key, a link or a webhook: a person or a key, so that it ends with their right. Of keys and webhooks from before nobody
 * knows. A link from before names its maker by an address; where that is nobody's any more, so is the link.
 */
export const makers: Migration = {
  name: '121-makers',
  async up(db) {
    for (const table of ['api_keys', 'share_links', 'webhooks'])
      await db.schema.alterTable(table).addColumn('maker', 'text').execute()
    await db.schema
      .alterTable('memberships')
      .addColumn('publishes_source', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await sql`update share_links set maker = coalesce((select id from accounts where email = share_links.created_by), 'nobody')
      where created_by like '%@%'`.execute(db)
  },
}
