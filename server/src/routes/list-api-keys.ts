import { z } from 'zod'
import { apiKey, exampleKey, exampleListed } from '../http/api-key.ts'
import { defineRoute } from '../http/define-route.ts'
import { message, userId } from '../http/fields.ts'
import { type KeyDeps, listKeys } from '../services/keys.ts'

const words = 'API keys retrieved.'

export default defineRoute({
  method: 'GET',
  url: '/api/v1/user-api-keys',
  summary: 'List your API keys in full',
  description: 'Revoked and expired keys are listed too, newest first. `lastUsedAt` shows which ones can be retired.',
  tag: 'API keys',
  access: 'session',
  organisation: 'owner',
  query: z.object({ userId }),
  responses: {
    200: {
      description: 'The keys.',
      schema: z.object({
        success: z.literal(true),
        message,
        data: z.object({ apiKeys: z.array(apiKey), total: z.int() }),
      }),
      example: {
        success: true,
        message: words,
        data: {
          apiKeys: [{ ...exampleKey, ...exampleListed }],
          total: 1,
        },
      },
    },
  },
  refusals: [],
  async handle(deps: KeyDeps, { caller }) {
    const apiKeys = await listKeys(deps, caller.accountId)
    return { success: true, message: words, data: { apiKeys, total: apiKeys.length } }
  },
})
