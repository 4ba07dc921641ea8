import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { idParams } from '../http/fields.ts'
import { exampleProject, gateSetting, project, projectTag, scopeSetting } from '../http/project-schemas.ts'
import type { FindingDeps } from '../services/findings.ts'
import type { NoteChangeDeps } from '../services/note-change.ts'
import { changeProject } from '../services/projects.ts'

export default defineRoute({
  method: 'PATCH',
  url: '/api/v1/projects/:id',
  summary: 'Change the default branch, tags, gate or scope of a project',
  description:
    'Every finding gets the state that it has on `defaultRef`. `null` lets the service choose again: `main`, else `master`, else the first branch that was scanned.',
  tag: 'Findings',
  access: 'key-or-session',
  organisation: 'member',
  params: idParams,
  body: z.object({
    defaultRef: z.string().trim().min(1).max(200).nullable().optional().meta({ example: 'main' }),
    tags: z.array(projectTag).max(10).optional().describe('All of them; an empty list takes them away.'),
    gate: gateSetting.nullable().optional().describe('What fails a run; null: nothing does.'),
    scope: scopeSetting
      .nullable()
      .optional()
      .describe(
        'What later scans of several files report, and how they find imports; null: as the upload says. Findings that are known keep their status.',
      ),
  }),
  responses: {
    200: {
      description: 'The project as it is now.',
      schema: z.object({ success: z.literal(true), data: project }),
      example: { success: true, data: { ...exampleProject, isDefaultRefSet: true } },
    },
  },
  refusals: ['invalid', 'projectNotFound'],
  handle: async (deps: FindingDeps & NoteChangeDeps, { caller, client, params, body }) => ({
    success: true,
    data: await changeProject(deps, { caller, client }, params.id, body),
  }),
})
