import { z } from 'zod'
import { formats } from '../http/choose-format.ts'
import { tagOf } from '../http/compress-answers.ts'
import { defineRoute } from '../http/define-route.ts'
import { reportHeaders } from '../http/report-headers.ts'
import { exampleResult, sarifLog, scanResult } from '../http/scan-schemas.ts'
import type { AnalyseDeps } from '../services/analyse.ts'
import { getReport, type HistoryDeps } from '../services/history.ts'

export default defineRoute({
  method: 'GET',
  url: '/api/v1/scans/:scanId/report',
  summary: 'A report of a scan to keep or to pass on',
  tag: 'History',
  access: 'key-or-session',
  organisation: 'auditor',
  params: z.object({ scanId: z.string() }),
  query: z.object({ format: z.enum(formats).default('json') }),
  responses: {
    200: {
      description: 'The report, as an attachment.',
      schema: scanResult,
      example: exampleResult,
      alsoAs: { 'application/sarif+json': sarifLog, 'text/markdown': null, 'text/html': null },
    },
  },
  refusals: ['keyMissing', 'keyInvalid', 'hourSpent', 'invalid', 'scanNotFound', 'scanQueueFull'],
  async handle(deps: HistoryDeps & AnalyseDeps, { caller, params, query, reply }) {
    const { row, report } = await getReport(deps, caller.accountId, params.scanId, query.format)
    // As it was stored it stays; what is rendered gets the tag of its content.
    if (!Buffer.isBuffer(report)) reply.header('etag', tagOf(`${row.id} ${query.format}`))
    return reply.headers(reportHeaders(row.file_name, query.format)).send(report)
  },
})
