import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { timestamp } from '../http/fields.ts'
import { listSecondFactors, type SecondFactorDeps } from '../services/second-factors.ts'

const factor = z
  .object({
    id: z.string(),
    kind: z.enum(['totp', 'passkey']),
    name: z.string(),
    createdAt: timestamp,
    lastUsedAt: timestamp.nullable(),
  })
  .meta({ id: 'SecondFactor' })

export default defineRoute({
  method: 'GET',
  url: '/api/v1/second-factors',
  summary: 'What a log-in asks for beside the password',
  description: 'With at least one of them, every log-in by password asks for one.',
  tag: 'Accounts',
  access: 'session',
  list: 'factors',
  responses: {
    200: {
      description: 'Authenticator apps and passkeys, the oldest first.',
      schema: z.object({
        success: z.literal(true),
        data: z.object({ factors: z.array(factor), recoveryCodesLeft: z.int() }),
      }),
      example: {
        success: true,
        data: {
          factors: [
            {
              id: 'fac_3d5f7g9h1j3k5l7z9x1c3v5b7n',
              kind: 'totp',
              name: 'Phone',
              createdAt: '2026-03-01T09:00:00.000Z',
              lastUsedAt: '2026-03-10T08:00:00.000Z',
            },
          ],
          recoveryCodesLeft: 10,
        },
      },
    },
  },
  refusals: [],
  async handle(deps: SecondFactorDeps, { caller }) {
    return { success: true, data: await listSecondFactors(deps, caller.accountId) }
  },
})
