import { type Db, transaction } from './database.ts'
import type { BillingCustomerTable } from './schema.ts'

export type BillingCustomerRow = BillingCustomerTable
export type BillingState = Pick<
  BillingCustomerRow,
  'subscription_id' | 'status' | 'period_end' | 'cancels_at' | 'grace_ends_at' | 'due_at'
>

export type BillingCustomerStore = ReturnType<typeof createBillingCustomerStore>

export function createBillingCustomerStore(db: Db, provider: string) {
  const rows = () => db.selectFrom('billing_customers').selectAll().where('provider', '=', provider)
  return {
    find: (accountId: string): Promise<BillingCustomerRow | undefined> =>
      rows().where('account_id', '=', accountId).executeTakeFirst(),

    findByCustomer: (customerId: string): Promise<BillingCustomerRow | undefined> =>
      rows().where('customer_id', '=', customerId).executeTakeFirst(),

    /** Adds the pair unless the account has one already. */
    async add(accountId: string, customerId: string): Promise<void> {
      await db
        .insertInto('billing_customers')
        .values({
          account_id: accountId,
          provider,
          customer_id: customerId,
          subscription_id: null,
          status: 'none',
          period_end: null,
          cancels_at: null,
          grace_ends_at: null,
          checkout_id: null,
          checkout_until: null,
          due_at: null,
          version: 1,
        })
        .onConflict((conflict) => conflict.columns(['account_id', 'provider']).doNothing())
        .execute()
    },

    /** False when someone wrote since `version` was read. */
    async write(accountId: string, version: number, state: BillingState): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('billing_customers')
        .set({ ...state, version: version + 1 })
        .where('account_id', '=', accountId)
        .where('provider', '=', provider)
        .where('version', '=', version)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    /** Makes this the open checkout; the one that was open before, if any. Of two at once, each sees the other or is seen. */
    swapCheckout: (accountId: string, checkoutId: string, until: number): Promise<string | null> =>
      transaction(db, async (tx) => {
        const mine = () =>
          tx.updateTable('billing_customers').where('account_id', '=', accountId).where('provider', '=', provider)
        const before = await mine()
          .set((row) => ({ provider: row.ref('provider') }))
          .returning('checkout_id')
          .executeTakeFirst()
        await mine().set({ checkout_id: checkoutId, checkout_until: until }).execute()
        return before?.checkout_id ?? null
      }),

    /** Asks for a look at the latest by `at`; an earlier date stays. */
    async checkBy(accountId: string, at: number): Promise<void> {
      await db
        .updateTable('billing_customers')
        .set({ due_at: at })
        .where('account_id', '=', accountId)
        .where('provider', '=', provider)
        .where((where) => where.or([where('due_at', 'is', null), where('due_at', '>', at)]))
        .execute()
    },

    async listDue(now: number, limit: number): Promise<string[]> {
      const due = await rows().where('due_at', '<=', now).orderBy('due_at').limit(limit).execute()
      return due.map((row) => row.account_id)
    },
  }
}
