import type { Migration } from './migration.ts'

/** Who works on a request: when that process is gone, another need not wait for the end of its lease. */
export const idempotencyInstances: Migration = {
  name: '014-idempotency-instances',
  async up(db) {
    await db.schema
      .alterTable('idempotent_requests')
      .addColumn('instance_id', 'text', (column) => column.notNull().defaultTo(''))
      .execute()
  },
}
