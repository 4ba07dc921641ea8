import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { redeliveredResponse } from '../http/webhook-schemas.ts'
import { type DeliveryDeps, redeliver } from '../services/webhook-deliveries.ts'

export default defineRoute({
  method: 'POST',
  url: '/api/v1/webhooks/:id/deliveries/:deliveryId/redeliver',
  summary: 'Send a delivery again',
  description: 'The same message under the same `webhook-id`.',
  tag: 'Webhooks',
  access: 'key-or-session',
  once: true,
  organisation: 'owner',
  params: z.object({ id: z.string(), deliveryId: z.string() }),
  responses: { 200: redeliveredResponse },
  refusals: ['webhooksNotOnPlan', 'deliveryNotFound', 'webhookDisabled'],
  async handle(deps: DeliveryDeps, { caller, params }) {
    return { success: true, data: await redeliver(deps, caller.accountId, params.id, params.deliveryId) }
  },
})
