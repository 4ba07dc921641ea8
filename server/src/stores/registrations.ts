import type { Db } from './database.ts'
import type { RegistrationTable } from './schema.ts'

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
