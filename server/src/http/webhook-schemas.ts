import { z } from 'zod'
import { webhookEvents } from '../services/webhooks.ts'
import { timestamp } from './fields.ts'

/** Shapes that the webhook routes share. */
export const webhookEventSchema = z.enum(webhookEvents)

export const webhookSchema = z
  .object({
    id: z.string(),
    url: z.string(),
    events: z.array(z.string()),
    description: z.string().nullable(),
    status: z.enum(['active', 'disabled']),
    disabledReason: z.string().nullable(),
    createdAt: timestamp,
  })
  .meta({ id: 'Webhook' })

export const deliverySchema = z
  .object({
    id: z.string(),
    webhookId: z.string(),
    messageId: z.string().meta({ description: 'The `webhook-id` header, the same on every try.' }),
    type: z.string(),
    status: z.enum(['pending', 'delivered', 'failed', 'cancelled']),
    attempts: z.int(),
    lastStatusCode: z.int().nullable(),
    lastError: z.string().nullable(),
    lastDurationMs: z.int().nullable(),
    lastAttemptAt: timestamp.nullable(),
    createdAt: timestamp,
  })
  .meta({ id: 'WebhookDelivery' })

export const webhookFields = {
  url: z.string().min(1).max(2048),
  events: z
    .array(webhookEventSchema)
    .min(1)
    .optional()
    .describe('Without it a new webhook gets `scan.completed` and `scan.failed`.'),
  description: z.string().max(200).optional(),
}

export const webhookExample = {
  id: 'whk_01k2m3n4p5q6r7s8t9v0w1x2y3',
  url: 'https://hooks.example.com/assay',
  events: ['scan.completed', 'scan.failed'],
  description: null,
  status: 'active',
  disabledReason: null,
  createdAt: '2026-03-10T12:00:00.000Z',
}

export const deliveryExample = {
  id: 'dlv_01k2m3n4p5q6r7s8t9v0w1x2y3',
  webhookId: webhookExample.id,
  messageId: 'msg_01k2m3n4p5q6r7s8t9v0w1x2y3',
  type: 'scan.completed',
  status: 'delivered',
  attempts: 1,
  lastStatusCode: 200,
  lastError: null,
  lastDurationMs: 84,
  lastAttemptAt: '2026-03-10T12:00:01.000Z',
  createdAt: '2026-03-10T12:00:00.000Z',
}

export const redeliveredResponse = {
  description: 'Queued.',
  schema: z.object({ success: z.boolean(), data: deliverySchema }),
  example: { success: true, data: { ...deliveryExample, status: 'pending' as const } },
}
