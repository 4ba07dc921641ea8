import { z } from 'zod'

/** The wire shapes of scans, for the reference and the typed client; the engine makes the values. */
export const severity = z.enum(['critical', 'high', 'medium', 'low', 'info']).meta({ id: 'Severity' })
export const rating = z.enum(['Excellent', 'Good', 'Fair', 'Poor', 'Critical']).meta({ id: 'Rating' })
export const confidence = z.enum(['high', 'medium', 'low']).meta({ id: 'Confidence' })
const place = {
  line: z.int().describe('1-based.'),
  column: z.int(),
  endLine: z.int(),
  endColumn: z.int().describe('Exclusive.'),
}

const traceStep = z.object({ ...place, message: z.string() }).meta({ id: 'TraceStep' })

const finding = z.object({
  name: z.string(),
  title: z.string(),
  severity,
  confidence,
  detector: z.string().describe('Id of the detector, as in the catalogue.'),
  contract: z.string().nullable(),
  function: z.string().nullable(),
  ...place,
  snippet: z.string(),
  message: z.string(),
  recommendation: z.string(),
  references: z.array(z.string()),
  cwe: z.array(z.string()),
  fingerprint: z.string().describe('Survives edits elsewhere in the file.'),
  trace: z.array(traceStep),
  baselineState: z.enum(['new', 'unchanged']).optional().describe('Only with `baseline`.'),
})

const vulnerability = finding
  .extend({ vulnerabilityId: z.string().describe('`SWC-<number>`.') })
  .meta({ id: 'Vulnerability' })

const advisory = finding
  .extend({
    vulnerabilityId: z.string().optional().describe('Only with `kind`: the weakness that is suspected.'),
    kind: z.literal('review').optional().describe('A suspicion: the engine is not sure enough to call it a weakness.'),
  })
  .meta({ id: 'Advisory' })

const suppressed = finding
  .extend({
    vulnerabilityId: z.string().optional(),
    suppression: z.object({ comment: z.string(), reason: z.string().nullable(), line: z.int() }),
  })
  .meta({ id: 'SuppressedFinding' })

export const securityScore = z
  .object({
    score: z.int().min(0).max(100),
    rating,
    summary: z.object({ total: z.int(), critical: z.int(), high: z.int(), medium: z.int(), low: z.int() }),
  })
  .meta({ id: 'SecurityScore' })

const scanResultFields = z.object({
  success: z.literal(true),
  message: z.string(),
  scanId: z.string(),
  file: z.string().describe('Opaque name of the stored upload.'),
  vulnerabilitiesCount: z.int(),
  dataVulnerabilities: z.array(vulnerability),
  advisories: z
    .array(advisory)
    .describe('Weaknesses beyond the registry, and places to review; they neither count nor deduct.'),
  suppressed: z.array(suppressed),
  parseErrors: z.array(z.object({ ...place, message: z.string() })),
  diagnostics: z.array(z.object({ code: z.string(), message: z.string(), line: z.int().nullable() })),
  completeness: z.enum(['full', 'partial']),
  securityScore,
  bestPractices: z.object({
    recommendations: z.array(z.string()),
    checklist: z.array(z.object({ category: z.string(), items: z.array(z.string()) })).optional(),
  }),
  baseline: z
    .object({
      baselineScanId: z.string(),
      newCount: z.int(),
      unchangedCount: z.int(),
      fixedCount: z.int(),
      fixed: z.array(vulnerability),
    })
    .optional()
    .describe('Only with `baseline`: what changed since.'),
})

export const scanResult = scanResultFields.meta({ id: 'ScanResult' })

const scanEntryFields = z.object({
  scanId: z.string(),
  kind: z.enum(['standard', 'ai']),
  status: z.enum(['completed', 'failed']),
  fileName: z.string(),
  sizeBytes: z.int(),
  vulnerabilitiesCount: z.int(),
  securityScore,
  completeness: z.enum(['full', 'partial']),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().describe('From then on it is gone, if the plan stays.'),
})

export const scanEntry = scanEntryFields.meta({ id: 'ScanEntry' })

/** A stored scan: its answer, with what the list says of it. */
export const scanRecord = scanResultFields.extend(scanEntryFields.shape).meta({ id: 'Scan' })

export const exampleFinding = {
  vulnerabilityId: 'SWC-103',
  name: 'Floating Pragma',
  title: 'Floating pragma',
  severity: 'high',
  confidence: 'high',
  detector: 'floating-pragma',
  contract: null,
  function: null,
  line: 1,
  column: 1,
  endLine: 1,
  endColumn: 25,
  snippet: 'pragma solidity ^0.8.20;',
  message: 'The pragma admits more than one compiler version.',
  recommendation: 'Pin the compiler version the contract was tested with.',
  references: ['https://swcregistry.io/docs/SWC-103'],
  cwe: ['CWE-664'],
  fingerprint: '5d1c0f8a2b7e4c9d8f3a6b1e0c7d9a42',
  trace: [],
}

export const exampleScore = {
  score: 90,
  rating: 'Excellent',
  summary: { total: 1, critical: 0, high: 1, medium: 0, low: 0 },
}

export const exampleScanId = 'scn_01jny2q8kq6q2t4m8x0c7v3r5n9w1b2d3f4'

export const exampleResult = {
  success: true,
  message: 'Scan completed: 1 vulnerability found.',
  scanId: exampleScanId,
  file: `uploads/${exampleScanId}.sol`,
  vulnerabilitiesCount: 1,
  dataVulnerabilities: [exampleFinding],
  advisories: [],
  suppressed: [],
  parseErrors: [],
  diagnostics: [],
  completeness: 'full',
  securityScore: exampleScore,
  bestPractices: { recommendations: ['Pin the compiler version the contract was tested with.'], checklist: [] },
}

export const exampleEntry = {
  scanId: exampleScanId,
  kind: 'standard',
  status: 'completed',
  fileName: 'Vault.sol',
  sizeBytes: 4210,
  vulnerabilitiesCount: 1,
  securityScore: exampleScore,
  completeness: 'full',
  createdAt: '2026-03-10T12:00:00.000Z',
  expiresAt: '2026-03-17T12:00:00.000Z',
}
