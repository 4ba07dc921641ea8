import { z } from 'zod'
import { scanStatuses } from '../core/scan-status.ts'
import { defineRoute } from '../http/define-route.ts'
import { exampleEntry, scanEntry, scanProgress } from '../http/scan-schemas.ts'
import { type HistoryDeps, listRequests, listScans } from '../services/history.ts'

const moment = z.iso.datetime({ message: 'must be an ISO 8601 UTC timestamp' })

export default defineRoute({
  method: 'GET',
  url: '/api/v1/scans',
  summary: 'Past scans, newest first',
  description:
    'As far back as the current plan keeps them: 7, 30 or 90 days. Those with a result, unless `status` asks for others: those stand in `withoutResult`, and the other filters do not apply to them.',
  tag: 'History',
  access: 'key-or-session',
  organisation: 'auditor',
  query: z.object({
    limit: z.coerce.number().int().min(1).max(100).default(25),
    cursor: z.string().max(200).optional().describe('`nextCursor` of the page before.'),
    kind: z.enum(['standard', 'ai']).optional(),
    via: z.enum(['key', 'session']).optional().describe('Scans asked for with an API key, or in the browser.'),
    status: z.enum(scanStatuses).default('completed'),
    rating: z.enum(['Excellent', 'Good', 'Fair', 'Poor', 'Critical']).optional(),
    severity: z
      .enum(['critical', 'high', 'medium', 'low'])
      .optional()
      .describe('Scans with at least one weakness of this severity.'),
    fileName: z.string().max(255).optional().describe('Exactly as uploaded.'),
    nameContains: z.string().max(255).optional().describe('Part of the uploaded name, in any case.'),
    from: moment.optional().describe('Scans at or after this moment.'),
    to: moment.optional().describe('Scans before this moment.'),
  }),
  responses: {
    200: {
      description: 'One page.',
      schema: z.object({
        success: z.literal(true),
        data: z.object({
          scans: z.array(scanEntry),
          withoutResult: z.array(scanProgress).optional().describe('Instead, where `status` asks for them.'),
          nextCursor: z.string().nullable(),
        }),
      }),
      example: { success: true, data: { scans: [exampleEntry], nextCursor: null } },
      headers: { Link: '`rel="next"`: the next page, if there is one.' },
    },
  },
  refusals: ['keyMissing', 'keyInvalid', 'hourSpent', 'invalid'],
  async handle(deps: HistoryDeps, { caller, query, request, reply }) {
    const { limit, cursor, status, from, to, ...exact } = query
    const filter = { ...exact, from: from && Date.parse(from), to: to && Date.parse(to) } as const
    const data =
      status === 'completed'
        ? await listScans(deps, caller.accountId, { limit, cursor, filter: withoutEmpty(filter) })
        : await listRequests(deps, caller.accountId, status, { limit, cursor })
    if (data.nextCursor) reply.header('link', `<${nextPage(request.url, data.nextCursor)}>; rel="next"`)
    return { success: true, data }
  },
})

const withoutEmpty = <T extends object>(filter: T) =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined && value !== ''))

function nextPage(url: string, cursor: string): string {
  const [path = '', query = ''] = url.split('?', 2)
  const parameters = new URLSearchParams(query)
  parameters.set('cursor', cursor)
  return `${path}?${parameters}`
}
