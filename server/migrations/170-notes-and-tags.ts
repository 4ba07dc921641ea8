import type { Migration } from './migration.ts'

/** Who works on a finding and what they note about it; words that group projects, as a JSON list. Older rows have none. */
export const notesAndTags: Migration = {
  name: '170-notes-and-tags',
  async up(db) {
    await db.schema.alterTable('findings').addColumn('assignee', 'text').execute()
    await db.schema.alterTable('findings').addColumn('comment', 'text').execute()
    await db.schema.alterTable('projects').addColumn('tags', 'text').execute()
  },
}
