import { z } from 'zod'
import { scanStatuses } from '../core/scan-status.ts'
import { defineRoute } from '../http/define-route.ts'
import { moment } from '../http/fields.ts'
import { pageFields, several } from '../http/paging.ts'
import { exampleListed, rating, scanEntry, scanProgress } from '../http/scan-schemas.ts'
import type { HistoryDeps } from '../services/history.ts'
import { listScans } from '../services/list-scans.ts'

const text = z.string().max(255)

export default defineRoute({
  method: 'GET',
  url: '/api/v1/scans',
  summary: 'List scans',
  description:
    'One list, whatever became of them, as far back as the current plan keeps them: 7, 30 or 90 days. Without a result the fields of a result are null. `rating`, `severity` and an order by score leave out whatever has none. `status`, `rating` and `severity` take several values, separated by commas or by repeating the parameter.',
  tag: 'History',
  access: 'key-or-session',
  organisation: 'auditor',
  query: z.object({
    limit: z.coerce.number().int().min(1).max(100).default(25),
    cursor: z.string().max(200).optional().describe('`nextCursor` of the page before.'),
    sort: z
      .enum(['-createdAt', 'createdAt', 'score', '-score'])
      .default('-createdAt')
      .describe('`-` for descending: by default the newest first.'),
    kind: z.enum(['standard', 'ai']).optional(),
    via: z.enum(['key', 'session']).optional().describe('Scans asked for with an API key, or in the browser.'),
    status: several(z.enum(scanStatuses)).optional(),
    rating: several(rating).optional(),
    severity: several(z.enum(['critical', 'high', 'medium', 'low']))
      .optional()
      .describe('Scans with at least one vulnerability of one of these severities.'),
    fileName: text.optional().describe('Exactly as uploaded.'),
    nameContains: text.optional().describe('Part of the uploaded name, in any case.'),
    project: text.optional(),
    ref: text.optional(),
    commit: text.optional(),
    from: moment.optional().describe('Scans at or after this moment or day.'),
    to: moment.optional().describe('Scans before this moment or day.'),
  }),
  responses: {
    200: {
      description: 'One page.',
      schema: z.object({
        success: z.literal(true),
        data: z.object({
          scans: z.array(scanEntry),
          withoutResult: z.array(scanProgress).optional().meta({
            deprecated: true,
            description: 'Where `status` asks for others than `completed`: they stand in `scans` too.',
          }),
          ...pageFields,
        }),
      }),
      example: { success: true, data: { scans: [exampleListed], total: 1, nextCursor: null } },
    },
  },
  refusals: ['keyMissing', 'keyInvalid', 'hourSpent', 'invalid'],
  async handle(deps: HistoryDeps, { caller, query }) {
    const { limit, cursor, sort, status: statuses = scanStatuses, ...given } = query
    const filter = withoutEmpty(given)
    const data = await listScans(deps, caller.accountId, { limit, cursor, sort, statuses, filter })
    if (statuses.includes('completed')) return { success: true, data }
    const withoutResult = data.scans.map((scan) => scanProgress.parse({ ...scan, position: null }))
    return { success: true, data: { ...data, withoutResult } }
  },
})

const withoutEmpty = <T extends object>(filter: T): T =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined && value !== '')) as T
