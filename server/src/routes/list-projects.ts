import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { timestamp } from '../http/fields.ts'
import { rating, setAside } from '../http/scan-schemas.ts'
import { type FindingDeps, listProjects } from '../services/findings.ts'

const project = z
  .object({
    name: z.string(),
    scans: z.int(),
    score: z.int().describe('Of the newest scan.'),
    rating,
    setAside: setAside.nullable(),
    trend: z
      .array(
        z.object({
          scanId: z.string(),
          at: timestamp,
          score: z.int(),
          rating,
          vulnerabilitiesCount: z.int(),
          ref: z.string().nullable(),
          commit: z.string().nullable(),
        }),
      )
      .describe('The newest first, at most 50.'),
  })
  .meta({ id: 'Project' })

export default defineRoute({
  method: 'GET',
  url: '/api/v1/projects',
  summary: 'Your projects and how their scores went',
  description: 'Scans are grouped by the `project` that was sent with them, or else by the name of the file.',
  tag: 'Findings',
  access: 'key-or-session',
  organisation: 'auditor',
  responses: {
    200: {
      description: 'Those with scans that are still kept.',
      schema: z.object({ success: z.literal(true), data: z.object({ projects: z.array(project) }) }),
    },
  },
  refusals: [],
  handle: async (deps: FindingDeps, { caller }) => ({
    success: true,
    data: { projects: await listProjects(deps, caller.accountId) },
  }),
})
