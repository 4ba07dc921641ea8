import { sql } from 'kysely'
import type { Db } from './database.ts'
import type { ScanLabelTable, ScanTable } from './schema.ts'

export interface TrendRow extends Omit<ScanLabelTable, 'observation' | 'files'> {
  score: number
  rating: string
  total: number
  critical: number
  high: number
  completeness: ScanTable['completeness']
  tally: string | null | undefined
  is_project: number
  created_at: number
  /** How many its project has. */
  scans: number
}

export function createScanLabelStore(db: Db) {
  return {
    async add(label: ScanLabelTable): Promise<void> {
      await db.insertInto('scan_labels').values(label).execute()
    },

    find: (scanId: string): Promise<ScanLabelTable | undefined> =>
      db.selectFrom('scan_labels').selectAll().where('scan_id', '=', scanId).executeTakeFirst(),

    async setGate(scanId: string, gate: string): Promise<void> {
      await db.updateTable('scan_labels').set({ gate }).where('scan_id', '=', scanId).execute()
    },

    /** Id of the newest scan of a project on a ref. */
    async findNewest(accountId: string, project: string, ref: string | null): Promise<string | undefined> {
      const row = await db
        .selectFrom('scan_labels')
        .select('scan_id')
        .where('account_id', '=', accountId)
        .where('project', '=', project)
        .where('ref', ref === null ? 'is' : '=', ref)
        .orderBy('scan_id', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row?.scan_id
    },

    /** What scans looked at that were accepted after this one, of the same project and ref. */
    listLater: (
      { account_id, project, ref, scan_id }: ScanLabelTable,
      acceptedAt: number,
    ): Promise<Pick<ScanLabelTable, 'files' | 'observation'>[]> =>
      db
        .selectFrom('scan_labels')
        .innerJoin('scans', 'scans.id', 'scan_labels.scan_id')
        .select(['scan_labels.files', 'scan_labels.observation'])
        .where('scan_labels.account_id', '=', account_id)
        .where('scan_labels.project', '=', project)
        .where('scan_labels.ref', ref === null ? 'is' : '=', ref)
        .where('scan_labels.scan_id', '>', scan_id)
        .where('scans.created_at', '>', acceptedAt)
        .execute(),

    /** Of every project, or one, the newest scans and the newest of each ref, the newest first, as far back as they are kept. */
    async list(accountId: string, notBefore: number, perProject: number, project?: string): Promise<TrendRow[]> {
      const kept = db
        .selectFrom('scan_labels')
        .innerJoin('scans', 'scans.id', 'scan_labels.scan_id')
        .select([
          'scan_labels.scan_id',
          'scan_labels.account_id',
          'scan_labels.project',
          'scan_labels.ref',
          'scan_labels.commit_hash',
          'scan_labels.gate',
          'scans.score',
          'scans.rating',
          'scans.total',
          'scans.critical',
          'scans.high',
          'scans.completeness',
          'scans.tally',
          'scans.is_project',
          'scans.created_at',
          sql<number>`count(*) over (partition by scan_labels.project)`.as('scans'),
          sql<number>`row_number() over (partition by scan_labels.project order by scan_labels.scan_id desc)`.as('nth'),
          sql<number>`row_number() over (partition by scan_labels.project, scan_labels.ref order by scan_labels.scan_id desc)`.as(
            'nth_of_ref',
          ),
        ])
        .where('scan_labels.account_id', '=', accountId)
        .whereRef('scan_labels.project', '!=', 'scan_labels.scan_id')
        .where('scans.created_at', '>', notBefore)
      const own = project === undefined ? kept : kept.where('scan_labels.project', '=', project)
      const rows = await db
        .selectFrom(own.as('t'))
        .selectAll()
        .where((row) => row.or([row('nth', '<=', perProject), row('nth_of_ref', '=', 1)]))
        .orderBy('scan_id', 'desc')
        .execute()
      return rows.map(({ nth: _, nth_of_ref: __, ...row }) => ({ ...row, scans: Number(row.scans) }))
    },
  }
}
