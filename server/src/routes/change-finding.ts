import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { idParams, momentText } from '../http/fields.ts'
import { exampleRecord, findingRecord, findingState } from '../http/finding-schemas.ts'
import { decideFinding, type FindingDeps } from '../services/findings.ts'
import type { NoteChangeDeps } from '../services/note-change.ts'

export default defineRoute({
  method: 'PATCH',
  url: '/api/v1/findings/:id',
  summary: 'Decide about a finding',
  description:
    'The decision holds for the same finding in later scans of the project. What a full scan no longer sees is `fixed` by itself, and open again when it comes back.',
  tag: 'Findings',
  access: 'key-or-session',
  organisation: 'member',
  params: idParams,
  body: z.object({
    state: findingState,
    reason: z.string().max(500).optional(),
    until: momentText.optional().describe('When the decision ends; a day ends it at its beginning in UTC.'),
  }),
  responses: {
    200: {
      description: 'The record as it is now.',
      schema: z.object({ success: z.literal(true), data: findingRecord }),
      example: { success: true, data: exampleRecord },
    },
  },
  refusals: ['invalid', 'findingNotFound'],
  handle: async (deps: FindingDeps & NoteChangeDeps, { caller, client, params, body }) => ({
    success: true,
    data: await decideFinding(deps, { caller, client }, params.id, body),
  }),
})
