import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { getSource, type HistoryDeps } from '../services/history.ts'

export default defineRoute({
  method: 'GET',
  url: '/api/v1/scans/:scanId/source',
  summary: 'The source of a scan, byte for byte',
  tag: 'History',
  access: 'key-or-session',
  params: z.object({ scanId: z.string() }),
  responses: { 200: { description: 'The uploaded file.', contentType: 'text/plain' } },
  refusals: ['keyMissing', 'keyInvalid', 'hourSpent', 'scanNotFound'],
  async handle(deps: HistoryDeps, { caller, params, reply }) {
    const { row, source } = await getSource(deps, caller.accountId, params.scanId)
    return reply
      .headers({
        'content-type': 'text/plain; charset=utf-8',
        'content-disposition': `attachment; filename="${row.id}.sol"`,
        'content-security-policy': "sandbox; default-src 'none'",
        'x-content-type-options': 'nosniff',
      })
      .send(source)
  },
})
