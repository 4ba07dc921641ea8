import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { cancelBatch } from '../services/batches.ts'
import type { DeleteScanDeps } from '../services/history.ts'

export default defineRoute({
  method: 'DELETE',
  url: '/api/v1/scans/batch/:batchId',
  summary: 'Cancel what is not done of a batch',
  description: 'Queued and running scans are cancelled, and their places of the day are free again. Results stay.',
  tag: 'History',
  access: 'key-or-session',
  organisation: 'member',
  scope: 'scan',
  params: z.object({ batchId: z.string() }),
  responses: {
    200: {
      description: 'It is done.',
      schema: z.object({ success: z.literal(true), message: z.string(), cancelled: z.int() }),
      example: { success: true, message: '3 scans were cancelled.', cancelled: 3 },
    },
  },
  refusals: ['keyMissing', 'keyInvalid', 'crossSite', 'hourSpent', 'batchNotFound'],
  async handle(deps: DeleteScanDeps, { caller, client, params }) {
    const cancelled = await cancelBatch(deps, { caller, client }, params.batchId)
    const message = cancelled === 1 ? '1 scan was cancelled.' : `${cancelled} scans were cancelled.`
    return { success: true, message, cancelled }
  },
})
