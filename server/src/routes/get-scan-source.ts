import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { projectSources } from '../http/scan-schemas.ts'
import { sourceHeaders } from '../http/source-headers.ts'
import { getSource, type HistoryDeps } from '../services/history.ts'

export default defineRoute({
  method: 'GET',
  url: '/api/v1/scans/:scanId/source',
  summary: 'The source of a scan, byte for byte',
  tag: 'History',
  access: 'key-or-session',
  organisation: 'auditor',
  params: z.object({ scanId: z.string() }),
  responses: {
    200: {
      description: 'The uploaded file; of a project a JSON of all files, which can be uploaded again.',
      contentType: 'text/plain',
      alsoAs: { 'application/json': projectSources },
    },
  },
  refusals: ['keyMissing', 'keyInvalid', 'hourSpent', 'scanNotFound'],
  async handle(deps: HistoryDeps, { caller, params, reply }) {
    const { row, source } = await getSource(deps, caller.accountId, params.scanId)
    return reply.headers(sourceHeaders(row)).send(source)
  },
})
