import type { PlanName } from '../core/plans.ts'
import type { Db } from './database.ts'

export interface AccountTable {
  id: string
  /** Lower case. */
  email: string
  /** Null, like the password, until a registration is verified. */
  name: string | null
  password_hash: string | null
  verified_at: number | null
  plan: PlanName
  /** Anchor of the quota month and of renewals. */
  plan_since: number
  created_at: number
}

export type AccountRow = AccountTable

export type AccountStore = ReturnType<typeof createAccountStore>

export function createAccountStore(db: Db) {
  return {
    /** Adds an unverified account unless the address is taken; either way the row of that address. */
    async addOrFind(row: Pick<AccountRow, 'id' | 'email' | 'created_at'>): Promise<AccountRow> {
      await db
        .insertInto('accounts')
        .values({
          ...row,
          name: null,
          password_hash: null,
          verified_at: null,
          plan: 'free',
          plan_since: row.created_at,
        })
        .onConflict((conflict) => conflict.column('email').doNothing())
        .execute()
      return db.selectFrom('accounts').selectAll().where('email', '=', row.email).executeTakeFirstOrThrow()
    },

    findByEmail: (email: string): Promise<AccountRow | undefined> =>
      db.selectFrom('accounts').selectAll().where('email', '=', email).executeTakeFirst(),

    find: (id: string): Promise<AccountRow | undefined> =>
      db.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst(),

    /** Makes the account usable; false when it already was. */
    async activate(id: string, identity: { name: string; passwordHash: string; at: number }): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('accounts')
        .set({ name: identity.name, password_hash: identity.passwordHash, verified_at: identity.at })
        .where('id', '=', id)
        .where('verified_at', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async setPassword(id: string, passwordHash: string): Promise<void> {
      await db.updateTable('accounts').set({ password_hash: passwordHash }).where('id', '=', id).execute()
    },

    /** Starts a plan; its month begins at `since`. */
    async setPlan(id: string, plan: PlanName, since: number): Promise<void> {
      await db.updateTable('accounts').set({ plan, plan_since: since }).where('id', '=', id).execute()
    },

    /** Holds the row until the transaction ends: what follows is done by one process at a time. */
    async lock(id: string): Promise<void> {
      await db
        .updateTable('accounts')
        .set((row) => ({ id: row.ref('id') }))
        .where('id', '=', id)
        .execute()
    },
  }
}
