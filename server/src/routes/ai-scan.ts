import { z } from 'zod'
import { answerAiScan } from '../http/answer-ai-scan.ts'
import { defineRoute } from '../http/define-route.ts'
import { scanRefusals } from '../http/scan-route.ts'
import { aiResults, completeness, counts, securityScore } from '../http/scan-schemas.ts'
import type { AiScanOnceDeps } from '../services/ai-scan-once.ts'

const aiScanResult = z
  .object({
    success: z.literal(true),
    message: z.string(),
    scanId: z.string(),
    timeTaken: z.string(),
    results: aiResults,
    outputFile: z.string().describe('Fetch it at `/api/v1/reports/{outputFile}`.'),
    fileName: z.string(),
    securityScore: securityScore.describe('Of the static analysis.'),
    completeness,
    counts,
    engineVersion: z.string(),
    sha256: z.string(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'AiScanResult' })

const aiProgress = z
  .discriminatedUnion('stage', [
    z.object({ stage: z.literal('scanning') }),
    z.object({ stage: z.literal('asking'), candidates: z.int() }),
    z.object({ stage: z.literal('receiving'), attempt: z.int(), receivedCharacters: z.int() }),
    z.object({ stage: z.literal('checking') }),
  ])
  .meta({ id: 'AiProgress' })

/** A refusal after the stream began. */
const streamedError = z.object({ error: z.string(), status: z.int() }).meta({ id: 'StreamedError' })

export default defineRoute({
  method: 'POST',
  url: '/api/v1/ai-scan',
  summary: 'Scan a Solidity file with a second opinion by an AI model',
  description:
    'The static analysis runs first; its findings go to the model as candidates, which it confirms, doubts or adds to, and never removes. Your gateway key is used for this request alone and never kept. Counts as one scan of the day when a result is produced. With `Accept: text/event-stream` the answer is a stream of `progress` events and then one `result` or `error` event.',
  tag: 'Scans',
  access: 'key-or-session',
  scope: 'scan',
  organisation: 'member',
  bodyKind: 'upload',
  query: z.object({
    suppressions: z
      .enum(['honour', 'ignore'])
      .default('honour')
      .describe(
        '`ignore` counts findings that comments suppress. Else they go to the model marked as such, and are listed apart.',
      ),
  }),
  upload: [
    { name: 'file', kind: 'file', required: true, description: 'A .sol file of at most the size the plan allows.' },
    { name: 'openrouterApiKey', kind: 'text', required: true, description: 'Your key for the AI gateway.' },
    { name: 'model', kind: 'text', required: true, description: 'Model identifier of the AI gateway.' },
  ],
  requestHeaders: {
    'Idempotency-Key':
      'Up to 255 characters. The same key with the same content within 24 hours gives the same answer and is charged once.',
  },
  responses: {
    200: {
      description: 'The result.',
      schema: aiScanResult,
      events: { progress: aiProgress, result: aiScanResult, error: streamedError },
      example: {
        success: true,
        message: 'AI analysis completed: 1 vulnerability found.',
        scanId: 'scn_01k2m3n4p5q6r7s8t9v0w1x2y3',
        timeTaken: '8123.417 milliseconds',
        results: {
          summary: 'The vault can be drained by re-entering withdraw.',
          vulnerabilities: [
            {
              vulnerabilityId: 'SWC-107',
              title: 'Reentrancy',
              severity: 'critical',
              confidence: 'high',
              line: 12,
              endLine: 12,
              description: '`balances` is read before this external call and written after it.',
              recommendation: 'Update state before the call.',
              agreement: 'both',
              aiVerdict: 'confirmed',
              aiReason: 'The balance is cleared only after the call.',
            },
          ],
          recommendations: ['Update the balance before the transfer.'],
          suppressed: [],
        },
        outputFile: 'ai-report-2026-03-10T12-00-00.000Z-scn_01k2m3n4p5q6r7s8t9v0w1x2y3.md',
        fileName: 'Vault.sol',
        securityScore: {
          score: 80,
          rating: 'Good',
          summary: { total: 1, critical: 1, high: 0, medium: 0, low: 0 },
        },
        completeness: 'full',
        counts: { critical: 1, high: 0, medium: 0, low: 0, info: 0, advisories: 0, suppressed: 0 },
        engineVersion: '0.1.0',
        sha256: '0f1d3c5b7a9e8d6c4b2a0f1e3d5c7b9a8f6e4d2c0b1a3f5e7d9c8b6a4f2e0d1c',
        createdAt: '2026-03-10T12:00:00.000Z',
      },
    },
  },
  refusals: scanRefusals({
    ofCaller: ['aiNotOnPlan'],
    ofForm: ['oneFileOnly', 'tooManyFiles'],
    ofUpload: ['aiKeyMissing', 'aiModelMissing'],
    ofSource: [
      'aiKeyRejected',
      'aiCreditMissing',
      'aiModelUnknown',
      'aiContextTooLong',
      'aiModerated',
      'aiBusy',
      'aiTimeout',
      'aiFailed',
    ],
  }),
  handle: (deps: AiScanOnceDeps, { caller, query, request, reply }) =>
    answerAiScan(deps, { caller, request, reply, suppressions: query.suppressions }),
})
