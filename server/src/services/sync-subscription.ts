import { addDays, addSeconds, type Clock } from '../core/clock.ts'
import type { Config } from '../core/config.ts'
import { refuse } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import { type PlanName, plans } from '../core/plans.ts'
import type { BillingProvider, BillingReply, SubscriptionState } from '../gateways/billing-provider.ts'
import { createAccountStore } from '../stores/accounts.ts'
import { type BillingCustomerRow, type BillingState, createBillingCustomerStore } from '../stores/billing-customers.ts'
import { type Db, transaction } from '../stores/database.ts'
import { type MailDeps, queueNotice } from './mail.ts'
import { noteSecurityEvent, ourselves } from './security-log.ts'

export interface BillingDeps extends MailDeps {
  db: Db
  clock: Clock
  log: Log
  config: Pick<Config, 'publicUrl'>
  billing: BillingProvider
}

/** How long a plan outlives a payment that failed. */
const graceDays = 7
/** A provider may be a little late with what the calendar says: ask again after this. */
const retryAfterSeconds = 60
const maxTries = 10

/**
 * Brings an account's plan in line with what the provider says now. The whole state is fetched, never pieced together
 * from events. It is written only if nobody wrote since the fetch began, so an old answer cannot overwrite a newer one.
 */
export async function syncSubscription(deps: BillingDeps, accountId: string): Promise<void> {
  for (let tries = 0; tries < maxTries; tries++) {
    const row = await createBillingCustomerStore(deps.db, deps.billing.name).find(accountId)
    if (!row) return
    const all = unwrap(deps, await deps.billing.fetchSubscriptions(row.customer_id))
    const current = findCurrent(all)
    await endDuplicates(deps, all, current)
    const now = deps.clock.now()
    const wanted = current ? project(current, now) : withOpenCheckout(row, now)
    if (!(await write(deps, row, wanted, now))) continue
    // Only now, so that a provider that is away cannot keep an unpaid plan alive.
    if (wanted.isGraceOver && current) await endForGood(deps, current.id)
    return
  }
  throw new Error('billing: the state kept changing')
}

/** Turns a provider that did not answer into a refusal that says so. */
export function unwrap<T>(deps: Pick<BillingDeps, 'log' | 'billing'>, reply: BillingReply<T>): T {
  if (reply.kind === 'ok') return reply.value
  deps.log.warn({ provider: deps.billing.name, detail: reply.detail }, 'the billing provider did not answer')
  return refuse('billingUnavailable')
}

const isLive = ({ status }: SubscriptionState): boolean => status === 'active' || status === 'past_due'

/** The one that counts: paid before overdue, higher before lower. */
function findCurrent(all: readonly SubscriptionState[]): SubscriptionState | undefined {
  const worth = ({ status, plan }: SubscriptionState): number => (status === 'active' ? 10 : 0) + plans[plan].rank
  return all.filter(isLive).sort((a, b) => worth(b) - worth(a))[0]
}

/** Two checkouts paid side by side must not be charged side by side for ever. */
async function endDuplicates(
  deps: BillingDeps,
  all: readonly SubscriptionState[],
  current: SubscriptionState | undefined,
) {
  for (const extra of all.filter((one) => isLive(one) && one.id !== current?.id)) {
    deps.log.warn({ subscription: extra.id, plan: extra.plan }, 'a second subscription of one account is ended')
    unwrap(deps, await deps.billing.endNow(extra.id))
  }
}

async function endForGood(deps: BillingDeps, subscriptionId: string): Promise<void> {
  const reply = await deps.billing.endNow(subscriptionId)
  if (reply.kind !== 'ok') deps.log.warn({ detail: reply.detail }, 'an unpaid subscription could not be ended yet')
}

interface Wanted {
  readonly plan: PlanName
  readonly anchor: Date | null
  readonly isGraceOver: boolean
  readonly state: BillingState
}

const nothing: Wanted = {
  plan: 'free',
  anchor: null,
  isGraceOver: false,
  state: {
    subscription_id: null,
    status: 'none',
    period_end: null,
    cancels_at: null,
    grace_ends_at: null,
    due_at: null,
  },
}

/** The event that tells of its payment may be lost: keep asking while it can still be paid. */
function withOpenCheckout({ checkout_until }: BillingCustomerRow, now: Date): Wanted {
  if (checkout_until === null || checkout_until <= now.getTime()) return nothing
  return { ...nothing, state: { ...nothing.state, due_at: addSeconds(now, retryAfterSeconds).getTime() } }
}

/** What a subscription means for the account at this moment. */
function project(current: SubscriptionState, now: Date): Wanted {
  if (current.cancelsAt && current.cancelsAt <= now) return nothing
  const isOverdue = current.status === 'past_due'
  // The overdue period began when its payment failed.
  const graceEndsAt = isOverdue ? addDays(current.periodStart, graceDays) : null
  const isGraceOver = graceEndsAt !== null && graceEndsAt <= now
  const next = [current.periodEnd, graceEndsAt, current.cancelsAt].filter((moment) => moment !== null && moment > now)
  const dueAt = Math.min(...(next as Date[]).map((moment) => moment.getTime()), Number.MAX_SAFE_INTEGER)
  const isLate = isGraceOver || dueAt === Number.MAX_SAFE_INTEGER
  return {
    plan: isGraceOver ? 'free' : current.plan,
    anchor: current.anchor,
    isGraceOver,
    state: {
      subscription_id: isGraceOver ? null : current.id,
      status: isOverdue ? 'past_due' : 'active',
      period_end: current.periodEnd.getTime(),
      cancels_at: current.cancelsAt?.getTime() ?? null,
      grace_ends_at: graceEndsAt?.getTime() ?? null,
      due_at: isLate ? addSeconds(now, retryAfterSeconds).getTime() : dueAt,
    },
  }
}

/** False when another process wrote since `row` was read: then nothing was written at all. */
function write(deps: BillingDeps, row: BillingCustomerRow, wanted: Wanted, now: Date): Promise<boolean> {
  return transaction(deps.db, async (tx) => {
    const isWritten = await createBillingCustomerStore(tx, deps.billing.name).write(
      row.account_id,
      row.version,
      wanted.state,
    )
    if (!isWritten) return false
    const accounts = createAccountStore(tx)
    const account = await accounts.find(row.account_id)
    if (!account) return true
    const graceEndsAt = wanted.state.grace_ends_at
    if (row.status !== 'past_due' && graceEndsAt !== null && !wanted.isGraceOver) {
      const facts = { plan: account.plan, at: now, graceEndsAt: new Date(graceEndsAt) }
      await queueNotice(deps, tx, account.id, 'paymentFailed', facts)
    }
    // Back on free the month keeps its day, so that no count starts anew by leaving.
    const since = wanted.anchor?.getTime() ?? account.plan_since
    // A plan that the operator gave does not come from the provider and does not go with it.
    const isGiven = row.status === 'none' && wanted.plan === 'free'
    if (account.plan !== wanted.plan && !isGiven) {
      const sendNotice = () =>
        queueNotice(deps, tx, account.id, 'planChanged', { from: account.plan, to: wanted.plan, at: now })
      const isUp = plans[wanted.plan].rank > plans[account.plan].rank
      // Notices belong to the paid plans: the last one is sent while the plan still is one.
      if (!isUp) await sendNotice()
      await accounts.setPlan(account.id, wanted.plan, since)
      if (isUp) await sendNotice()
      await noteSecurityEvent({ db: tx, clock: deps.clock }, account.id, 'plan.changed', ourselves, {
        from: account.plan,
        to: wanted.plan,
      })
    } else if (account.plan_since !== since && wanted.plan !== 'free') {
      await accounts.setPlan(account.id, wanted.plan, since)
    }
    return true
  })
}
