import type { Db } from './database.ts'
import type { ScanLabelTable } from './schema.ts'

export interface TrendRow extends ScanLabelTable {
  score: number
  rating: string
  total: number
  created_at: number
}

export function createScanLabelStore(db: Db) {
  return {
    async add(label: ScanLabelTable): Promise<void> {
      await db.insertInto('scan_labels').values(label).execute()
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
