import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { timestamp } from '../http/fields.ts'
import { webhookExample, webhookSchema } from '../http/webhook-schemas.ts'
import { rotateWebhookSecret, type WebhookDeps } from '../services/webhooks.ts'

export default defineRoute({
  method: 'POST',
  url: '/api/v1/webhooks/:id/rotate-secret',
  summary: 'Replace the signing secret',
  description: 'During the overlap every delivery carries a signature of each secret.',
  tag: 'Webhooks',
  access: 'key-or-session',
  once: true,
  organisation: 'owner',
  params: z.object({ id: z.string() }),
  body: z.object({ overlapSeconds: z.int().min(0).max(604_800).default(86_400) }),
  noStore: true,
  responses: {
    200: {
      description: 'The new secret.',
      schema: z.object({
        success: z.boolean(),
        data: webhookSchema.extend({ secret: z.string(), previousSecretUntil: timestamp }),
      }),
      example: {
        success: true,
        data: { ...webhookExample, secret: 'whsec_…', previousSecretUntil: '2026-03-11T12:00:00.000Z' },
      },
    },
  },
  refusals: ['webhooksNotOnPlan', 'webhookNotFound'],
  async handle(deps: WebhookDeps, { caller, params, body, client }) {
    return {
      success: true,
      data: await rotateWebhookSecret(deps, { caller, client }, params.id, body.overlapSeconds),
    }
  },
})
