import { z } from 'zod'
import { answerBatch, type BatchDeps } from '../http/answer-batch.ts'
import { idempotencyHeader } from '../http/answer-once.ts'
import { batchAccepted, batchDocument, exampleBatchId } from '../http/batch-schemas.ts'
import { defineRoute } from '../http/define-route.ts'
import { batchRefusals, labelParts, uploadRoute } from '../http/scan-route.ts'
import { exampleDocument } from '../http/scan-schemas.ts'

export default defineRoute({
  ...uploadRoute,
  url: '/api/v1/scans/batch',
  summary: 'Queue many scans in one call',
  description:
    'Each entry of the JSON is a scan of its own; on the basic and pro plans. A multipart upload is accepted too: each `file` part and each source of a .zip or .tar.gz is a scan then. At most 10,000 scans, each within the size the plan allows, all together within ten times as much. Every scan counts toward the daily quota: all are queued, or none. An error names the scan it is about. `project`, `ref` and `commit` hold for every scan that does not say otherwise itself.',
  upload: [
    {
      name: 'file',
      kind: 'file',
      required: true,
      isList: true,
      description: 'Several parts of this name: .sol files, or archives of them.',
    },
    ...labelParts,
  ],
  jsonUpload: batchDocument,
  describedBody: 'json',
  jsonExample: { scans: [exampleDocument], project: 'vault' },
  query: z.object({
    suppressions: z.enum(['honour', 'ignore']).default('honour'),
    scope: z.enum(['product', 'all']).default('product').describe('Of scans that are projects.'),
  }),
  requestHeaders: idempotencyHeader,
  responses: {
    202: {
      description: 'All of them are queued.',
      schema: batchAccepted,
      example: {
        success: true,
        message: '2 scans are queued.',
        batchId: exampleBatchId,
        total: 2,
        createdAt: '2026-03-10T12:00:00.000Z',
      },
      headers: {
        Location: 'Where to read how far they got.',
        'Retry-After': 'Seconds after which to look there.',
        'Idempotent-Replayed': '`true` when this is the answer to an earlier request with the same Idempotency-Key.',
      },
    },
  },
  refusals: batchRefusals,
  handle: (deps: BatchDeps, { caller, query, request, reply }) => answerBatch(deps, { caller, request, reply }, query),
})
