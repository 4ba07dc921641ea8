import type { Db } from './database.ts'

/** A password and a name waiting for the code that was mailed for them; several may wait for one account. */
export interface RegistrationTable {
  id: string
  account_id: string
  name: string
  password_hash: string
  code_hash: string | null
  code_expires_at: number | null
  tries_left: number
  created_at: number
}

export type RegistrationRow = RegistrationTable

export function createRegistrationStore(db: Db) {
  return {
    add: async (row: RegistrationRow): Promise<void> => {
      await db.insertInto('registrations').values(row).execute()
    },

    /** The newest first. */
    list: (accountId: string, limit: number): Promise<RegistrationRow[]> =>
      db
        .selectFrom('registrations')
        .selectAll()
        .where('account_id', '=', accountId)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute(),

    async setCode(id: string, code: { hash: string; expiresAt: number; tries: number }): Promise<void> {
      await db
        .updateTable('registrations')
        .set({ code_hash: code.hash, code_expires_at: code.expiresAt, tries_left: code.tries })
        .where('id', '=', id)
        .execute()
    },

    /** Takes one try from every code of the account that is still alive, before anything is compared. */
    spendTry: (accountId: string, now: number): Promise<RegistrationRow[]> =>
      db
        .updateTable('registrations')
        .set((row) => ({ tries_left: row('tries_left', '-', 1) }))
        .where('account_id', '=', accountId)
        .where('code_hash', 'is not', null)
        .where('tries_left', '>', 0)
        .where('code_expires_at', '>', now)
        .returningAll()
        .execute(),

    /** Discards all that wait for this account; says whether `id` was among them, so that a code works once. */
    async discardAll(accountId: string, id: string): Promise<boolean> {
      const gone = await db.deleteFrom('registrations').where('account_id', '=', accountId).returning('id').execute()
      return gone.some((row) => row.id === id)
    },

    async deleteOlderThan(moment: number): Promise<void> {
      await db.deleteFrom('registrations').where('created_at', '<', moment).execute()
    },
  }
}
