import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { webhookExample, webhookSchema } from '../http/webhook-schemas.ts'
import { listWebhooks, type WebhookDeps } from '../services/webhooks.ts'

export default defineRoute({
  method: 'GET',
  url: '/api/v1/webhooks',
  summary: 'Registered webhooks',
  tag: 'Webhooks',
  access: 'key-or-session',
  organisation: 'auditor',
  list: 'webhooks',
  responses: {
    200: {
      description: 'All of them.',
      schema: z.object({ success: z.boolean(), data: z.object({ webhooks: z.array(webhookSchema), total: z.int() }) }),
      example: { success: true, data: { webhooks: [webhookExample], total: 1 } },
    },
  },
  refusals: ['webhooksNotOnPlan'],
  async handle(deps: WebhookDeps, { caller }) {
    const webhooks = await listWebhooks(deps, caller.accountId)
    return { success: true, data: { webhooks, total: webhooks.length } }
  },
})
