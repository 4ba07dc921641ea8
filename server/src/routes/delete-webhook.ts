import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { deleteWebhook, type WebhookDeps } from '../services/webhooks.ts'

export default defineRoute({
  method: 'DELETE',
  url: '/api/v1/webhooks/:id',
  summary: 'Delete a webhook and its deliveries',
  tag: 'Webhooks',
  access: 'key-or-session',
  organisation: 'owner',
  params: z.object({ id: z.string() }),
  responses: {
    200: {
      description: 'Deleted.',
      schema: z.object({ success: z.boolean(), message: z.string() }),
      example: { success: true, message: 'Webhook deleted.' },
    },
  },
  refusals: ['webhooksNotOnPlan', 'webhookNotFound'],
  async handle(deps: WebhookDeps, { caller, params, client }) {
    await deleteWebhook(deps, { caller, client }, params.id)
    return { success: true, message: 'Webhook deleted.' }
  },
})
