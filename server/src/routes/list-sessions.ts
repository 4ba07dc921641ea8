import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { timestamp } from '../http/fields.ts'
import { listSessions, type SessionDeps } from '../services/sessions.ts'

const session = z
  .object({
    id: z.string(),
    createdAt: timestamp,
    lastUsedAt: timestamp,
    expiresAt: timestamp,
    address: z.string().nullable(),
    userAgent: z.string().nullable(),
    current: z.boolean().meta({ description: 'Whether this is the session that asks.' }),
  })
  .meta({ id: 'Session' })

export default defineRoute({
  method: 'GET',
  url: '/api/v1/sessions',
  summary: 'Where you are logged in',
  tag: 'Accounts',
  access: 'session',
  list: 'sessions',
  responses: {
    200: {
      description: 'The sessions that have not ended, newest first.',
      schema: z.object({ success: z.literal(true), data: z.object({ sessions: z.array(session) }) }),
      example: {
        success: true,
        data: {
          sessions: [
            {
              id: 'ses_9k7h5f3d1s8a6p4o2i0u7y5t3r',
              createdAt: '2026-03-10T08:00:00.000Z',
              lastUsedAt: '2026-03-10T12:00:00.000Z',
              expiresAt: '2026-03-17T08:00:00.000Z',
              address: '203.0.113.7',
              userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/131.0',
              current: true,
            },
          ],
        },
      },
    },
  },
  refusals: [],
  async handle(deps: SessionDeps, { caller }) {
    const current = caller.via === 'session' ? caller.sessionId : undefined
    return { success: true, data: { sessions: await listSessions(deps, caller.accountId, current) } }
  },
})
