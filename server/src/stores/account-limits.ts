import { sql } from 'kysely'
import type { PlanName } from '../core/plans.ts'
import type { Db } from './database.ts'
import { forgetExpiry } from './expiry.ts'
import type { AccountLimitsTable } from './schema.ts'
import { statement } from './statement.ts'

export type LimitOverrides = Partial<Omit<AccountLimitsTable, 'account_id'>>
export type PlanAndLimits = { plan: PlanName } & Omit<AccountLimitsTable, 'account_id'>

export function createAccountLimitsStore(db: Db) {
  return {
    /** The plan of an account and what overrides it; undefined for an unknown account. */
    async find(accountId: string): Promise<PlanAndLimits | undefined> {
      const { rows } = await sql<PlanAndLimits>`
        select a.plan, l.requests_per_hour, l.scans_per_day, l.max_file_bytes, l.max_contract_bytes, l.history_days
        from accounts a left join account_limits l on l.account_id = a.id
        where a.id = ${accountId}`.execute(db)
      return rows[0]
    },

    /** The same together with the account's scans of a day, in one query. */
    async findWithScans(accountId: string, day: number): Promise<(PlanAndLimits & { scans: number }) | undefined> {
      const { rows } = await statement<PlanAndLimits & { scans: number }>`
        select a.plan, l.requests_per_hour, l.scans_per_day, l.max_file_bytes, l.max_contract_bytes, l.history_days,
          coalesce(c.n, 0) as scans
        from accounts a
        left join account_limits l on l.account_id = a.id
        left join scan_counts c on c.account_id = a.id and c.day = ${day}
        where a.id = ${accountId}`(db)
      return rows[0]
    },

    /** Sets the given numbers and leaves the others. */
    async override(accountId: string, limits: LimitOverrides): Promise<void> {
      const nothing = {
        requests_per_hour: null,
        scans_per_day: null,
        max_file_bytes: null,
        max_contract_bytes: null,
        history_days: null,
      }
      await db
        .insertInto('account_limits')
        .values({ account_id: accountId, ...nothing, ...limits })
        .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ account_id: accountId, ...limits }))
        .execute()
      await forgetExpiry(db, accountId)
    },

    async clear(accountId: string): Promise<void> {
      await db.deleteFrom('account_limits').where('account_id', '=', accountId).execute()
      await forgetExpiry(db, accountId)
    },
  }
}
