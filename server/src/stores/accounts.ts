import type { PlanName } from '../core/plans.ts'
import type { Db } from './database.ts'
import { forgetExpiry } from './expiry.ts'
import type { AccountTable } from './schema.ts'

export type AccountRow = AccountTable

export type AccountStore = ReturnType<typeof createAccountStore>

export function createAccountStore(db: Db) {
  return {
    /** Adds a usable account; false when the address has one already. */
    async add(
      row: Omit<AccountRow, 'kind' | 'plan' | 'plan_since' | 'created_at'> & { verified_at: number },
    ): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('accounts')
        .values({ ...row, kind: 'person', plan: 'free', plan_since: row.verified_at, created_at: row.verified_at })
        .onConflict((conflict) => conflict.column('email').doNothing())
        .executeTakeFirst()
      return (numInsertedOrUpdatedRows ?? 0n) > 0n
    },

    /** Adds an account that its members act for. */
    async addOrganisation({ id, name, at }: { id: string; name: string; at: number }): Promise<void> {
      await db
        .insertInto('accounts')
        .values({
          id,
          kind: 'organisation',
          // Unique like every address, and one that no mail can reach (RFC 2606).
          email: `${id}@organisation.invalid`,
          name,
          password_hash: '',
          verified_at: at,
          plan: 'free',
          plan_since: at,
          created_at: at,
        })
        .execute()
    },

    /** With everything that belongs to it: keys, scans, findings, webhooks, members. */
    async remove(id: string): Promise<void> {
      await db.deleteFrom('accounts').where('id', '=', id).execute()
    },

    async rename(id: string, name: string): Promise<void> {
      await db.updateTable('accounts').set({ name }).where('id', '=', id).execute()
    },

    /** A person: nobody logs in to an organisation. */
    findByEmail: (email: string): Promise<AccountRow | undefined> =>
      db.selectFrom('accounts').selectAll().where('email', '=', email).where('kind', '=', 'person').executeTakeFirst(),

    find: (id: string): Promise<AccountRow | undefined> =>
      db.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst(),

    async setPassword(id: string, passwordHash: string): Promise<void> {
      await db.updateTable('accounts').set({ password_hash: passwordHash }).where('id', '=', id).execute()
    },

    /** False when another account has this address. */
    async setEmail(id: string, email: string): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('accounts')
        .set({ email })
        .where('id', '=', id)
        .where(({ not, exists, selectFrom }) =>
          not(exists(selectFrom('accounts as others').select('others.id').where('others.email', '=', email))),
        )
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    /** Starts a plan; its month begins at `since`. */
    async setPlan(id: string, plan: PlanName, since: number): Promise<void> {
      await db.updateTable('accounts').set({ plan, plan_since: since }).where('id', '=', id).execute()
      await forgetExpiry(db, id)
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
