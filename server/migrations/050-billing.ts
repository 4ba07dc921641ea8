import type { Migration } from './migration.ts'

export const billing: Migration = {
  name: '050-billing',
  async up(db) {
    await db.schema
      .createTable('billing_customers')
      .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id').onDelete('cascade'))
      .addColumn('provider', 'text', (column) => column.notNull())
      .addColumn('customer_id', 'text', (column) => column.notNull())
      .addColumn('subscription_id', 'text')
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('period_end', 'bigint')
      .addColumn('cancels_at', 'bigint')
      .addColumn('grace_ends_at', 'bigint')
      .addColumn('checkout_id', 'text')
      .addColumn('checkout_until', 'bigint')
      .addColumn('due_at', 'bigint')
      .addColumn('version', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('billing_customers_key', ['account_id', 'provider'])
      .addUniqueConstraint('billing_customers_customer', ['provider', 'customer_id'])
      .execute()
    await db.schema.createIndex('billing_customers_due').on('billing_customers').column('due_at').execute()
    await db.schema
      .createTable('billing_events')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('type', 'text', (column) => column.notNull())
      .addColumn('customer_id', 'text')
      .addColumn('received_at', 'bigint', (column) => column.notNull())
      .addColumn('processed_at', 'bigint')
      .execute()
    await db.schema.createIndex('billing_events_received').on('billing_events').column('received_at').execute()

    await db.schema
      .createTable('sandbox_customers')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('books', 'text', (column) => column.notNull())
      .addColumn('version', 'integer', (column) => column.notNull())
      .addColumn('next_at', 'bigint')
      .execute()
    await db.schema.createIndex('sandbox_customers_next').on('sandbox_customers').column('next_at').execute()
    await db.schema
      .createTable('sandbox_subscriptions')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('customer_id', 'text', (column) => column.notNull())
      .execute()
    await db.schema
      .createTable('sandbox_checkouts')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('customer_id', 'text', (column) => column.notNull())
      .addColumn('plan', 'text', (column) => column.notNull())
      .addColumn('return_url', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .addColumn('outcome', 'text')
      .execute()
    await db.schema
      .createTable('sandbox_events')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('type', 'text', (column) => column.notNull())
      .addColumn('customer_id', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('ordinal', 'integer', (column) => column.notNull())
      .execute()
  },
}
