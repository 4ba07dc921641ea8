import { addSeconds } from '../core/clock.ts'
import { refuse } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import { isPlanName, type PlanName, plans } from '../core/plans.ts'
import type { PaidPlan } from '../gateways/billing-provider.ts'
import { type AccountRow, createAccountStore } from '../stores/accounts.ts'
import { type BillingCustomerRow, createBillingCustomerStore } from '../stores/billing-customers.ts'
import { transaction } from '../stores/database.ts'
import { type Actor, noteChange } from './note-change.ts'
import { recipientsOf } from './recipients.ts'
import { type BillingDeps, syncSubscription, unwrap } from './sync-subscription.ts'

export type UpgradeResult =
  | { readonly status: 'payment_required'; readonly plan: PaidPlan; readonly checkoutUrl: string }
  | { readonly status: 'active'; readonly plan: PaidPlan }

/** If this process dies half-way, the sweep asks the provider what came of it. */
const lookAgainSeconds = 30
/** How long a checkout can be paid at the provider that keeps it open longest. */
const checkoutLifetimeSeconds = 86_400

/** Buys a higher plan: at a checkout page from free, at once and prorated from a paid plan. */
export async function upgradePlan(deps: BillingDeps, actor: Actor, newPlan: string): Promise<UpgradeResult> {
  const { accountId } = actor.caller
  const { account, customer, plan } = await findUpgrade(deps, accountId, newPlan)
  // Before anything is charged: anyone who pays can see who requested it, whatever comes of it.
  await transaction(deps.db, (tx) => noteChange({ ...deps, db: tx }, actor, 'plan.upgrade-requested', { plan }))
  if (account.plan === 'free' || !customer?.subscription_id) return openCheckout(deps, account, plan)
  const now = deps.clock.now()
  const store = createBillingCustomerStore(deps.db, deps.billing.name)
  await store.checkBy(accountId, addSeconds(now, lookAgainSeconds).getTime())
  const outcome = await deps.billing.changePlan({
    customerId: customer.customer_id,
    subscriptionId: customer.subscription_id,
    plan,
    at: now,
    requestId: newId('request'),
    returnUrl: `${deps.config.publicUrl}/plan`,
  })
  if (outcome.kind === 'unavailable') return unwrap(deps, outcome)
  if (outcome.kind === 'declined') return refuse('paymentRefused')
  if (outcome.kind === 'actionRequired') return { status: 'payment_required', plan, checkoutUrl: outcome.url }
  await syncSubscription(deps, accountId)
  return { status: 'active', plan }
}

/** The state an upgrade starts from, read again; refuses what is no upgrade. */
export async function findUpgrade(
  deps: BillingDeps,
  accountId: string,
  newPlan: string,
): Promise<{ account: AccountRow; customer: BillingCustomerRow | undefined; plan: PaidPlan }> {
  if (!isPlanName(newPlan)) return refuse('planUnknown')
  // An event may have been lost: what is bought next must rest on what is really there.
  await syncSubscription(deps, accountId)
  const account = await createAccountStore(deps.db).find(accountId)
  if (!account) throw new Error('the caller has no account')
  if (!isHigher(newPlan, account.plan)) return refuse('planNotHigher', account.plan)
  const customer = await createBillingCustomerStore(deps.db, deps.billing.name).find(accountId)
  return { account, customer, plan: newPlan }
}

const isHigher = (plan: PlanName, current: PlanName): plan is PaidPlan => plans[plan].rank > plans[current].rank

async function openCheckout(deps: BillingDeps, account: AccountRow, plan: PaidPlan): Promise<UpgradeResult> {
  const store = createBillingCustomerStore(deps.db, deps.billing.name)
  const customer = await findOrCreateCustomer(deps, account)
  const order = {
    customerId: customer.customer_id,
    plan,
    requestId: newId('request'),
    returnUrl: `${deps.config.publicUrl}/plan`,
  }
  const { checkoutId, url } = unwrap(deps, await deps.billing.startCheckout(order))
  const now = deps.clock.now()
  const until = addSeconds(now, checkoutLifetimeSeconds).getTime()
  const previous = await store.swapCheckout(account.id, checkoutId, until)
  // One open checkout at a time: two of them could both be paid.
  if (previous) unwrap(deps, await deps.billing.closeCheckout(previous))
  await store.checkBy(account.id, addSeconds(now, lookAgainSeconds).getTime())
  return { status: 'payment_required', plan, checkoutUrl: url }
}

async function findOrCreateCustomer(deps: BillingDeps, account: AccountRow): Promise<BillingCustomerRow> {
  const store = createBillingCustomerStore(deps.db, deps.billing.name)
  const known = await store.find(account.id)
  if (known) return known
  const [email = account.email] = await recipientsOf(deps.db, account)
  const created = unwrap(deps, await deps.billing.createCustomer({ accountId: account.id, email }))
  await store.add(account.id, created.customerId)
  const added = await store.find(account.id)
  if (!added) throw new Error('the billing customer was not kept')
  return added
}
