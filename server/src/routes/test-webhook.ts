import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { deliveryExample, deliverySchema } from '../http/webhook-schemas.ts'
import { type DeliveryDeps, testWebhook } from '../services/webhook-deliveries.ts'

export default defineRoute({
  method: 'POST',
  url: '/api/v1/webhooks/:id/test',
  summary: 'Send a test event',
  tag: 'Webhooks',
  access: 'key-or-session',
  once: true,
  organisation: 'owner',
  params: z.object({ id: z.string() }),
  responses: {
    200: {
      description: 'Queued; see the deliveries for its outcome.',
      schema: z.object({ success: z.boolean(), data: deliverySchema }),
      example: { success: true, data: { ...deliveryExample, type: 'webhook.test', status: 'pending', attempts: 0 } },
    },
  },
  refusals: ['webhooksNotOnPlan', 'webhookNotFound', 'webhookDisabled', 'tooManyWebhookTests'],
  async handle(deps: DeliveryDeps, { caller, params }) {
    return { success: true, data: await testWebhook(deps, caller.accountId, params.id) }
  },
})
