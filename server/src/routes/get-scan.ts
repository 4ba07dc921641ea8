import { z } from 'zod'
import { mediaTypes } from '../http/choose-format.ts'
import { defineRoute } from '../http/define-route.ts'
import { exampleEntry, exampleResult, scanRecord } from '../http/scan-schemas.ts'
import { type HistoryDeps, streamScan } from '../services/history.ts'

export default defineRoute({
  method: 'GET',
  url: '/api/v1/scans/:scanId',
  summary: 'One scan with its findings',
  tag: 'History',
  access: 'key-or-session',
  organisation: 'auditor',
  params: z.object({ scanId: z.string() }),
  responses: {
    200: {
      description: 'The stored answer, and when and of what it was.',
      schema: z.object({ success: z.literal(true), data: scanRecord }),
      example: { success: true, data: { ...exampleResult, ...exampleEntry } },
    },
  },
  refusals: ['keyMissing', 'keyInvalid', 'hourSpent', 'scanNotFound'],
  async handle(deps: HistoryDeps, { caller, params, reply }) {
    const body = await streamScan(deps, caller.accountId, params.scanId)
    return reply.type(mediaTypes.json).send(body)
  },
})
