import type { Migration } from './migration.ts'

/** What of the uploads of a project is reported, and how its imports are found, as JSON. Older rows have neither. */
export const projectScopes: Migration = {
  name: '190-project-scopes',
  async up(db) {
    await db.schema.alterTable('projects').addColumn('scope', 'text').execute()
  },
}
