import { sql } from 'kysely'
import { type PlanName, planNames, plans } from '../core/plans.ts'
import type { Db } from './database.ts'

const DAY_MS = 86_400_000

/** What a plan keeps for so many days. */
export type Kept = 'scans' | 'scan_requests' | 'scan_batches'
const kept: readonly Kept[] = ['scans', 'scan_requests', 'scan_batches']

/** What the owner's present plan, or a contract, keeps; `a` and `l` are the rows of the account. */
const keptMs = sql`${sql.lit(DAY_MS)} * coalesce(l.history_days, case a.plan ${sql.join(
  planNames.map((plan: PlanName) => sql`when ${sql.lit(plan)} then ${sql.lit(plans[plan].historyDays)}`),
  sql` `,
)} end)`
const owners = sql`join accounts a on a.id = s.account_id left join account_limits l on l.account_id = s.account_id`

/** Works out when up to `batch` rows expire that have no such moment yet, never one that is over: whatever expires is hidden before it is deleted. */
export async function workOutExpiry(db: Db, table: Kept, now: number, batch: number): Promise<number> {
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} set expires_at = due.at
    from (
      select s.id, case when s.created_at + ${keptMs} < ${sql.lit(now)} then ${sql.lit(now)} else s.created_at + ${keptMs} end as at
      from (select id, account_id, created_at from ${sql.table(table)} where expires_at is null limit ${sql.lit(batch)}) s
      ${owners}
    ) as due
    where ${sql.table(table)}.id = due.id`.execute(db)
  return Number(numAffectedRows ?? 0n)
}

/** How many had expired at that moment, counted no further than `atMost`. */
export async function countExpired(db: Db, table: Kept, moment: number, atMost: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from (
      select id from ${sql.table(table)} where expires_at <= ${sql.lit(moment)} limit ${sql.lit(atMost)}
    ) as due`.execute(db)
  return Number(rows[0]?.n ?? 0)
}

/**
 * Deletes up to `batch` rows that had expired at that moment; how many were looked at. One that the present plan keeps longer, because the plan changed
 * just while its moment was worked out, stays and gets another.
 */
export async function removeExpired(db: Db, table: Kept, moment: number, batch: number): Promise<number> {
  const due = sql`
    select s.id from (
      select id, account_id, created_at, expires_at from ${sql.table(table)}
      where expires_at <= ${sql.lit(moment)} order by expires_at, id limit ${sql.lit(batch)}
    ) s ${owners}`
  const kept = await sql`update ${sql.table(table)} set expires_at = null
    where id in (${due} where s.created_at + ${keptMs} > s.expires_at)`.execute(db)
  const gone = await sql`delete from ${sql.table(table)} where id in (${due})`.execute(db)
  return Number(kept.numAffectedRows ?? 0n) + Number(gone.numAffectedRows ?? 0n)
}

/** After a change of the account's plan or contract. */
export async function forgetExpiry(db: Db, accountId: string): Promise<void> {
  for (const table of kept)
    await sql`update ${sql.table(table)} set expires_at = null
      where account_id = ${accountId} and expires_at is not null`.execute(db)
}
