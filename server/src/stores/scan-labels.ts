import type { Db } from './database.ts'
import type { ScanLabelTable } from './schema.ts'

export interface TrendRow extends ScanLabelTable {
  score: number
  rating: string
  total: number
  is_project: number
  created_at: number
}

export function createScanLabelStore(db: Db) {
  return {
    async add(label: ScanLabelTable): Promise<void> {
      await db.insertInto('scan_labels').values(label).execute()
    },

    find: (scanId: string): Promise<ScanLabelTable | undefined> =>
      db.selectFrom('scan_labels').selectAll().where('scan_id', '=', scanId).executeTakeFirst(),

    /** Id of the newest scan of a project. */
    async findNewest(accountId: string, project: string): Promise<string | undefined> {
      const row = await db
        .selectFrom('scan_labels')
        .select('scan_id')
        .where('account_id', '=', accountId)
        .where('project', '=', project)
        .orderBy('scan_id', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row?.scan_id
    },

    /** Every project's scans, the newest first, as far back as they are kept. */
    async list(accountId: string, notBefore: number, limit: number): Promise<TrendRow[]> {
      return db
        .selectFrom('scan_labels')
        .innerJoin('scans', 'scans.id', 'scan_labels.scan_id')
        .select([
          'scan_labels.scan_id',
          'scan_labels.account_id',
          'scan_labels.project',
          'scan_labels.ref',
          'scan_labels.commit_hash',
          'scans.score',
          'scans.rating',
          'scans.total',
          'scans.is_project',
          'scans.created_at',
        ])
        .where('scan_labels.account_id', '=', accountId)
        .where('scans.created_at', '>', notBefore)
        .orderBy('scan_labels.scan_id', 'desc')
        .limit(limit)
        .execute()
    },
  }
}
