import type { Db } from './database.ts'
import type { FillTable, ScanTable } from './schema.ts'

export type UnrecordedScan = Pick<ScanTable, 'id' | 'account_id' | 'file_name' | 'created_at'>

const RECORDS = 'records'

/** What was stored before there were records of findings, and how far they have been filled from it. */
export function createFillStore(db: Db) {
  return {
    async find(): Promise<FillTable> {
      const row = await db.selectFrom('fills').selectAll().where('name', '=', RECORDS).executeTakeFirst()
      return row ?? { name: RECORDS, position: '', filled: 0, is_done: 0 }
    },

    async keep(fill: FillTable): Promise<void> {
      const { name: _, ...rest } = fill
      await db
        .insertInto('fills')
        .values(fill)
        .onConflict((conflict) => conflict.column('name').doUpdateSet(rest))
        .execute()
    },

    /** The next scans by age, with or without records. */
    async listAfter(position: string, limit: number): Promise<(UnrecordedScan & { is_recorded: boolean })[]> {
      const rows = await db
        .selectFrom('scans')
        .leftJoin('scan_labels', 'scan_labels.scan_id', 'scans.id')
        .select(['scans.id', 'scans.account_id', 'scans.file_name', 'scans.created_at', 'scan_labels.scan_id as label'])
        .where('scans.id', '>', position)
        .orderBy('scans.id')
        .limit(limit)
        .execute()
      return rows.map(({ label, ...scan }) => ({ ...scan, is_recorded: label !== null }))
    },

    /** How many scans have not been looked at. */
    async countLeft(): Promise<number> {
      const { position, is_done } = await this.find()
      if (is_done) return 0
      const { n } = await db
        .selectFrom('scans')
        .select((select) => select.fn.countAll<number>().as('n'))
        .where('id', '>', position)
        .executeTakeFirstOrThrow()
      return Number(n)
    },
  }
}
