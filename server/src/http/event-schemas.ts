import { z } from 'zod'
import { planNames } from '../core/plans.ts'
import { exampleKey, keyType } from './api-key.ts'
import { timestamp } from './fields.ts'
import { exampleRecord, findingRecord } from './finding-schemas.ts'
import {
  completeness,
  counts,
  exampleResult,
  exampleScanId,
  exampleScore,
  exampleTally,
  exampleVerdict,
  gateVerdict,
  securityScore,
  tally,
} from './scan-schemas.ts'

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
  tally: tally.nullable().optional(),
  sha256: z.string().nullable(),
  project: z.string().nullable().optional().describe('As it was sent with the scan.'),
  gate: gateVerdict.nullable().optional().describe('Null: its project has no gate.'),
})

const findingEvent = scanEvent.extend({
  type: z.literal('finding.new'),
  status: z.literal('completed'),
  securityScore,
  completeness,
  counts,
  sha256: z.string(),
  project: z.string(),
  newCount: z.int().describe('How many there are; the event names at most 100, the most severe first.'),
  findings: z.array(
    findingRecord
      .pick({
        id: true,
        file: true,
        fingerprint: true,
        kind: true,
        vulnerabilityId: true,
        detector: true,
        severity: true,
        confidence: true,
        title: true,
        contract: true,
        function: true,
        line: true,
      })
      .meta({ id: 'NewFinding' }),
  ),
})

const gateEvent = scanEvent.extend({
  type: z.literal('gate.failed'),
  status: z.literal('completed'),
  securityScore,
  completeness,
  counts,
  sha256: z.string(),
  project: z.string(),
  gate: gateVerdict,
})

const quotaEvent = z.object({
  type: z.literal('quota.low'),
  timestamp,
  percent: z.union([z.literal(80), z.literal(100)]),
  used: z.int().describe('Scans of the day.'),
  limit: z.int(),
  resetsAt: timestamp,
  plan: z.enum(planNames),
})

const keyEvent = z.object({
  type: z.literal('key.expiring'),
  timestamp,
  keyId: z.string(),
  name: z.string(),
  keyType,
  expiresAt: timestamp,
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

const exampleScan = {
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
  tally: exampleTally,
  sha256: exampleResult.sha256,
  project: exampleRecord.project,
  gate: null,
}

/** Every kind of event, by the name under which OpenAPI lists it. */
export const eventDocs: Readonly<Record<string, EventDoc>> = {
  scan: {
    summary: 'A scan was completed or failed',
    schema: scanEvent.meta({ id: 'ScanEvent' }),
    example: { type: 'scan.completed', ...exampleScan },
  },
  findingNew: {
    summary: 'A scan found what no earlier scan of the project had found',
    schema: findingEvent.meta({ id: 'FindingEvent' }),
    example: {
      type: 'finding.new',
      ...exampleScan,
      project: exampleRecord.project,
      newCount: 1,
      findings: [
        {
          id: exampleRecord.id,
          file: exampleRecord.file,
          fingerprint: exampleRecord.fingerprint,
          kind: exampleRecord.kind,
          vulnerabilityId: exampleRecord.vulnerabilityId,
          detector: exampleRecord.detector,
          severity: exampleRecord.severity,
          confidence: exampleRecord.confidence,
          title: exampleRecord.title,
          contract: exampleRecord.contract,
          function: exampleRecord.function,
          line: exampleRecord.line,
        },
      ],
    },
  },
  gateFailed: {
    summary: 'A scan failed the gate of its project',
    schema: gateEvent.meta({ id: 'GateEvent' }),
    example: { type: 'gate.failed', ...exampleScan, project: exampleRecord.project, gate: exampleVerdict },
  },
  quotaLow: {
    summary: 'Four fifths of the daily scans are used, or all of them',
    schema: quotaEvent.meta({ id: 'QuotaEvent' }),
    example: {
      type: 'quota.low',
      timestamp: at,
      percent: 80,
      used: 800,
      limit: 1000,
      resetsAt: '2026-03-11T00:00:00.000Z',
      plan: 'pro',
    },
  },
  keyExpiring: {
    summary: 'An API key ends within two weeks',
    schema: keyEvent.meta({ id: 'KeyEvent' }),
    example: {
      type: 'key.expiring',
      timestamp: at,
      keyId: exampleKey.id,
      name: 'ci',
      keyType: 'PRODUCTION',
      expiresAt: '2026-03-24T12:00:00.000Z',
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
