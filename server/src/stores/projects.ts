import { sql } from 'kysely'
import type { Db } from './database.ts'
import type { ProjectTable } from './schema.ts'

export function createProjectStore(db: Db) {
  return {
    /** The project of this name, made if there is none; nobody else changes it until the transaction ends. */
    async lock(fresh: ProjectTable): Promise<ProjectTable> {
      return db
        .insertInto('projects')
        .values(fresh)
        .onConflict((conflict) =>
          conflict.columns(['account_id', 'name']).doUpdateSet((update) => ({ name: update.ref('excluded.name') })),
        )
        .returningAll()
        .executeTakeFirstOrThrow()
    },

    async setDefaultRef(id: string, defaultRef: string, isSet: boolean): Promise<void> {
      await db
        .updateTable('projects')
        .set({ default_ref: defaultRef, is_default_set: isSet ? 1 : 0 })
        .where('id', '=', id)
        .execute()
    },

    async setTags(id: string, tags: readonly string[]): Promise<void> {
      const text = tags.length === 0 ? null : JSON.stringify(tags)
      await db.updateTable('projects').set({ tags: text }).where('id', '=', id).execute()
    },

    async setGate(id: string, gate: string | null): Promise<void> {
      await db.updateTable('projects').set({ gate }).where('id', '=', id).execute()
    },

    async setScope(id: string, scope: string | null): Promise<void> {
      await db.updateTable('projects').set({ scope }).where('id', '=', id).execute()
    },

    find: (accountId: string, name: string): Promise<ProjectTable | undefined> =>
      db
        .selectFrom('projects')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('name', '=', name)
        .executeTakeFirst(),

    findById: (accountId: string, id: string): Promise<ProjectTable | undefined> =>
      db.selectFrom('projects').selectAll().where('account_id', '=', accountId).where('id', '=', id).executeTakeFirst(),

    list: (accountId: string, names: readonly string[]): Promise<ProjectTable[]> =>
      names.length === 0
        ? Promise.resolve([])
        : db
            .selectFrom('projects')
            .selectAll()
            .where('account_id', '=', accountId)
            .where('name', 'in', names)
            .execute(),

    /** Every named project with the moment of its last scan; of one whose scans are no longer kept, of its first. The one scanned longest ago comes first. */
    async listLastScans(accountId: string): Promise<{ name: string; scannedAt: number }[]> {
      const newest = sql<number | string | null>`(select max(scans.created_at) from scan_labels
        join scans on scans.id = scan_labels.scan_id
        where scan_labels.account_id = projects.account_id and scan_labels.project = projects.name)`
      const rows = await db
        .selectFrom('projects')
        .select(['name', 'created_at', newest.as('newest')])
        .where('account_id', '=', accountId)
        // A scan without a project is its own.
        .where('name', 'not like', 'scn_%')
        .execute()
      return rows
        .map(({ name, created_at, newest: last }) => ({ name, scannedAt: Number(last ?? created_at) }))
        .sort((a, b) => a.scannedAt - b.scannedAt || a.name.localeCompare(b.name, 'en'))
    },
  }
}
