import { addDays } from '../core/clock.ts'
import type { SandboxBilling } from '../gateways/sandbox-billing.ts'
import { createBillingCustomerStore } from '../stores/billing-customers.ts'
import { createBillingEventStore } from '../stores/billing-events.ts'
import { receiveBillingEvent } from './receive-billing-event.ts'
import { type BillingDeps, syncSubscription } from './sync-subscription.ts'

export interface SweepBillingDeps extends BillingDeps {
  /** The embedded provider, when it is the one in use: nobody else moves its clock. */
  sandbox: SandboxBilling | undefined
}

const batch = 200
const eventsKeptDays = 90

/** Looks after whatever time brings: periods that end, grace that runs out, events that never came. */
export async function sweepBilling(deps: SweepBillingDeps): Promise<void> {
  await advanceSandbox(deps)
  const now = deps.clock.now()
  for (const accountId of await createBillingCustomerStore(deps.db, deps.billing.name).listDue(now.getTime(), batch)) {
    try {
      await syncSubscription(deps, accountId)
    } catch (error) {
      deps.log.warn({ err: error }, 'an account could not be checked with the billing provider')
    }
  }
  await createBillingEventStore(deps.db).deleteProcessedBefore(addDays(now, -eventsKeptDays).getTime())
}

/** Plays what is due in the sandbox and hands its events over the way they would arrive from outside. */
export async function advanceSandbox(deps: SweepBillingDeps): Promise<void> {
  await deps.sandbox?.advanceDue()
  await deps.sandbox?.deliverEvents(async (body, signature) => {
    await receiveBillingEvent(deps, body, signature)
  })
}
