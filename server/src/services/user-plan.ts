import { addMonths } from '../core/clock.ts'
import type { PlanName } from '../core/plans.ts'
import { createAccountStore } from '../stores/accounts.ts'
import { createRequestCountStore } from '../stores/request-counts.ts'
import { createScanCountStore } from '../stores/scan-counts.ts'
import { endOfDay, getLimits, startOfDay, startOfHour } from './limits.ts'
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
      scansThisMonth: days.reduce((sum, { n }) => sum + n, 0),
    },
  }
}

/**
 * The month that quotas and renewals count in: the same day each month, clamped to the month's last day. Always reckoned from the
 * anchor, so that the 31st comes back after a short month.
 */
export function quotaMonth(anchor: Date, periodEndsAt: Date | null, now: Date): { start: Date; end: Date } {
  if (periodEndsAt && periodEndsAt > now) return { start: lastRenewal(anchor, periodEndsAt), end: periodEndsAt }
  let count = Math.max(0, monthsBetween(anchor, now))
  while (addMonths(anchor, count) > now && count > 0) count -= 1
  while (addMonths(anchor, count + 1) <= now) count += 1
  return { start: addMonths(anchor, count), end: addMonths(anchor, count + 1) }
}

/** A month before the 30th of April is the 30th of March, though whoever began on a 31st was renewed on the 31st. */
function lastRenewal(anchor: Date, end: Date): Date {
  let count = Math.max(0, monthsBetween(anchor, end))
  while (addMonths(anchor, count) >= end && count > 0) count -= 1
  return addMonths(anchor, count)
}

const monthsBetween = (from: Date, to: Date): number =>
  (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth()
