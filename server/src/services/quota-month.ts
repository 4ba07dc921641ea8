import { addMonths, type Clock } from '../core/clock.ts'
import type { Db } from '../stores/database.ts'
import { createMonthCountStore } from '../stores/month-counts.ts'

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

/** A month before the 30th of April is the 30th of March, though anyone who began on a 31st was renewed on the 31st. */
function lastRenewal(anchor: Date, end: Date): Date {
  let count = Math.max(0, monthsBetween(anchor, end))
  while (addMonths(anchor, count) >= end && count > 0) count -= 1
  return addMonths(anchor, count)
}

const monthsBetween = (from: Date, to: Date): number =>
  (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth()

/** Counts a scan that gave a result. Last in its transaction: until the commit others of the account wait for it. */
export async function countForMonth(tx: Db, clock: Clock, accountId: string): Promise<void> {
  const months = createMonthCountStore(tx)
  const anchor = await months.findAnchor(accountId)
  if (!anchor) return
  const { plan_since, period_end } = anchor
  const periodEndsAt = period_end === null ? null : new Date(period_end)
  const { start } = quotaMonth(new Date(plan_since), periodEndsAt, clock.now())
  await months.add(accountId, start.getTime())
}
