import type { Db } from './database.ts'
import type { AiReportTable } from './schema.ts'

export function createAiReportStore(db: Db) {
  return {
    async add(report: AiReportTable): Promise<void> {
      await db.insertInto('ai_reports').values(report).execute()
    },

    /** Only its owner's, and only as long as the history reaches. */
    find: (accountId: string, name: string, notBefore: number): Promise<AiReportTable | undefined> =>
      db
        .selectFrom('ai_reports')
        .selectAll()
        .where('name', '=', name)
        .where('account_id', '=', accountId)
        .where('created_at', '>', notBefore)
        .executeTakeFirst(),
  }
}
