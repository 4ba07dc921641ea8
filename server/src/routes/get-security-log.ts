import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { pageQuery, timestamp } from '../http/fields.ts'
import { pageFields } from '../http/paging.ts'
import { listSecurityEvents, type SecurityLogDeps } from '../services/security-log.ts'

const securityEvent = z
  .object({
    id: z.string(),
    at: timestamp,
    event: z.string().meta({ example: 'login.succeeded' }),
    description: z.string(),
    address: z.string().nullable(),
    userAgent: z.string().nullable(),
    detail: z.record(z.string(), z.string()),
  })
  .meta({ id: 'SecurityEvent' })

export default defineRoute({
  method: 'GET',
  url: '/api/v1/security-log',
  summary: 'What happened to your account',
  description: 'Logins, failed ones too, password changes, keys and settings, newest first; kept for a year.',
  tag: 'Accounts',
  access: 'session',
  organisation: 'auditor',
  query: pageQuery,
  responses: {
    200: {
      description: 'A page of events.',
      schema: z.object({
        success: z.literal(true),
        data: z.object({ events: z.array(securityEvent), ...pageFields }),
      }),
      example: {
        success: true,
        data: {
          events: [
            {
              id: 'evt_5r7t9y1u3i5o7p9a1s3d5f7g9h',
              at: '2026-03-10T08:00:00.000Z',
              event: 'login.succeeded',
              description: 'Logged in',
              address: '203.0.113.7',
              userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/131.0',
              detail: {},
            },
          ],
          total: 1,
          nextCursor: null,
        },
      },
    },
  },
  refusals: [],
  async handle(deps: SecurityLogDeps, { caller, query }) {
    return { success: true, data: await listSecurityEvents(deps, caller.accountId, query) }
  },
})
