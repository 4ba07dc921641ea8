import type { Migration } from './migration.ts'

/** How many findings of each severity a scan has, whether or not they are in the SWC list, as JSON. Older scans have only those that are. */
export const tallies: Migration = {
  name: '181-tallies',
  async up(db) {
    await db.schema.alterTable('scans').addColumn('tally', 'text').execute()
  },
}
