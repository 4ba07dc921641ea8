import { z } from 'zod'
import { answerOnce, idempotencyHeader } from '../http/answer-once.ts'
import { exampleKey, keyChoices, keyName, keyType, newApiKey } from '../http/api-key.ts'
import { defineRoute } from '../http/define-route.ts'
import { message, userId } from '../http/fields.ts'
import type { IdempotencyDeps } from '../services/idempotency.ts'
import { generateKey, type KeyDeps } from '../services/keys.ts'

const words = 'API key created. Keep it out of source code.'

export default defineRoute({
  method: 'POST',
  url: '/api/generate-api-key',
  summary: 'Create an API key',
  description:
    'PRODUCTION keys live 13 calendar months, TEST keys 4, with twice the hourly limit; `expiresInDays` chooses otherwise. Use one key per environment, and create the new one before the old one ends. At most 25 active keys. A key has all scopes unless you choose: one for a pipeline needs `scan`, or `scan` and `read`. It can have lower limits of its own.',
  tag: 'API keys',
  access: 'session',
  organisation: 'owner',
  body: z.object({
    userId,
    type: keyType,
    name: keyName,
    expiresInDays: z
      .number()
      .int({ error: 'must be a whole number' })
      .min(1)
      .optional()
      .meta({ description: 'Up to three years for PRODUCTION, six months for TEST.', example: 30 }),
    ...keyChoices,
  }),
  requestHeaders: idempotencyHeader,
  responses: {
    201: {
      description: 'The new key.',
      schema: z.object({ message, apiKey: newApiKey }),
      example: { message: words, apiKey: exampleKey },
    },
  },
  refusals: ['emailUnverified', 'tooManyKeys', 'tooManyKeyChanges', 'idempotencyInFlight', 'idempotencyMismatch'],
  handle(deps: KeyDeps & IdempotencyDeps, { caller, body, client, request, reply }) {
    const content = Object.entries(body).map(([name, value]) => [name, String(value)] as const)
    return answerOnce(deps, request, reply, { accountId: caller.accountId, content, status: 201 }, async (keep) => {
      const answer = (apiKey: unknown) => ({ message: words, apiKey })
      const key = await generateKey(deps, caller.accountId, body, client, (tx, made) => keep(answer(made), { tx }))
      return answer(key)
    })
  },
})
