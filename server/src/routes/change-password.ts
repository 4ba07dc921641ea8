import { z } from 'zod'
import { ownPassword, sessionOf } from '../http/account-schemas.ts'
import { defineRoute } from '../http/define-route.ts'
import { message, password } from '../http/fields.ts'
import { type ChangeAccountDeps, changePassword } from '../services/change-account.ts'

export default defineRoute({
  method: 'POST',
  url: '/api/v1/account/password',
  summary: 'Change your password',
  description: 'Ends every other session. API keys go on working; the mail about it names them.',
  tag: 'Accounts',
  access: 'session',
  body: z.object({ password: ownPassword, newPassword: password }),
  responses: {
    200: {
      description: 'The old one opens nothing any more.',
      schema: z.object({ success: z.literal(true), message }),
      example: { success: true, message: 'Password changed. Every other session was ended.' },
    },
  },
  refusals: ['passwordWrong', 'passwordCommon', 'passwordGuessable', 'tooManyLogins', 'busy'],
  async handle(deps: ChangeAccountDeps, { caller, client, body }) {
    await changePassword(deps, { accountId: caller.accountId, sessionId: sessionOf(caller), client }, body)
    return { success: true, message: 'Password changed. Every other session was ended.' }
  },
})
