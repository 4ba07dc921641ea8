import type { Db } from './database.ts'
import type { InvitationTable } from './schema.ts'

export type InvitationRow = InvitationTable

export function createInvitationStore(db: Db) {
  return {
    /** A newer one to the same address takes the place of the older. */
    async put(row: InvitationRow): Promise<void> {
      const { id: _id, organisation_id, email, ...changes } = row
      await db
        .insertInto('invitations')
        .values(row)
        .onConflict((conflict) =>
          conflict.columns(['organisation_id', 'email']).doUpdateSet({ id: row.id, ...changes }),
        )
        .execute()
    },

    /** Those that still work, the newest first. */
    list: (organisationId: string, now: number): Promise<InvitationRow[]> =>
      db
        .selectFrom('invitations')
        .selectAll()
        .where('organisation_id', '=', organisationId)
        .where('expires_at', '>', now)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .execute(),

    findByToken: (tokenIndexes: readonly string[], now: number): Promise<InvitationRow | undefined> =>
      db
        .selectFrom('invitations')
        .selectAll()
        .where('token_index', 'in', tokenIndexes)
        .where('expires_at', '>', now)
        .executeTakeFirst(),

    /** The one that was removed; for one caller only. */
    async take(organisationId: string, id: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('invitations')
        .where('organisation_id', '=', organisationId)
        .where('id', '=', id)
        .executeTakeFirst()
      return numDeletedRows === 1n
    },

    async deleteExpired(now: number): Promise<void> {
      await db.deleteFrom('invitations').where('expires_at', '<=', now).execute()
    },
  }
}
