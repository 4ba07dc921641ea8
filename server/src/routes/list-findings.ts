import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { moment, pageQuery } from '../http/fields.ts'
import { exampleRecord, findingRecord, findingState } from '../http/finding-schemas.ts'
import { pageFields, several } from '../http/paging.ts'
import { confidence, severity } from '../http/scan-schemas.ts'
import { type FindingDeps, findingSorts, listFindings } from '../services/findings.ts'

const text = z.string().max(400)

export default defineRoute({
  method: 'GET',
  url: '/api/v1/findings',
  summary: 'List findings with their states',
  description:
    'One record for each finding of a project, however often it was seen. Several values of a filter are separated by commas, or the parameter is repeated. `scanId` lists what a scan saw last on its branch.',
  tag: 'Findings',
  access: 'key-or-session',
  organisation: 'auditor',
  query: pageQuery.extend({
    limit: z.coerce.number().int().min(1).max(1000).default(50),
    sort: z
      .enum(findingSorts)
      .default('-firstSeenAt')
      .describe('`-` for descending: by default the newest first. `severity`: the most severe first.'),
    severity: several(severity).optional(),
    confidence: several(confidence).optional(),
    kind: z.enum(['vulnerability', 'advisory']).optional(),
    review: z
      .enum(['exclude', 'only'])
      .optional()
      .describe(
        'Findings that need review: left out, as in the counts of a scan, or alone. Without it both kinds are listed.',
      ),
    vulnerabilityId: several(z.string().max(40)).optional().describe('`SWC-<number>`.'),
    detector: several(z.string().max(100)).optional(),
    state: several(findingState).optional(),
    file: text.optional().describe('Exactly as in the record.'),
    fingerprint: several(z.string().max(100)).optional(),
    project: text.optional(),
    assignee: text.toLowerCase().optional().describe('The email address of who works on it.'),
    ref: text
      .optional()
      .describe('Only findings that were seen on this branch; `state` is the one that they have there.'),
    scanId: text.optional(),
    firstSeenSince: moment.optional(),
    since: moment.optional().describe('Seen at or after this moment or day.'),
  }),
  responses: {
    200: {
      description: 'One page.',
      schema: z.object({
        success: z.literal(true),
        data: z.object({ findings: z.array(findingRecord), ...pageFields }),
      }),
      example: { success: true, data: { findings: [exampleRecord], total: 1, nextCursor: null } },
    },
  },
  refusals: ['invalid'],
  async handle(deps: FindingDeps, { caller, query }) {
    const { limit, cursor, sort, ...filter } = query
    return { success: true, data: await listFindings(deps, caller.accountId, { limit, cursor, sort, filter }) }
  },
})
