import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { exampleProject, project } from '../http/project-schemas.ts'
import type { FindingDeps } from '../services/findings.ts'
import { listProjects } from '../services/projects.ts'

export default defineRoute({
  method: 'GET',
  url: '/api/v1/projects',
  summary: 'List projects with their scores',
  description: 'Scans are grouped by the `project` that was sent with them; scans without one belong to none.',
  tag: 'Findings',
  access: 'key-or-session',
  organisation: 'auditor',
  list: 'projects',
  responses: {
    200: {
      description: 'Those with scans that are still kept, the one that was scanned last first.',
      schema: z.object({ success: z.literal(true), data: z.object({ projects: z.array(project) }) }),
      example: { success: true, data: { projects: [exampleProject] } },
    },
  },
  refusals: [],
  handle: async (deps: FindingDeps, { caller }) => ({
    success: true,
    data: { projects: await listProjects(deps, caller.accountId) },
  }),
})
