import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { message } from '../http/fields.ts'
import { type ChangeAccountDeps, endAllSessions } from '../services/change-account.ts'

export default defineRoute({
  method: 'DELETE',
  url: '/api/v1/sessions',
  summary: 'Log out everywhere',
  description: 'Ends every session, the one that asks too. API keys go on working.',
  tag: 'Accounts',
  access: 'session',
  responses: {
    200: {
      description: 'None of their tokens works any more.',
      schema: z.object({ success: z.literal(true), message }),
      example: { success: true, message: 'Every session was ended.' },
    },
  },
  refusals: [],
  async handle(deps: ChangeAccountDeps, { caller, client }) {
    await endAllSessions(deps, { accountId: caller.accountId, client })
    return { success: true, message: 'Every session was ended.' }
  },
})
