import { defineJob } from '../queue/job.ts'
import { billingEventJob, processBillingEvent } from '../services/receive-billing-event.ts'
import type { BillingDeps } from '../services/sync-subscription.ts'

export default defineJob(billingEventJob, (deps: BillingDeps, { eventId }) => processBillingEvent(deps, eventId))
