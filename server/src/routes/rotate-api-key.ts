import { z } from 'zod'
import { exampleKey, newApiKey } from '../http/api-key.ts'
import { defineRoute } from '../http/define-route.ts'
import { idParams, message, timestamp } from '../http/fields.ts'
import { type KeyDeps, rotateKey } from '../services/keys.ts'

const MAX_OVERLAP_SECONDS = 30 * 86_400

export default defineRoute({
  method: 'POST',
  url: '/api/v1/user-api-keys/:id/rotate',
  summary: 'Replace an API key',
  description:
    'The new key works now; the old one goes on for the overlap, so that nothing stops while you exchange it.',
  tag: 'API keys',
  access: 'session',
  once: true,
  organisation: 'owner',
  params: idParams,
  body: z.object({
    overlapSeconds: z
      .number()
      .int({ error: 'must be a whole number' })
      .min(0)
      .max(MAX_OVERLAP_SECONDS)
      .default(0)
      .meta({ description: 'How long the old key still works; 0 ends it now.', example: 86_400 }),
  }),
  responses: {
    200: {
      description: 'The new key, and when the old one ends.',
      schema: z.object({
        success: z.literal(true),
        message,
        apiKey: newApiKey,
        previous: z.object({ id: z.string(), expiresAt: timestamp }),
      }),
      example: {
        success: true,
        message: 'API key rotated.',
        apiKey: exampleKey,
        previous: { id: 'key_1c3v5b7n9m0x2t4q6w8e1r3y5k', expiresAt: '2026-03-11T12:00:00.000Z' },
      },
    },
  },
  refusals: ['keyNotFound', 'keyNotActive', 'tooManyKeys', 'tooManyKeyChanges', 'emailUnverified'],
  async handle(deps: KeyDeps, { caller, params, body, client }) {
    const { key, previous } = await rotateKey(deps, caller.accountId, params.id, body.overlapSeconds, client)
    return { success: true, message: 'API key rotated.', apiKey: key, previous }
  },
})
