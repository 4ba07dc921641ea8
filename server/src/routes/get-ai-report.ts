import { z } from 'zod'
import { tagOf } from '../http/compress-answers.ts'
import { defineRoute } from '../http/define-route.ts'
import { getAiReport } from '../services/get-ai-report.ts'
import type { HistoryDeps } from '../services/history.ts'

export default defineRoute({
  method: 'GET',
  url: '/api/v1/reports/:outputFile',
  summary: 'Markdown report of an AI scan',
  tag: 'History',
  access: 'key-or-session',
  organisation: 'auditor',
  params: z.object({ outputFile: z.string() }),
  responses: { 200: { description: 'The report, as an attachment.', contentType: 'text/markdown' } },
  refusals: ['keyMissing', 'keyInvalid', 'hourSpent', 'reportNotFound'],
  async handle(deps: HistoryDeps, { caller, params, reply }) {
    const report = await getAiReport(deps, caller.accountId, params.outputFile)
    return reply
      .headers({
        'content-type': 'text/markdown; charset=utf-8',
        // A report is written once, under a name of its own.
        etag: tagOf(params.outputFile),
        'content-disposition': `attachment; filename="${params.outputFile.replace(/[^\w.-]/g, '_')}"`,
        'content-security-policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'",
        'x-content-type-options': 'nosniff',
      })
      .send(report)
  },
})
