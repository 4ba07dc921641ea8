import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { webhookExample, webhookFields, webhookSchema } from '../http/webhook-schemas.ts'
import { changeWebhook, type WebhookDeps } from '../services/webhooks.ts'

export default defineRoute({
  method: 'PATCH',
  url: '/api/v1/webhooks/:id',
  summary: 'Change a webhook',
  description: 'What is not given stays. `status: "active"` turns a disabled webhook on again.',
  tag: 'Webhooks',
  access: 'key-or-session',
  organisation: 'owner',
  params: z.object({ id: z.string() }),
  body: z.object({
    ...webhookFields,
    url: webhookFields.url.optional(),
    status: z.enum(['active', 'disabled']).optional(),
  }),
  responses: {
    200: {
      description: 'Changed.',
      schema: z.object({ success: z.boolean(), data: webhookSchema }),
      example: { success: true, data: webhookExample },
    },
  },
  refusals: ['webhooksNotOnPlan', 'webhookNotFound', 'webhookUrlRefused'],
  async handle(deps: WebhookDeps, { caller, client, params, body }) {
    return { success: true, data: await changeWebhook(deps, { caller, client }, params.id, body) }
  },
})
