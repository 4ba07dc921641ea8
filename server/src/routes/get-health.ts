import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'

export default defineRoute({
  method: 'GET',
  url: '/health',
  summary: 'Is the process serving requests?',
  tag: 'Service',
  audience: 'operator',
  access: 'public',
  needsDatabase: false,
  noStore: true,
  responses: {
    200: { description: 'Yes.', schema: z.object({ status: z.literal('ok') }), example: { status: 'ok' } },
  },
  refusals: [],
  handle: () => ({ status: 'ok' }),
})
