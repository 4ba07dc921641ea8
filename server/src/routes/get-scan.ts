import { z } from 'zod'
import { mediaTypes } from '../http/choose-format.ts'
import { tagOf } from '../http/compress-answers.ts'
import { defineRoute } from '../http/define-route.ts'
import { exampleEntry, exampleResult, scanProgress, scanRecord } from '../http/scan-schemas.ts'
import { type HistoryDeps, streamScan } from '../services/history.ts'

export default defineRoute({
  method: 'GET',
  url: '/api/v1/scans/:scanId',
  summary: 'One scan: its findings, or how far it got',
  description:
    '`status` tells the two apart: a `completed` scan comes with its result; one that is `queued`, `running`, `failed` or `cancelled` has none, and `reason` says why it failed.',
  tag: 'History',
  access: 'key-or-session',
  organisation: 'auditor',
  params: z.object({ scanId: z.string() }),
  responses: {
    200: {
      description: 'The stored answer, and when and of what it was; or how far the scan got.',
      schema: z.object({ success: z.literal(true), data: z.union([scanRecord, scanProgress]) }),
      example: {
        success: true,
        data: { ...exampleResult, ...exampleEntry },
      },
    },
  },
  refusals: ['keyMissing', 'keyInvalid', 'hourSpent', 'scanNotFound'],
  async handle(deps: HistoryDeps, { caller, params, reply }) {
    const found = await streamScan(deps, caller.accountId, params.scanId)
    if (!('body' in found)) return found
    return reply.type(mediaTypes.json).header('etag', tagOf(found.version)).send(found.body)
  },
})
