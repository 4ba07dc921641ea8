import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { type AvailabilityDeps, measureAvailability } from '../services/availability.ts'

const share = z.number().min(0).max(1).nullable()

export default defineRoute({
  method: 'GET',
  url: '/api/v1/status',
  summary: 'Measured availability',
  description:
    'The share of minutes in which the service could serve, over the last day, 30 and 90 days; what the SLA of the pro plan is measured by.',
  tag: 'Service',
  access: 'public',
  responses: {
    200: {
      description: 'What was measured; null where nothing was yet.',
      schema: z.object({
        status: z.literal('ok'),
        availability: z.object({
          measuredSince: z.iso.datetime().nullable(),
          lastDay: share,
          last30Days: share,
          last90Days: share,
        }),
      }),
      example: {
        status: 'ok',
        availability: {
          measuredSince: '2026-01-01T00:00:00.000Z',
          lastDay: 1,
          last30Days: 0.99993,
          last90Days: 0.99981,
        },
      },
    },
  },
  refusals: [],
  handle: async (deps: AvailabilityDeps) => ({ status: 'ok', availability: await measureAvailability(deps) }),
})
