import { z } from 'zod'
import { apiKey, exampleKey, exampleListed, keyChoices, keyName } from '../http/api-key.ts'
import { defineRoute } from '../http/define-route.ts'
import { idParams, message } from '../http/fields.ts'
import { changeKey, type KeyDeps } from '../services/keys.ts'

const words = 'API key changed.'

export default defineRoute({
  method: 'PATCH',
  url: '/api/v1/user-api-keys/:id',
  summary: 'Rename an API key, or change its scopes and limits',
  description: 'What is not given stays. It holds at once, on other replicas within five seconds.',
  tag: 'API keys',
  access: 'session',
  organisation: 'owner',
  params: idParams,
  body: z.object({ name: keyName.optional(), ...keyChoices }),
  responses: {
    200: {
      description: 'The key as it is now.',
      schema: z.object({ success: z.literal(true), message, apiKey }),
      example: { success: true, message: words, apiKey: { ...exampleKey, ...exampleListed } },
    },
  },
  refusals: ['keyNotFound', 'tooManyKeyChanges'],
  async handle(deps: KeyDeps, { caller, params, body, client }) {
    return {
      success: true,
      message: words,
      apiKey: await changeKey(deps, caller.accountId, params.id, body, client),
    }
  },
})
