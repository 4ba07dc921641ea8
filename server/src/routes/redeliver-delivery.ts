import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { redeliveredResponse } from '../http/webhook-schemas.ts'
import { type DeliveryDeps, redeliver } from '../services/webhook-deliveries.ts'

export default defineRoute({
  method: 'POST',
  url: '/api/v1/webhooks/deliveries/:deliveryId/redeliver',
  summary: 'Send a delivery again, by its id alone',
  description: 'Use `POST /api/v1/webhooks/{id}/deliveries/{deliveryId}/redeliver`.',
  tag: 'Webhooks',
  deprecated: true,
  responseHeaders: {
    deprecation: '@1794873600',
    sunset: 'Tue, 30 Nov 2027 00:00:00 GMT',
    link: '</api/v1/webhooks/{id}/deliveries/{deliveryId}/redeliver>; rel="successor-version"',
  },
  access: 'key-or-session',
  once: true,
  organisation: 'owner',
  params: z.object({ deliveryId: z.string() }),
  responses: {
    200: {
      ...redeliveredResponse,
      headers: {
        Deprecation: 'Since when this endpoint is deprecated.',
        Sunset: 'When it ends.',
        Link: 'Its successor.',
      },
    },
  },
  refusals: ['webhooksNotOnPlan', 'deliveryNotFound', 'webhookDisabled'],
  async handle(deps: DeliveryDeps, { caller, params }) {
    return { success: true, data: await redeliver(deps, caller.accountId, undefined, params.deliveryId) }
  },
})
