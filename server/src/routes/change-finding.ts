import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { email, idParams, momentText } from '../http/fields.ts'
import { exampleRecord, findingRecord, findingState } from '../http/finding-schemas.ts'
import { changeFinding, type FindingDeps } from '../services/findings.ts'
import type { NoteChangeDeps } from '../services/note-change.ts'

export default defineRoute({
  method: 'PATCH',
  url: '/api/v1/findings/:id',
  summary: 'Decide about a finding, assign it, comment on it',
  description:
    'The decision holds for the same finding in later scans of the project. What a full scan no longer sees is `fixed` by itself, and open again when it comes back. Assignee and comment stay whatever is decided; what is not given stays as it is.',
  tag: 'Findings',
  access: 'key-or-session',
  organisation: 'member',
  params: idParams,
  body: z.object({
    state: findingState.optional(),
    reason: z.string().max(500).optional(),
    until: momentText.optional().describe('When the decision ends; a day ends it at its beginning in UTC.'),
    assignee: email.nullable().optional().describe('A member of the organization, or yourself; null: nobody.'),
    comment: z.string().max(2000).nullable().optional().describe('Null or empty: none.'),
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
    data: await changeFinding(deps, { caller, client }, params.id, body),
  }),
})
