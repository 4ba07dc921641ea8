import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { pageQuery } from '../http/fields.ts'
import { exampleRecord, findingRecord, findingState } from '../http/finding-schemas.ts'
import { severity } from '../http/scan-schemas.ts'
import { type FindingDeps, listFindings } from '../services/findings.ts'

const moment = z.iso.datetime({ message: 'must be an ISO 8601 UTC timestamp' })
const text = z.string().max(400)

export default defineRoute({
  method: 'GET',
  url: '/api/v1/findings',
  summary: 'What was found, with what you decided about it',
  description:
    'One record for each finding of a project, however often it was seen, newest first. `scanId` lists what a scan saw last: large results can be read page by page so.',
  tag: 'Findings',
  access: 'key-or-session',
  organisation: 'auditor',
  query: pageQuery.extend({
    severity: severity.optional(),
    vulnerabilityId: text.optional().describe('`SWC-<number>`.'),
    detector: text.optional(),
    state: findingState.optional(),
    file: text.optional().describe('Exactly as in the record.'),
    project: text.optional(),
    scanId: text.optional(),
    firstSeenSince: moment.optional(),
    since: moment.optional().describe('Seen at or after this moment.'),
  }),
  responses: {
    200: {
      description: 'One page.',
      schema: z.object({
        success: z.literal(true),
        data: z.object({ findings: z.array(findingRecord), nextCursor: z.string().nullable() }),
      }),
      example: { success: true, data: { findings: [exampleRecord], nextCursor: null } },
    },
  },
  refusals: ['invalid'],
  async handle(deps: FindingDeps, { caller, query }) {
    const { limit, cursor, since, firstSeenSince, ...exact } = query
    const filter = {
      ...exact,
      since: since === undefined ? undefined : Date.parse(since),
      firstSeenSince: firstSeenSince === undefined ? undefined : Date.parse(firstSeenSince),
    }
    return { success: true, data: await listFindings(deps, caller.accountId, { limit, cursor, filter }) }
  },
})
