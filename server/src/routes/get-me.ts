import { account, exampleAccount } from '../http/account-schemas.ts'
import { defineRoute } from '../http/define-route.ts'
import { type AccountDeps, describeAccount } from '../services/account.ts'

export default defineRoute({
  method: 'GET',
  url: '/api/me',
  summary: 'Who is logged in',
  tag: 'Accounts',
  access: 'session',
  responses: {
    200: {
      description: 'The account of this session.',
      schema: account,
      example: exampleAccount,
    },
  },
  refusals: [],
  handle: (deps: AccountDeps, { caller }) => describeAccount(deps, caller.accountId),
})
