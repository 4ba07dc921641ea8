import { z } from 'zod'
import { ownPassword } from '../http/account-schemas.ts'
import { defineRoute } from '../http/define-route.ts'
import { email, message } from '../http/fields.ts'
import { type ChangeAccountDeps, requestEmailChange } from '../services/change-account.ts'

export default defineRoute({
  method: 'POST',
  url: '/api/v1/account/email',
  summary: 'Ask for another email address',
  description:
    'Sends a code to the new address, which takes effect when the code is confirmed. An address that has an account gets no mail, and the answer is the same.',
  tag: 'Accounts',
  access: 'session',
  body: z.object({ password: ownPassword, email }),
  responses: {
    200: {
      description: 'The code is on its way.',
      schema: z.object({ success: z.literal(true), message }),
      example: { success: true, message: 'A code was sent to the new address. It is valid for 10 minutes.' },
    },
  },
  refusals: ['passwordWrong', 'tooManyLogins', 'tooManyCodes', 'busy'],
  async handle(deps: ChangeAccountDeps, { caller, client, body }) {
    await requestEmailChange(deps, { accountId: caller.accountId, client }, body)
    return { success: true, message: 'A code was sent to the new address. It is valid for 10 minutes.' }
  },
})
