import { z } from 'zod'
import { refuse } from '../core/errors.ts'
import { defineJobKind } from '../queue/job.ts'
import { createBillingCustomerStore } from '../stores/billing-customers.ts'
import { createBillingEventStore } from '../stores/billing-events.ts'
import { transaction } from '../stores/database.ts'
import { type BillingDeps, syncSubscription } from './sync-subscription.ts'

/** What was accepted is worked off even if this process is killed the moment after. */
export const billingEventJob = defineJobKind({
  name: 'billing-event',
  payload: z.object({ eventId: z.string() }),
  retryAfterSeconds: [5, 30, 120, 600, 1800, 7200, 21_600, 43_200, 86_400],
})

/** Takes an event in: signature, once, durably. It is worked off at once if possible, else by the queue. */
export async function receiveBillingEvent(
  deps: BillingDeps,
  body: Buffer,
  signature: string | undefined,
): Promise<{ isNew: boolean }> {
  const event = deps.billing.readEvent(body, signature)
  if (!event) return refuse('billingSignature')
  const isNew = await transaction(deps.db, async (tx) => {
    const row = {
      id: event.id,
      type: event.type,
      customer_id: event.customerId,
      received_at: deps.clock.now().getTime(),
    }
    if (!(await createBillingEventStore(tx).add(row))) return false
    await deps.queue.enqueue(tx, billingEventJob, { eventId: event.id }, { key: event.id })
    return true
  })
  try {
    await processBillingEvent(deps, event.id)
  } catch (error) {
    deps.log.warn({ err: error, event: event.id }, 'a billing event waits for its next try')
  }
  return { isNew }
}

/** An event says only that something changed for a customer: the change itself is fetched. */
export async function processBillingEvent(deps: BillingDeps, eventId: string): Promise<void> {
  const events = createBillingEventStore(deps.db)
  const event = await events.find(eventId)
  if (!event || event.processed_at !== null) return
  const customer =
    event.customer_id === null
      ? undefined
      : await createBillingCustomerStore(deps.db, deps.billing.name).findByCustomer(event.customer_id)
  if (customer) await syncSubscription(deps, customer.account_id)
  await events.markProcessed(eventId, deps.clock.now().getTime())
}
