import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { pageFields } from '../http/paging.ts'
import { deliveryExample, deliverySchema } from '../http/webhook-schemas.ts'
import { type DeliveryDeps, listDeliveries } from '../services/webhook-deliveries.ts'

export default defineRoute({
  method: 'GET',
  url: '/api/v1/webhooks/:id/deliveries',
  summary: 'Deliveries of a webhook, newest first',
  tag: 'Webhooks',
  access: 'key-or-session',
  organisation: 'auditor',
  params: z.object({ id: z.string() }),
  query: z.object({ limit: z.coerce.number().int().min(1).max(100).default(25), cursor: z.string().optional() }),
  responses: {
    200: {
      description: 'A page of them; kept for 30 days.',
      schema: z.object({
        success: z.boolean(),
        data: z.object({ deliveries: z.array(deliverySchema), ...pageFields }),
      }),
      example: { success: true, data: { deliveries: [deliveryExample], total: 1, nextCursor: null } },
    },
  },
  refusals: ['webhooksNotOnPlan', 'webhookNotFound'],
  async handle(deps: DeliveryDeps, { caller, params, query }) {
    return { success: true, data: await listDeliveries(deps, caller.accountId, params.id, query) }
  },
})
