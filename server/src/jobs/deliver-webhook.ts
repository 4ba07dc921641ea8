import { defineJob } from '../queue/job.ts'
import { type DeliveryDeps, deliverWebhook, deliverWebhookJob } from '../services/webhook-deliveries.ts'

export default defineJob(deliverWebhookJob, (deps: DeliveryDeps, { deliveryId }, attempt) =>
  deliverWebhook(deps, deliveryId, attempt),
)
