import type { Db } from './database.ts'

/** A person waiting for the code that was mailed to them; several may wait for one address, and one becomes the account. */
export interface RegistrationTable {
  id: string
  /** The account's id, should this registration become one. */
  user_id: string
  /** Lower case. */
  email: string
  /** Where it was made. */
  network: string
  name: string
  password_hash: string
  code_hash: string | null
  code_expires_at: number | null
  /** Wrong codes that may still come from that network. */
  tries_left: number
  /** And from everywhere else: strangers use up their own. */
  foreign_tries_left: number
  created_at: number
}

export type RegistrationRow = RegistrationTable

export function createRegistrationStore(db: Db) {
  /** The newest first. */
  const waiting = (email: string) =>
    db
      .selectFrom('registrations')
      .selectAll()
      .where('email', '=', email)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(1)

  return {
    add: async (row: RegistrationRow): Promise<void> => {
      await db.insertInto('registrations').values(row).execute()
    },

    /** The newest made in this network; else the newest of all. */
    async findNewest(email: string, network: string): Promise<RegistrationRow | undefined> {
      const [own, any] = [waiting(email).where('network', '=', network), waiting(email)]
      return (await own.executeTakeFirst()) ?? (await any.executeTakeFirst())
    },

    async isWaiting(userId: string): Promise<boolean> {
      const row = await db.selectFrom('registrations').select('id').where('user_id', '=', userId).executeTakeFirst()
      return row !== undefined
    },

    async setCode(id: string, code: { hash: string; expiresAt: number; tries: number }): Promise<void> {
      await db
        .updateTable('registrations')
        .set({
          code_hash: code.hash,
          code_expires_at: code.expiresAt,
          tries_left: code.tries,
          foreign_tries_left: code.tries,
        })
        .where('id', '=', id)
        .execute()
    },

    /** Takes one try from every code of the address that is still alive for this network, before anything is compared. */
    async spendTry(email: string, network: string, now: number): Promise<RegistrationRow[]> {
      const alive = db
        .updateTable('registrations')
        .where('email', '=', email)
        .where('code_hash', 'is not', null)
        .where('code_expires_at', '>', now)
        .returningAll()
      const own = alive
        .set((row) => ({ tries_left: row('tries_left', '-', 1) }))
        .where('network', '=', network)
        .where('tries_left', '>', 0)
      const foreign = alive
        .set((row) => ({ foreign_tries_left: row('foreign_tries_left', '-', 1) }))
        .where('network', '!=', network)
        .where('foreign_tries_left', '>', 0)
      return [...(await own.execute()), ...(await foreign.execute())]
    },

    /** Discards all that wait for this address; says whether `id` was among them, so that a code works once. */
    async discardAll(email: string, id: string): Promise<boolean> {
      const gone = await db.deleteFrom('registrations').where('email', '=', email).returning('id').execute()
      return gone.some((row) => row.id === id)
    },

    async deleteOlderThan(moment: number): Promise<void> {
      await db.deleteFrom('registrations').where('created_at', '<', moment).execute()
    },
  }
}
