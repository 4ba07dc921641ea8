import type { PlanName } from '../core/plans.ts'
import { type Db, transaction } from './database.ts'
import type { SandboxCheckoutTable } from './schema.ts'

/** All that the store must know of a customer to keep it; the rest is the provider's business. */
interface Keepable {
  readonly id: string
  readonly subscriptions: readonly { readonly id: string }[]
}

interface Change<Customer> {
  readonly customer: Customer
  readonly version: number
  readonly nextAt: Date | null
  readonly events: readonly SandboxEvent[]
  readonly checkout?: { readonly id: string; readonly outcome: 'paid' | 'declined' }
}

interface SandboxEvent {
  readonly id: string
  readonly type: string
  readonly customerId: string
  readonly createdAt: Date
}

interface SandboxCheckout {
  readonly id: string
  readonly customerId: string
  readonly plan: Exclude<PlanName, 'free'>
  readonly returnUrl: string
  readonly expiresAt: Date
  readonly outcome: SandboxCheckoutTable['outcome']
}

class Rollback extends Error {}

/** The embedded billing provider's own memory, apart from what the service believes about its accounts. */
export function createSandboxBillingStore<Customer extends Keepable>(db: Db) {
  return {
    async addCustomer(customer: Customer): Promise<void> {
      await db
        .insertInto('sandbox_customers')
        .values({ id: customer.id, books: JSON.stringify(customer), version: 1, next_at: null })
        .execute()
    },

    async findCustomer(id: string): Promise<{ customer: Customer; version: number } | undefined> {
      const row = await db.selectFrom('sandbox_customers').selectAll().where('id', '=', id).executeTakeFirst()
      return row && { customer: JSON.parse(row.books) as Customer, version: row.version }
    },

    async findCustomerBySubscription(subscriptionId: string): Promise<string | undefined> {
      const row = await db
        .selectFrom('sandbox_subscriptions')
        .select('customer_id')
        .where('id', '=', subscriptionId)
        .executeTakeFirst()
      return row?.customer_id
    },

    async save({ customer, version, nextAt, events, checkout }: Change<Customer>): Promise<boolean> {
      try {
        await transaction(db, async (tx) => {
          const { numUpdatedRows } = await tx
            .updateTable('sandbox_customers')
            .set({
              books: JSON.stringify(customer),
              version: version + 1,
              next_at: nextAt ? nextAt.getTime() : null,
            })
            .where('id', '=', customer.id)
            .where('version', '=', version)
            .executeTakeFirst()
          if (numUpdatedRows === 0n) throw new Rollback()
          if (checkout && !(await close(tx, checkout.id, checkout.outcome))) throw new Rollback()
          for (const { id } of customer.subscriptions) {
            await tx
              .insertInto('sandbox_subscriptions')
              .values({ id, customer_id: customer.id })
              .onConflict((conflict) => conflict.column('id').doNothing())
              .execute()
          }
          for (const [ordinal, event] of events.entries()) {
            await tx
              .insertInto('sandbox_events')
              .values({
                id: event.id,
                type: event.type,
                customer_id: event.customerId,
                created_at: event.createdAt.getTime(),
                ordinal,
              })
              .execute()
          }
        })
        return true
      } catch (error) {
        if (error instanceof Rollback) return false
        throw error
      }
    },

    async listDueCustomers(now: Date): Promise<string[]> {
      const rows = await db
        .selectFrom('sandbox_customers')
        .select('id')
        .where('next_at', '<=', now.getTime())
        .orderBy('next_at')
        .limit(1_000)
        .execute()
      return rows.map(({ id }) => id)
    },

    async addCheckout(checkout: SandboxCheckout): Promise<void> {
      await db
        .insertInto('sandbox_checkouts')
        .values({
          id: checkout.id,
          customer_id: checkout.customerId,
          plan: checkout.plan,
          return_url: checkout.returnUrl,
          expires_at: checkout.expiresAt.getTime(),
          outcome: null,
        })
        .execute()
    },

    async findCheckout(id: string): Promise<SandboxCheckout | undefined> {
      const row = await db.selectFrom('sandbox_checkouts').selectAll().where('id', '=', id).executeTakeFirst()
      return row && toCheckout(row)
    },

    closeCheckout: (id: string, outcome: 'paid' | 'declined' | 'closed'): Promise<boolean> => close(db, id, outcome),

    async listUndeliveredEvents(): Promise<SandboxEvent[]> {
      const rows = await db
        .selectFrom('sandbox_events')
        .selectAll()
        .orderBy('created_at')
        .orderBy('ordinal')
        .limit(1_000)
        .execute()
      return rows.map(({ id, type, customer_id, created_at }) => ({
        id,
        type,
        customerId: customer_id,
        createdAt: new Date(created_at),
      }))
    },

    async markDelivered(eventId: string): Promise<void> {
      await db.deleteFrom('sandbox_events').where('id', '=', eventId).execute()
    },
  }
}

/** Single use: only the first to close it is answered with true. */
async function close(db: Db, id: string, outcome: 'paid' | 'declined' | 'closed'): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sandbox_checkouts')
    .set({ outcome })
    .where('id', '=', id)
    .where('outcome', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

const toCheckout = (row: SandboxCheckoutTable): SandboxCheckout => ({
  id: row.id,
  customerId: row.customer_id,
  plan: row.plan as SandboxCheckout['plan'],
  returnUrl: row.return_url,
  expiresAt: new Date(row.expires_at),
  outcome: row.outcome,
})
