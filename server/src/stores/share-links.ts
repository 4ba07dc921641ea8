import type { Db } from './database.ts'
import type { ShareLinkTable } from './schema.ts'

export type Shows = ShareLinkTable['shows']

/** Everything that a link can show. */
export const allShows = ['badge', 'findings', 'source'] as const satisfies readonly Shows[]

/** A link with the name of the file that its scan read; null where it follows a project. */
export interface ShareLinkRow extends ShareLinkTable {
  file_name: string | null
}

export function createShareLinkStore(db: Db) {
  return {
    async add(row: ShareLinkTable): Promise<void> {
      await db.insertInto('share_links').values(row).execute()
    },

    async countOpen(accountId: string, now: number): Promise<number> {
      const { n } = await db
        .selectFrom('share_links')
        .select((select) => select.fn.countAll<number>().as('n'))
        .where('account_id', '=', accountId)
        .where('expires_at', '>', now)
        .executeTakeFirstOrThrow()
      return Number(n)
    },

    /** Those that still work, the newest first. */
    list: (accountId: string, now: number): Promise<ShareLinkRow[]> =>
      db
        .selectFrom('share_links')
        .leftJoin('scans', 'scans.id', 'share_links.scan_id')
        .selectAll('share_links')
        .select('scans.file_name')
        .where('share_links.account_id', '=', accountId)
        .where('share_links.expires_at', '>', now)
        .orderBy('share_links.id', 'desc')
        .execute(),

    findByToken: (tokenIndexes: readonly string[], now: number): Promise<ShareLinkTable | undefined> =>
      db
        .selectFrom('share_links')
        .selectAll()
        .where('token_index', 'in', tokenIndexes)
        .where('expires_at', '>', now)
        .executeTakeFirst(),

    /** False when there was none of this account. */
    async remove(accountId: string, id: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('share_links')
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .executeTakeFirst()
      return numDeletedRows === 1n
    },

    async removeMadeBy(accountId: string, makers: readonly string[], shows: readonly Shows[]): Promise<number> {
      if (shows.length === 0) return 0
      const { numDeletedRows } = await db
        .deleteFrom('share_links')
        .where('account_id', '=', accountId)
        .where('maker', 'in', makers)
        .where('shows', 'in', shows)
        .executeTakeFirst()
      return Number(numDeletedRows)
    },

    async setMaker(accountId: string, makers: readonly string[], shows: readonly Shows[], to: string): Promise<void> {
      if (shows.length === 0) return
      await db
        .updateTable('share_links')
        .set({ maker: to })
        .where('account_id', '=', accountId)
        .where('maker', 'in', makers)
        .where('shows', 'in', shows)
        .execute()
    },

    async deleteExpired(now: number): Promise<void> {
      await db.deleteFrom('share_links').where('expires_at', '<=', now).execute()
    },
  }
}
