import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { idParams, message } from '../http/fields.ts'
import { endSession, type SessionDeps } from '../services/sessions.ts'

export default defineRoute({
  method: 'DELETE',
  url: '/api/v1/sessions/:id',
  summary: 'End one of your sessions',
  tag: 'Accounts',
  access: 'session',
  params: idParams,
  responses: {
    200: {
      description: 'Its token no longer works.',
      schema: z.object({ success: z.literal(true), message }),
      example: { success: true, message: 'Session ended.' },
    },
  },
  refusals: ['sessionNotFound'],
  async handle(deps: SessionDeps, { caller, params, client }) {
    await endSession(deps, caller.accountId, params.id, client)
    return { success: true, message: 'Session ended.' }
  },
})
