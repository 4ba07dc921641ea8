import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { several } from '../http/paging.ts'
import { exampleProject, project } from '../http/project-schemas.ts'
import type { FindingDeps } from '../services/findings.ts'
import { listProjects, projectSorts } from '../services/projects.ts'

export default defineRoute({
  method: 'GET',
  url: '/api/v1/projects',
  summary: 'List projects with their scores',
  description: 'Scans are grouped by the `project` that was sent with them; scans without one belong to none.',
  tag: 'Findings',
  access: 'key-or-session',
  organisation: 'auditor',
  list: 'projects',
  query: z.object({
    search: z.string().max(200).optional().describe('A part of the name; upper and lower case are the same.'),
    tag: several(z.string().max(30)).optional().describe('Only projects with this tag; of several, with all.'),
    sort: z
      .enum(projectSorts)
      .default('latest')
      .describe(
        '`latest`: the one that was scanned last first; `oldest`: the other way round. `score`: the lowest first.',
      ),
  }),
  responses: {
    200: {
      description: 'Those with scans that are still kept.',
      schema: z.object({ success: z.literal(true), data: z.object({ projects: z.array(project) }) }),
      example: { success: true, data: { projects: [exampleProject] } },
    },
  },
  refusals: [],
  handle: async (deps: FindingDeps, { caller, query }) => ({
    success: true,
    data: { projects: await listProjects(deps, caller.accountId, query) },
  }),
})
