import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/**
 * A registration has a userId of its own and becomes an account when its code is entered; until then there is none.
 * Of several that waited for one address the newest is kept, with the userId that was given out; the others can be made
 * anew.
 */
export const registrations: Migration = {
  name: '060-registrations',
  async up(db) {
    await sql`alter table registrations rename to registrations_before`.execute(db)
    await db.schema
      .createTable('registrations')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('email', 'text', (column) => column.notNull())
      .addColumn('network', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('password_hash', 'text', (column) => column.notNull())
      .addColumn('code_hash', 'text')
      .addColumn('code_expires_at', 'bigint')
      .addColumn('tries_left', 'integer', (column) => column.notNull())
      .addColumn('foreign_tries_left', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute()
    await sql`insert into registrations
      select r.id, a.id, a.email, '', r.name, r.password_hash, r.code_hash, r.code_expires_at, 0, r.tries_left, r.created_at
      from registrations_before r join accounts a on a.id = r.account_id
      where a.verified_at is null and not exists (
        select 1 from registrations_before newer
        where newer.account_id = r.account_id
          and (newer.created_at > r.created_at or (newer.created_at = r.created_at and newer.id > r.id))
      )`.execute(db)
    await sql`drop table registrations_before`.execute(db)
    await sql`delete from accounts where verified_at is null`.execute(db)
    await db.schema.createIndex('registrations_email').on('registrations').column('email').execute()
    await db.schema.createIndex('registrations_user').on('registrations').column('user_id').unique().execute()
  },
}
