import { z } from 'zod'
import type { DocumentKind } from '../core/sources/upload.ts'
import type { AcceptScanDeps } from '../services/accept-scan.ts'
import { answerQueuedScan, exampleAccepted, prefersAsync } from './answer-queued-scan.ts'
import { answerScan, type ScanDeps, type ScanInput } from './answer-scan.ts'
import { chooseFormat, formats, mediaTypes } from './choose-format.ts'
import { exampleResult, sarifLog, scanAccepted, scanResult } from './scan-schemas.ts'

/** What every way of scanning sources takes beside them. */
export const scanQuery = z.object({
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
})

export const scanRequestHeaders = {
  Prefer: '`respond-async`: as `async=true`.',
  'Idempotency-Key':
    'Up to 255 characters. The same key with the same content within 24 hours gives the same answer and is charged once.',
} as const

const replayedHeader = '`true` when this is the answer to an earlier request with the same Idempotency-Key.' as const

export const scanResponses = {
  200: {
    description: 'The result.',
    schema: scanResult,
    example: exampleResult,
    alsoAs: { 'application/sarif+json': sarifLog, 'text/markdown': null, 'text/html': null },
    headers: { 'Idempotent-Replayed': replayedHeader },
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
}

export type EitherScanDeps = ScanDeps & AcceptScanDeps

/** Scans at once, or queues the scan where the caller asks for that. */
export function answerEitherScan(
  deps: EitherScanDeps,
  { caller, request, reply, query }: ScanInput & { query: z.output<typeof scanQuery> },
  documentKind?: DocumentKind,
) {
  const isPreferred = prefersAsync(request.headers.prefer)
  if (isPreferred) reply.header('preference-applied', 'respond-async')
  const { suppressions, baseline, scope } = query
  const options = { suppressions, baseline, scope, prove: query.prove === 'true', documentKind }
  if (isPreferred || query.async === 'true') return answerQueuedScan(deps, { caller, request, reply }, options)
  const format = chooseFormat(query.format, request.headers.accept)
  reply.header('vary', 'accept')
  const scan = { route: 'scan', format, contentType: mediaTypes[format], takesJson: true, ...options }
  return answerScan(deps, { caller, request, reply }, scan)
}
