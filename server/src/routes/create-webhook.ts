import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { webhookExample, webhookFields, webhookSchema } from '../http/webhook-schemas.ts'
import { assertWebhookAllowed, createWebhook, type WebhookDeps } from '../services/webhooks.ts'

export default defineRoute({
  method: 'POST',
  url: '/api/v1/webhooks',
  summary: 'Register a webhook',
  description: 'Events are signed after Standard Webhooks 1.0.0. The secret is shown now and on rotation, never again.',
  tag: 'Webhooks',
  access: 'key-or-session',
  once: true,
  organisation: 'owner',
  body: z.object(webhookFields),
  noStore: true,
  responses: {
    201: {
      description: 'Registered. Nothing is sent until an event happens.',
      schema: z.object({ success: z.boolean(), data: webhookSchema.extend({ secret: z.string() }) }),
      example: { success: true, data: { ...webhookExample, secret: 'whsec_…' } },
    },
  },
  refusals: ['webhooksNotOnPlan', 'webhookUrlRefused', 'tooManyWebhooks'],
  before: (deps: WebhookDeps, { caller, body }) => assertWebhookAllowed(deps, caller.accountId, body.url),
  async handle(deps: WebhookDeps, { caller, body, client }) {
    return { success: true, data: await createWebhook(deps, { caller, client }, body) }
  },
})
