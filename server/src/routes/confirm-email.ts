import { z } from 'zod'
import { account, exampleAccount } from '../http/account-schemas.ts'
import { defineRoute } from '../http/define-route.ts'
import { type ChangeAccountDeps, confirmEmailChange } from '../services/change-account.ts'

export default defineRoute({
  method: 'POST',
  url: '/api/v1/account/email/confirm',
  summary: 'Confirm another email address by its code',
  description: 'The old address gets an email.',
  tag: 'Accounts',
  access: 'session',
  body: z.object({ code: z.string().trim().max(20).describe('Six digits, from the mail to the new address.') }),
  responses: { 200: { description: 'The account as it is now.', schema: account, example: exampleAccount } },
  refusals: ['codeInvalid', 'tooManyVerifications'],
  handle: (deps: ChangeAccountDeps, { caller, client, body }) =>
    confirmEmailChange(deps, { accountId: caller.accountId, client }, body.code),
})
