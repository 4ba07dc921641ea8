import type { Migration } from './migration.ts'

/** What an account asks for beside its password, the codes for the day it is lost, and log-ins that wait for it. */
export const secondFactors: Migration = {
  name: '062-second-factors',
  async up(db) {
    await db.schema
      .createTable('second_factors')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id').onDelete('cascade'))
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('secret', 'text')
      .addColumn('credential_id', 'text', (column) => column.unique())
      .addColumn('public_key', 'text')
      .addColumn('transports', 'text', (column) => column.notNull())
      .addColumn('last_count', 'bigint', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('confirmed_at', 'bigint')
      .addColumn('last_used_at', 'bigint')
      .execute()
    await db.schema.createIndex('second_factors_account').on('second_factors').column('account_id').execute()
    await db.schema
      .createTable('recovery_codes')
      .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id').onDelete('cascade'))
      .addColumn('code_hash', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('recovery_codes_key', ['account_id', 'code_hash'])
      .execute()
    await db.schema
      .createTable('login_challenges')
      .addColumn('token_index', 'text', (column) => column.primaryKey())
      .addColumn('purpose', 'text', (column) => column.notNull())
      .addColumn('account_id', 'text', (column) => column.references('accounts.id').onDelete('cascade'))
      .addColumn('passkey_challenge', 'text')
      .addColumn('tries_left', 'integer', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute()
  },
}
