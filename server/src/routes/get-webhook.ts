import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { webhookExample, webhookSchema } from '../http/webhook-schemas.ts'
import { getWebhook, type WebhookDeps } from '../services/webhooks.ts'

export default defineRoute({
  method: 'GET',
  url: '/api/v1/webhooks/:id',
  summary: 'One webhook',
  tag: 'Webhooks',
  access: 'key-or-session',
  organisation: 'auditor',
  params: z.object({ id: z.string() }),
  responses: {
    200: {
      description: 'As it stands.',
      schema: z.object({ success: z.boolean(), data: webhookSchema }),
      example: { success: true, data: webhookExample },
    },
  },
  refusals: ['webhooksNotOnPlan', 'webhookNotFound'],
  async handle(deps: WebhookDeps, { caller, params }) {
    return { success: true, data: await getWebhook(deps, caller.accountId, params.id) }
  },
})
