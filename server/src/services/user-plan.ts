import type { PlanName } from '../core/plans.ts'
import { createAccountStore } from '../stores/accounts.ts'
import { createMonthCountStore } from '../stores/month-counts.ts'
import { createRequestCountStore } from '../stores/request-counts.ts'
import { createScanCountStore } from '../stores/scan-counts.ts'
import { endOfDay, getLimits, startOfDay, startOfHour } from './limits.ts'
import { quotaMonth } from './quota-month.ts'
import { type BillingSummary, readBilling } from './read-billing.ts'
import type { BillingDeps } from './sync-subscription.ts'

export interface UserPlan {
  readonly plan: PlanName
  readonly renewsAt: string
  readonly billingSubscriptionId: string
  readonly billingStatus: BillingSummary['billingStatus']
  readonly cancelsAt: string | null
  readonly graceEndsAt: string | null
  readonly quotas: {
    readonly scansPerDay: number
    readonly maxFileSize: number
    readonly maxContractSize: number
    readonly requestsPerHour: number
    readonly historyDays: number
  }
  readonly usage: {
    readonly scansToday: number
    readonly scansRemaining: number
    readonly resetsAt: string
    readonly requestsThisHour: number
    readonly scansThisMonth: number
  }
}

/** The plan of an account, what it allows, and how much of that is used. */
export async function getUserPlan(deps: BillingDeps, accountId: string): Promise<UserPlan> {
  // First: what the provider says may change the plan.
  const billing = await readBilling(deps, accountId)
  const now = deps.clock.now()
  const account = await createAccountStore(deps.db).find(accountId)
  if (!account) throw new Error(`There is no account ${accountId}.`)
  const limits = await getLimits(deps, accountId)
  const month = quotaMonth(new Date(account.plan_since), billing.periodEndsAt, now)
  const counts = createScanCountStore(deps.db)
  const today = startOfDay(now)
  const days = await counts.listSince(accountId, Math.min(today, startOfDay(month.start)))
  const scansToday = days.find(({ day }) => day === today)?.n ?? 0
  const sinceRenewal = await createMonthCountStore(deps.db).count(accountId, month.start.getTime())
  // Of the day of the renewal only a part belongs to the month; every day after it does, also such as were before months were counted.
  const daysAfter = days.filter(({ day }) => day > startOfDay(month.start)).reduce((sum, { n }) => sum + n, 0)
  return {
    plan: limits.plan,
    renewsAt: month.end.toISOString(),
    billingSubscriptionId: billing.billingSubscriptionId,
    billingStatus: billing.billingStatus,
    cancelsAt: billing.cancelsAt?.toISOString() ?? null,
    graceEndsAt: billing.graceEndsAt?.toISOString() ?? null,
    quotas: {
      scansPerDay: limits.scansPerDay,
      maxFileSize: limits.maxFileBytes,
      maxContractSize: limits.maxContractBytes,
      requestsPerHour: limits.requestsPerHour,
      historyDays: limits.historyDays,
    },
    usage: {
      scansToday,
      scansRemaining: Math.max(0, limits.scansPerDay - scansToday),
      resetsAt: endOfDay(now).toISOString(),
      requestsThisHour: await createRequestCountStore(deps.db).count(accountId, startOfHour(now)),
      scansThisMonth: Math.max(sinceRenewal, daysAfter),
    },
  }
}
