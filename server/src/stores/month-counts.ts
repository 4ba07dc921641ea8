import type { Db } from './database.ts'
import { statement } from './statement.ts'

/** What the month of an account is reckoned from. */
export interface MonthAnchor {
  readonly plan_since: number
  /** End of the paid period; null where nothing is paid. */
  readonly period_end: number | null
}

/** Scans of a month by account: only such as gave a result. */
export function createMonthCountStore(db: Db) {
  return {
    async findAnchor(accountId: string): Promise<MonthAnchor | undefined> {
      const { rows } = await statement<MonthAnchor>`
        select plan_since, (select max(period_end) from billing_customers b
          where b.account_id = a.id and b.subscription_id is not null) as period_end
        from accounts a where a.id = ${accountId}`(db)
      return rows[0]
    },

    /** The months before are of no use any more. */
    async add(accountId: string, renewedAt: number): Promise<void> {
      const { rows } = await statement<{ n: number }>`
        insert into month_counts (account_id, renewed_at, n) values (${accountId}, ${renewedAt}, 1)
        on conflict (account_id, renewed_at) do update set n = month_counts.n + 1 returning n`(db)
      if (rows[0]?.n === 1)
        await statement`delete from month_counts where account_id = ${accountId} and renewed_at < ${renewedAt}`(db)
    },

    async count(accountId: string, renewedAt: number): Promise<number> {
      const { rows } = await statement<{ n: number }>`
        select n from month_counts where account_id = ${accountId} and renewed_at = ${renewedAt}`(db)
      return rows[0]?.n ?? 0
    },
  }
}
