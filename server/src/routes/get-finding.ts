import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { idParams } from '../http/fields.ts'
import { exampleRecord, findingRecord } from '../http/finding-schemas.ts'
import { type FindingDeps, getFinding } from '../services/findings.ts'

export default defineRoute({
  method: 'GET',
  url: '/api/v1/findings/:id',
  summary: 'Read a finding',
  tag: 'Findings',
  access: 'key-or-session',
  organisation: 'auditor',
  params: idParams,
  responses: {
    200: {
      description: 'The record.',
      schema: z.object({ success: z.literal(true), data: findingRecord }),
      example: { success: true, data: exampleRecord },
    },
  },
  refusals: ['findingNotFound'],
  handle: async (deps: FindingDeps, { caller, params }) => ({
    success: true,
    data: await getFinding(deps, caller.accountId, params.id),
  }),
})
