import { z } from 'zod'
import { account, exampleAccount } from '../http/account-schemas.ts'
import { defineRoute } from '../http/define-route.ts'
import { label } from '../http/fields.ts'
import { type ChangeAccountDeps, renameAccount } from '../services/change-account.ts'

export default defineRoute({
  method: 'PATCH',
  url: '/api/me',
  summary: 'Change your name',
  tag: 'Accounts',
  access: 'session',
  body: z.object({ name: label }),
  responses: { 200: { description: 'The account as it is now.', schema: account, example: exampleAccount } },
  refusals: [],
  handle: (deps: ChangeAccountDeps, { caller, client, body }) =>
    renameAccount(deps, { accountId: caller.accountId, client }, body.name),
})
