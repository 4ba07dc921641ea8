import { z } from 'zod'
import { mediaTypes } from '../http/choose-format.ts'
import { defineRoute } from '../http/define-route.ts'
import { pageQuery } from '../http/fields.ts'
import { linkNextPage } from '../http/paging.ts'
import { exampleFinding, pagedFinding } from '../http/scan-schemas.ts'
import type { AnalyseDeps } from '../services/analyse.ts'
import { type HistoryDeps, pageFindings } from '../services/history.ts'

export default defineRoute({
  method: 'GET',
  url: '/api/v1/scans/:scanId/findings',
  summary: 'The findings of a scan, page by page',
  description:
    'What `dataVulnerabilities`, `advisories` and `suppressed` of the result hold, in this order and told apart by `group`. For results that are too large to be read at once.',
  tag: 'History',
  access: 'key-or-session',
  organisation: 'auditor',
  params: z.object({ scanId: z.string() }),
  query: pageQuery,
  responses: {
    200: {
      description: 'One page.',
      schema: z.object({
        success: z.literal(true),
        data: z.object({ findings: z.array(pagedFinding), total: z.int(), nextCursor: z.string().nullable() }),
      }),
      example: {
        success: true,
        data: { findings: [{ group: 'vulnerability', ...exampleFinding }], total: 1, nextCursor: null },
      },
    },
  },
  refusals: ['scanNotFound', 'scanQueueFull'],
  async handle(deps: HistoryDeps & AnalyseDeps, { caller, params, query, request, reply }) {
    const page = await pageFindings(deps, caller.accountId, params.scanId, query)
    linkNextPage(request, reply, page.nextCursor)
    return reply.type(mediaTypes.json).send(page.body)
  },
})
