import { refuse } from '../core/errors.ts'
import type { PlanName } from '../core/plans.ts'
import { createAccountStore } from '../stores/accounts.ts'
import { type BillingCustomerRow, createBillingCustomerStore } from '../stores/billing-customers.ts'
import { type BillingDeps, syncSubscription, unwrap } from './sync-subscription.ts'

/** The plan stays until the paid period is over, then it is free. Cancelling twice is cancelling once. */
export async function cancelPlan(deps: BillingDeps, accountId: string): Promise<{ plan: PlanName; cancelsAt: string }> {
  const before = await findSubscribed(deps, accountId)
  if (!before) return refuse('nothingToCancel')
  if (before.cancels_at === null) unwrap(deps, await deps.billing.setCancellation(before.subscription_id, true))
  await syncSubscription(deps, accountId)
  const { plan, row } = await readBack(deps, accountId)
  return { plan, cancelsAt: new Date(row?.cancels_at ?? before.period_end ?? 0).toISOString() }
}

/** Takes a cancellation back while there is still something to keep. */
export async function resumePlan(deps: BillingDeps, accountId: string): Promise<{ plan: PlanName; renewsAt: string }> {
  const before = await findSubscribed(deps, accountId)
  if (before?.cancels_at === null || !before) return refuse('nothingToResume')
  unwrap(deps, await deps.billing.setCancellation(before.subscription_id, false))
  await syncSubscription(deps, accountId)
  const { plan, row } = await readBack(deps, accountId)
  return { plan, renewsAt: new Date(row?.period_end ?? before.period_end ?? 0).toISOString() }
}

async function findSubscribed(
  deps: BillingDeps,
  accountId: string,
): Promise<(BillingCustomerRow & { subscription_id: string }) | undefined> {
  await syncSubscription(deps, accountId)
  const row = await createBillingCustomerStore(deps.db, deps.billing.name).find(accountId)
  return row?.subscription_id ? { ...row, subscription_id: row.subscription_id } : undefined
}

async function readBack(deps: BillingDeps, accountId: string) {
  const account = await createAccountStore(deps.db).find(accountId)
  const row = await createBillingCustomerStore(deps.db, deps.billing.name).find(accountId)
  return { plan: account?.plan ?? 'free', row }
}
