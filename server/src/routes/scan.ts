import { z } from 'zod'
import { answerQueuedScan, exampleAccepted, prefersAsync } from '../http/answer-queued-scan.ts'
import { answerScan, type ScanDeps } from '../http/answer-scan.ts'
import { chooseFormat, formats, mediaTypes } from '../http/choose-format.ts'
import { defineRoute } from '../http/define-route.ts'
import { fetchRefusals, scanRefusals, scanRoute } from '../http/scan-route.ts'
import { exampleDocument, exampleResult, scanAccepted, scanDocument, scanResult } from '../http/scan-schemas.ts'
import type { AcceptScanDeps } from '../services/accept-scan.ts'

const replayedHeader = '`true` when this is the answer to an earlier request with the same Idempotency-Key.' as const

export default defineRoute({
  ...scanRoute,
  url: '/api/v1/scan',
  summary: 'Scan a Solidity file or project',
  description:
    'Detects known weaknesses, scores the file and gives advice. Unresolved imports never stop a scan; what cannot be parsed is listed in `parseErrors`. Counts toward the daily quota only when a result is produced. Retry a 429 with exponential backoff and jitter, no earlier than `Retry-After` says.',
  query: z.object({
    format: z.enum(formats).optional().describe('Instead of the `Accept` header.'),
    baseline: z
      .string()
      .optional()
      .describe('Id of an earlier scan: each finding is marked `new` or `unchanged`, and the fixed ones are listed.'),
    prove: z
      .enum(['true', 'false'])
      .default('false')
      .describe(
        '`true` executes what was found, within a time that grows with the plan, and puts `evidence` on each finding. It never fails a scan.',
      ),
    suppressions: z
      .enum(['honour', 'ignore'])
      .default('honour')
      .describe('`ignore` counts findings that comments suppress.'),
    scope: z
      .enum(['product', 'all'])
      .default('product')
      .describe('Of a project: `all` also reports tests, mocks, scripts and dependencies.'),
    async: z
      .enum(['true', 'false'])
      .default('false')
      .describe('`true` queues the scan and answers 202 at once; `format` is for reading its report then.'),
  }),
  jsonUpload: scanDocument,
  jsonExample: exampleDocument,
  requestHeaders: {
    Prefer: '`respond-async`: as `async=true`.',
    'Idempotency-Key':
      'Up to 255 characters. The same key with the same content within 24 hours gives the same answer and is charged once.',
  },
  responses: {
    200: {
      description: 'The result.',
      schema: scanResult,
      example: exampleResult,
      alsoAs: ['application/sarif+json', 'text/markdown', 'text/html'],
      headers: {
        'Idempotent-Replayed': replayedHeader,
      },
    },
    202: {
      description: 'The scan is queued. Its place of the day is taken, and given back if it comes to nothing.',
      schema: scanAccepted,
      example: exampleAccepted,
      headers: {
        Location: 'Where to read how far it got, and its result.',
        'Preference-Applied': '`respond-async` where `Prefer` asked for it.',
        'Idempotent-Replayed': replayedHeader,
      },
    },
  },
  refusals: scanRefusals({ ofUpload: ['scanNotFound', 'brokenJson', ...fetchRefusals] }),
  handle(deps: ScanDeps & AcceptScanDeps, { caller, query, request, reply }) {
    const isPreferred = prefersAsync(request.headers.prefer)
    if (isPreferred) reply.header('preference-applied', 'respond-async')
    if (isPreferred || query.async === 'true') {
      const { suppressions, baseline, scope, prove } = query
      const options = { suppressions, baseline, scope, prove: prove === 'true' }
      return answerQueuedScan(deps, { caller, request, reply }, options)
    }
    const format = chooseFormat(query.format, request.headers.accept)
    reply.header('vary', 'accept')
    return answerScan(
      deps,
      { caller, request, reply },
      {
        route: 'scan',
        format,
        contentType: mediaTypes[format],
        suppressions: query.suppressions,
        baseline: query.baseline,
        scope: query.scope,
        takesJson: true,
        prove: query.prove === 'true',
      },
    )
  },
})
