import { z } from 'zod'
import { timestamp } from './fields.ts'
import { completeness, counts, exampleResult, exampleScanId, exampleScore, securityScore } from './scan-schemas.ts'

/** What webhooks receive. `null` where an event has none: a failed scan has no score. */
const scanEvent = z.object({
  type: z.enum(['scan.completed', 'scan.failed']),
  timestamp,
  scanId: z.string(),
  status: z.enum(['completed', 'failed']),
  securityScore: securityScore.nullable().describe('Null when the scan failed.'),
  vulnerabilitiesCount: z.int(),
  kind: z.enum(['standard', 'ai']),
  fileName: z.string(),
  createdAt: timestamp,
  engineVersion: z.string(),
  completeness: completeness.nullable(),
  counts: counts.nullable(),
  sha256: z.string().nullable(),
})

const testEvent = z.object({
  type: z.literal('webhook.test'),
  timestamp,
  scanId: z.string(),
  status: z.literal('completed'),
  securityScore,
  vulnerabilitiesCount: z.int(),
})

export interface EventDoc {
  readonly summary: string
  readonly schema: z.ZodType
  readonly example: unknown
}

const at = '2026-03-10T12:00:00.000Z'

/** Every kind of event, by the name under which OpenAPI lists it. */
export const eventDocs: Readonly<Record<string, EventDoc>> = {
  scan: {
    summary: 'A scan was completed or failed',
    schema: scanEvent.meta({ id: 'ScanEvent' }),
    example: {
      type: 'scan.completed',
      timestamp: at,
      scanId: exampleScanId,
      status: 'completed',
      securityScore: exampleScore,
      vulnerabilitiesCount: 1,
      kind: 'standard',
      fileName: 'Vault.sol',
      createdAt: at,
      engineVersion: '0.1.0',
      completeness: 'full',
      counts: { critical: 0, high: 1, medium: 0, low: 0, info: 0, advisories: 0, suppressed: 0 },
      sha256: exampleResult.sha256,
    },
  },
  test: {
    summary: 'You asked for a test delivery',
    schema: testEvent.meta({ id: 'TestEvent' }),
    example: {
      type: 'webhook.test',
      timestamp: at,
      scanId: exampleScanId,
      status: 'completed',
      securityScore: exampleScore,
      vulnerabilitiesCount: 1,
    },
  },
}
