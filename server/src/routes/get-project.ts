import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { idParams } from '../http/fields.ts'
import { exampleProject, project } from '../http/project-schemas.ts'
import type { FindingDeps } from '../services/findings.ts'
import { getProject } from '../services/projects.ts'

export default defineRoute({
  method: 'GET',
  url: '/api/v1/projects/:id',
  summary: 'Read a project',
  tag: 'Findings',
  access: 'key-or-session',
  organisation: 'auditor',
  params: idParams,
  responses: {
    200: {
      description: 'The project.',
      schema: z.object({ success: z.literal(true), data: project }),
      example: { success: true, data: exampleProject },
    },
  },
  refusals: ['projectNotFound'],
  handle: async (deps: FindingDeps, { caller, params }) => ({
    success: true,
    data: await getProject(deps, caller.accountId, params.id),
  }),
})
