import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { type DeleteScanDeps, deleteScan } from '../services/history.ts'

export default defineRoute({
  method: 'DELETE',
  url: '/api/v1/scans/:scanId',
  summary: 'Delete a scan for good, or cancel one that is not done',
  description:
    'Of a scan that has ended source, findings and reports are gone at once; the quota is not given back. A queued or running scan is cancelled: it stays in the history as such, without its source, and its place of the day is free again.',
  tag: 'History',
  access: 'key-or-session',
  organisation: 'member',
  params: z.object({ scanId: z.string() }),
  responses: {
    200: {
      description: 'It is gone, or cancelled: the message says which.',
      schema: z.object({ success: z.literal(true), message: z.string() }),
      example: { success: true, message: 'Scan deleted.' },
    },
  },
  refusals: ['keyMissing', 'keyInvalid', 'crossSite', 'hourSpent', 'scanNotFound'],
  async handle(deps: DeleteScanDeps, { caller, client, params }) {
    const done = await deleteScan(deps, { caller, client }, params.scanId)
    return { success: true, message: `Scan ${done}.` }
  },
})
