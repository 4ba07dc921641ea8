import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { idParams, message } from '../http/fields.ts'
import { type KeyDeps, revokeKey } from '../services/keys.ts'

export default defineRoute({
  method: 'DELETE',
  url: '/api/v1/user-api-keys/:id',
  summary: 'Revoke an API key',
  description: 'It stops working at once, on other replicas within five seconds. Revoking twice does no harm.',
  tag: 'API keys',
  access: 'session',
  organisation: 'owner',
  params: idParams,
  responses: {
    200: {
      description: 'The key no longer works.',
      schema: z.object({ success: z.literal(true), message }),
      example: { success: true, message: 'API key revoked.' },
    },
  },
  refusals: ['keyNotFound', 'tooManyKeyChanges'],
  async handle(deps: KeyDeps, { caller, params, client }) {
    await revokeKey(deps, caller.accountId, params.id, client)
    return { success: true, message: 'API key revoked.' }
  },
})
