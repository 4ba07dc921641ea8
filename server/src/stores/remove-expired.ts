import { sql } from 'kysely'
import { type PlanName, planNames, plans } from '../core/plans.ts'
import type { Db } from './database.ts'

const DAY_MS = 86_400_000

/** Deletes up to `batch` rows that their owner's present plan no longer keeps; how many went. */
export async function removeExpired(
  db: Db,
  table: 'scans' | 'scan_requests' | 'scan_batches',
  now: number,
  batch: number,
): Promise<number> {
  const days = sql`case a.plan ${sql.join(
    planNames.map((plan: PlanName) => sql`when ${sql.lit(plan)} then ${sql.lit(plans[plan].historyDays)}`),
    sql` `,
  )} end`
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where id in (
      select s.id from ${sql.table(table)} s
      join accounts a on a.id = s.account_id
      left join account_limits l on l.account_id = s.account_id
      where s.created_at <= ${now} - ${sql.lit(DAY_MS)} * coalesce(l.history_days, ${days})
      limit ${sql.lit(batch)}
    )`.execute(db)
  return Number(numAffectedRows ?? 0n)
}
