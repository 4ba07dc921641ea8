import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import type { BillingDeps } from '../services/sync-subscription.ts'
import { getUserPlan } from '../services/user-plan.ts'

export default defineRoute({
  method: 'GET',
  url: '/api/v1/user-plan',
  summary: 'Plan, quotas and usage',
  tag: 'Plans',
  access: 'session',
  organisation: 'auditor',
  noStore: true,
  query: z.object({ userId: z.string() }),
  responses: {
    200: {
      description: 'What the account may do and has done.',
      schema: z.object({
        success: z.literal(true),
        data: z.object({
          plan: z.enum(['free', 'basic', 'pro']),
          renewsAt: z.iso.datetime().describe('The next renewal; on free, when the quota month ends.'),
          billingSubscriptionId: z
            .string()
            .meta({ description: 'Empty on free, and on a plan that the operator gave.' }),
          billingStatus: z.enum(['none', 'active', 'past_due']),
          cancelsAt: z.iso.datetime().nullable(),
          graceEndsAt: z.iso.datetime().nullable().describe('While a payment is overdue: when the plan falls to free.'),
          quotas: z.object({
            scansPerDay: z.int(),
            maxFileSize: z.int().describe('Bytes.'),
            maxContractSize: z.int().describe('Bytes.'),
            requestsPerHour: z.int().describe('With PRODUCTION keys; TEST keys may call twice as often.'),
            historyDays: z.int(),
          }),
          usage: z.object({
            scansToday: z.int(),
            scansRemaining: z.int(),
            resetsAt: z.iso.datetime(),
            requestsThisHour: z.int(),
            scansThisMonth: z.int(),
          }),
        }),
      }),
      example: {
        success: true,
        data: {
          plan: 'free',
          renewsAt: '2026-04-10T12:00:00.000Z',
          billingSubscriptionId: '',
          billingStatus: 'none',
          cancelsAt: null,
          graceEndsAt: null,
          quotas: {
            scansPerDay: 5,
            maxFileSize: 102400,
            maxContractSize: 5120,
            requestsPerHour: 60,
            historyDays: 7,
          },
          usage: {
            scansToday: 2,
            scansRemaining: 3,
            resetsAt: '2026-03-11T00:00:00.000Z',
            requestsThisHour: 4,
            scansThisMonth: 17,
          },
        },
      },
    },
  },
  refusals: ['sessionMissing', 'userIdForeign', 'tooManyUserIdRequests', 'invalid'],
  handle: async (deps: BillingDeps, { caller }) => ({
    success: true,
    data: await getUserPlan(deps, caller.accountId),
  }),
})
