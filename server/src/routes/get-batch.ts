import { z } from 'zod'
import { batch, exampleBatch } from '../http/batch-schemas.ts'
import { defineRoute } from '../http/define-route.ts'
import { pageQuery } from '../http/fields.ts'
import { getBatch } from '../services/batches.ts'
import type { HistoryDeps } from '../services/history.ts'

export default defineRoute({
  method: 'GET',
  url: '/api/v1/scans/batch/:batchId',
  summary: 'How far a batch got, with its scans page by page',
  tag: 'History',
  access: 'key-or-session',
  organisation: 'auditor',
  params: z.object({ batchId: z.string() }),
  query: pageQuery,
  responses: {
    200: {
      description: 'The batch.',
      schema: z.object({ success: z.literal(true), data: batch }),
      example: { success: true, data: exampleBatch },
    },
  },
  refusals: ['keyMissing', 'keyInvalid', 'hourSpent', 'invalid', 'batchNotFound'],
  async handle(deps: HistoryDeps, { caller, params, query }) {
    return { success: true, data: await getBatch(deps, caller.accountId, params.batchId, query) }
  },
})
