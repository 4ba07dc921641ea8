import { z } from 'zod'
import { ownPassword } from '../http/account-schemas.ts'
import { defineRoute } from '../http/define-route.ts'
import { message } from '../http/fields.ts'
import { type DeleteAccountDeps, deleteAccount } from '../services/delete-account.ts'

export default defineRoute({
  method: 'POST',
  url: '/api/v1/account/delete',
  summary: 'Delete your account and all that belongs to it',
  description:
    'The subscription ends at once, keys no longer work, and scans, findings, links and webhooks are gone for good. Organisations stay; one whose only owner you are needs another first, or is deleted first.',
  tag: 'Accounts',
  access: 'session',
  body: z.object({ password: ownPassword, confirm: z.string().max(300).describe('Your email address.') }),
  responses: {
    200: {
      description: 'It is gone.',
      schema: z.object({ success: z.literal(true), message }),
      example: { success: true, message: 'Account deleted.' },
    },
  },
  refusals: ['passwordWrong', 'invalid', 'tooManyLogins', 'lastOwner', 'billingUnavailable', 'busy'],
  async handle(deps: DeleteAccountDeps, { caller, client, body }) {
    await deleteAccount(deps, { accountId: caller.accountId, client }, body)
    return { success: true, message: 'Account deleted.' }
  },
})
