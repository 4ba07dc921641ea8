import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { redeliveredResponse } from '../http/webhook-schemas.ts'
import { type DeliveryDeps, redeliver } from '../services/webhook-deliveries.ts'

export default defineRoute({
  method: 'POST',
  url: '/api/v1/webhooks/deliveries/:deliveryId/redeliver',
  summary: 'Send a delivery again, by its id alone',
  tag: 'Webhooks',
  access: 'key-or-session',
  once: true,
  organisation: 'owner',
  params: z.object({ deliveryId: z.string() }),
  responses: { 200: redeliveredResponse },
  refusals: ['webhooksNotOnPlan', 'deliveryNotFound', 'webhookDisabled'],
  async handle(deps: DeliveryDeps, { caller, params }) {
    return { success: true, data: await redeliver(deps, caller.accountId, undefined, params.deliveryId) }
  },
})
