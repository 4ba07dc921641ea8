import { z } from 'zod'
import { planNames } from '../core/plans.ts'
import { defineRoute } from '../http/define-route.ts'
import { timestamp, userId } from '../http/fields.ts'
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
      schema: z.object({
        userId,
        email: z.string(),
        name: z.string(),
        verified: z.boolean(),
        plan: z.enum(planNames),
        createdAt: timestamp,
      }),
      example: {
        userId: 'usr_4v8k2m0x9c7b1n5t3q6w8e2r4y',
        email: 'ada@example.com',
        name: 'Ada',
        verified: true,
        plan: 'free',
        createdAt: '2026-03-10T12:00:00.000Z',
      },
    },
  },
  refusals: [],
  handle: (deps: AccountDeps, { caller }) => describeAccount(deps, caller.accountId),
})
