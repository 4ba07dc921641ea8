import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { readUsage, type UsageDeps } from '../services/usage.ts'

export default defineRoute({
  method: 'GET',
  url: '/api/v1/usage',
  summary: 'What was used, by day and by key',
  tag: 'Plans',
  access: 'key-or-session',
  organisation: 'auditor',
  query: z.object({
    days: z.coerce.number().int().min(1).max(92).default(31).describe('How many days back, today included.'),
  }),
  responses: {
    200: {
      description: 'The plan, what is left of today, and the days on which something was done, the newest first.',
      schema: z.object({
        success: z.literal(true),
        data: z.object({
          plan: z.enum(['free', 'basic', 'pro']),
          quotas: z.object({
            scansPerDay: z.int(),
            requestsPerHour: z.int().describe('With PRODUCTION keys; TEST keys may call twice as often.'),
          }),
          today: z.object({
            scans: z.int(),
            scansRemaining: z.int(),
            resetsAt: z.iso.datetime(),
            requestsThisHour: z.int(),
          }),
          days: z.array(
            z.object({
              date: z.iso.date().describe('UTC.'),
              scans: z.int(),
              keys: z.array(z.object({ keyId: z.string(), name: z.string(), requests: z.int() })),
            }),
          ),
        }),
      }),
      example: {
        success: true,
        data: {
          plan: 'free',
          quotas: { scansPerDay: 5, requestsPerHour: 60 },
          today: { scans: 2, scansRemaining: 3, resetsAt: '2026-03-11T00:00:00.000Z', requestsThisHour: 4 },
          days: [
            {
              date: '2026-03-10',
              scans: 2,
              keys: [{ keyId: 'key_01k2m3n4p5q6r7s8t9v0w1x2y3', name: 'ci', requests: 4 }],
            },
          ],
        },
      },
    },
  },
  refusals: ['keyMissing', 'keyInvalid', 'hourSpent', 'invalid'],
  async handle(deps: UsageDeps, { caller, query }) {
    return { success: true, data: await readUsage(deps, caller.accountId, query.days) }
  },
})
