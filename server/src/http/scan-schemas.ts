import { z } from 'zod'
import { scanStatuses } from '../core/scan-status.ts'

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

const wei = z.string().describe('Wei, as decimal digits.')

const evidenceStep = z
  .object({
    actor: z.string(),
    call: z.string(),
    arguments: z.array(z.string()),
    value: wei,
    effect: z.string(),
  })
  .meta({ id: 'EvidenceStep' })

const evidence = z
  .object({
    status: z
      .enum(['confirmed', 'executed', 'not-reproduced', 'not-attempted'])
      .describe(
        '`confirmed`: a verified exploit, an account gained or lost. `executed`: the flagged code did what it is flagged for, without harm.',
      ),
    summary: z.string(),
    scene: z.array(evidenceStep).describe('How the scene was set.'),
    steps: z.array(evidenceStep).describe('The attack.'),
    balances: z
      .array(
        z.object({
          holder: z.string(),
          token: z.string().optional().describe('Its smallest units are counted; absent: wei.'),
          before: z.string(),
          after: z.string(),
        }),
      )
      .describe('Of everybody in the scene, before and after the attack, as decimal digits.'),
    control: z
      .object({ change: z.string(), result: z.string() })
      .nullable()
      .describe('Control run without the vulnerable step: it does not show the harm.'),
    callsTried: z.int(),
    seed: z.int(),
    compiler: z.string().nullable(),
    libraries: z
      .string()
      .optional()
      .describe('Release of the library sources that completed the files; absent: they were complete.'),
    foundryTest: z.object({ file: z.string(), text: z.string() }).nullable(),
  })
  .meta({ id: 'Evidence' })

const finding = z.object({
  name: z.string(),
  title: z.string(),
  severity,
  confidence,
  detector: z.string().describe('Id of the detector, as in the catalogue.'),
  family: z
    .string()
    .optional()
    .describe(
      'Id of the detector that this one was split from, else the same. Absent in results stored before it existed.',
    ),
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
  file: z.string().optional().describe('Only in a project: the path of the file.'),
  places: z
    .array(z.object({ file: z.string().optional().describe('Only in a project.'), ...place }))
    .optional()
    .describe('Where else the same cause shows.'),
  record: z
    .object({
      id: z.string().describe('For `/api/v1/findings/{id}`.'),
      state: z.enum(['open', 'fixed', 'false-positive', 'accepted']).optional(),
    })
    .optional()
    .describe('The record that keeps it and its state; absent in results of before there were records.'),
  evidence: evidence.optional().describe('Only with `prove=true`.'),
  baselineState: z.enum(['new', 'unchanged']).optional().describe('Only with `baseline`.'),
})

const vulnerability = finding
  .extend({ vulnerabilityId: z.string().describe('`SWC-<number>`.') })
  .meta({ id: 'Vulnerability' })

const advisory = finding
  .extend({
    vulnerabilityId: z.string().optional().describe('Only with `kind`: the suspected vulnerability.'),
    kind: z
      .literal('review')
      .optional()
      .describe('Needs review: the engine is not sure enough to report it as a finding.'),
  })
  .meta({ id: 'Advisory' })

const suppressed = finding
  .extend({
    vulnerabilityId: z.string().optional(),
    suppression: z.object({ comment: z.string(), reason: z.string().nullable(), line: z.int() }),
  })
  .meta({ id: 'SuppressedFinding' })

/** Any of the three, as a page tells them apart. */
export const pagedFinding = finding
  .extend({
    group: z.enum(['vulnerability', 'advisory', 'suppressed']),
    vulnerabilityId: z.string().optional(),
    kind: z.literal('review').optional(),
    suppression: suppressed.shape.suppression.optional(),
  })
  .meta({ id: 'PagedFinding' })

export const securityScore = z
  .object({
    score: z.int().min(0).max(100),
    rating,
    summary: z.object({ total: z.int(), critical: z.int(), high: z.int(), medium: z.int(), low: z.int() }),
  })
  .meta({ id: 'SecurityScore' })

export const counts = z
  .object({
    critical: z.int(),
    high: z.int(),
    medium: z.int(),
    low: z.int(),
    info: z.int(),
    advisories: z.int(),
    suppressed: z.int(),
  })
  .meta({ id: 'Counts' })

export const tally = z
  .object({
    findings: z.int(),
    bySeverity: z.object({ critical: z.int(), high: z.int(), medium: z.int(), low: z.int(), info: z.int() }),
    outsideSwc: z.int().describe('How many of them are outside the SWC list: they do not lower the score.'),
    needsReview: z.int().describe('Counted apart: the analysis is not sure enough to call them findings.'),
    suppressed: z.int(),
  })
  .meta({
    id: 'Tally',
    description:
      'All findings alike by severity, of `dataVulnerabilities` and `advisories` together. Absent in scans made before this field existed.',
  })

export const completeness = z.enum(['full', 'partial']).meta({ id: 'Completeness' })

const origin = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('address'),
      chain: z.int(),
      address: z.string(),
      provider: z.enum(['sourcify', 'etherscan']),
      match: z
        .enum(['exact', 'partial', 'unknown'])
        .describe('`partial`: it compiles to the deployed bytecode, but comments and names may differ.'),
      implementation: z.string().nullable().describe('The contract behind a proxy, whose source it is.'),
      notScanned: z.array(z.string()).describe('Of a proxy with several implementations: none of them was scanned.'),
    }),
    z.object({
      kind: z.literal('repository'),
      repository: z.string(),
      ref: z.string().nullable(),
      path: z.string().nullable(),
    }),
  ])
  .meta({ id: 'Origin' })

export const setAside = z.object({ total: z.int(), securityScore }).meta({
  id: 'SetAside',
  description:
    'How many of these findings you decided to be false positives or accepted, and the score without them; absent when none are.',
})

const aiVulnerability = z
  .object({
    vulnerabilityId: z.string().nullable(),
    title: z.string(),
    severity: z.enum(['critical', 'high', 'medium', 'low', 'info']),
    confidence: z.enum(['high', 'medium', 'low']),
    line: z.int(),
    endLine: z.int(),
    description: z.string(),
    recommendation: z.string(),
    agreement: z.enum(['both', 'ai', 'static']).describe('Who found it.'),
    aiVerdict: z
      .enum(['confirmed', 'doubted', 'unsure'])
      .nullable()
      .describe('What the model says of a finding of the static analysis.'),
    aiReason: z.string().nullable(),
  })
  .meta({ id: 'AiVulnerability' })

export const aiResults = z.object({
  summary: z.string(),
  vulnerabilities: z
    .array(aiVulnerability)
    .describe('Those of the static analysis in their order, then what the model alone found.'),
  recommendations: z.array(z.string()),
  suppressed: z
    .array(aiVulnerability)
    .describe('Findings suppressed by comments in the file, with the AI review of each. Not among `vulnerabilities`.'),
})

const aiAnalysis = aiResults
  .extend({
    model: z.string().optional().describe('Absent of scans made before it was noted.'),
    timeTaken: z.string(),
    outputFile: z.string().describe('Fetch it at `/api/v1/reports/{outputFile}`.'),
  })
  .meta({ id: 'AiAnalysis' })

const scanResultFields = z.object({
  success: z.literal(true),
  message: z.string(),
  scanId: z.string(),
  file: z.string().describe('Opaque name of the stored upload.'),
  vulnerabilitiesCount: z.int(),
  dataVulnerabilities: z.array(vulnerability),
  advisories: z
    .array(advisory)
    .describe('Findings outside the SWC list, and what needs review; they neither count nor deduct.'),
  suppressed: z.array(suppressed),
  parseErrors: z.array(z.object({ ...place, message: z.string(), file: z.string().optional() })),
  diagnostics: z.array(
    z.object({ code: z.string(), message: z.string(), line: z.int().nullable(), file: z.string().optional() }),
  ),
  completeness,
  securityScore,
  counts,
  tally: tally.optional(),
  engineVersion: z.string().nullable().describe('Null for scans made before it was noted.'),
  fileName: z.string().describe('As the client called the file or project.'),
  sha256: z.string().nullable().describe('Of the file; of a project, of its `sha256sum` lines in order.'),
  createdAt: z.iso.datetime(),
  files: z
    .array(z.object({ path: z.string(), score: z.int(), rating, counts, completeness }).meta({ id: 'FileSummary' }))
    .optional()
    .describe('Only of a project: each file by itself.'),
  origin: origin.optional().describe('Only of sources that the service fetched: where from.'),
  bestPractices: z.object({
    recommendations: z.array(z.string()),
    checklist: z.array(z.object({ category: z.string(), items: z.array(z.string()) })).optional(),
  }),
  aiAnalysis: aiAnalysis.optional().describe('Only of an AI-assisted scan: what the model said.'),
  setAside: setAside.optional(),
  baseline: z
    .object({
      baselineScanId: z.string(),
      newCount: z.int(),
      unchangedCount: z.int(),
      advisories: z
        .object({ newCount: z.int(), unchangedCount: z.int() })
        .optional()
        .describe('The same of `advisories`; absent in results of earlier versions.'),
      fixedCount: z.int(),
      fixed: z.array(vulnerability),
    })
    .optional()
    .describe('Only with `baseline`: what changed since.'),
})

export const gateVerdict = z
  .object({
    failOn: z.enum(['critical', 'high', 'medium', 'low', 'info']),
    onlyNew: z.boolean(),
    isPassed: z.boolean(),
    bySeverity: z
      .object({ critical: z.int(), high: z.int(), medium: z.int(), low: z.int(), info: z.int() })
      .partial()
      .describe('The findings that count; severities below `failOn` are absent.'),
    reason: z.string(),
  })
  .meta({
    id: 'GateVerdict',
    description:
      'How the run fared at the gate of its project. Of the newest run of a branch it follows the states of findings.',
  })

export const exampleVerdict = {
  failOn: 'high',
  onlyNew: true,
  isPassed: false,
  bySeverity: { critical: 0, high: 1 },
  reason: '1 new finding at or above high: 1 high.',
} as const

const gate = gateVerdict.nullable().describe('Null: its project had no gate.')

const belonging = {
  project: z.string().nullable().describe('As it was sent with the scan; null: it belongs to none.'),
  ref: z.string().nullable(),
  commit: z.string().nullable(),
}

export const scanResult = scanResultFields
  .extend(z.object({ ...belonging, gate }).partial().shape)
  .meta({ id: 'ScanResult' })

const scanEntryFields = z.object({
  scanId: z.string(),
  kind: z.enum(['standard', 'ai']),
  status: z.literal('completed'),
  fileName: z.string(),
  sizeBytes: z.int(),
  vulnerabilitiesCount: z.int(),
  securityScore,
  completeness,
  counts,
  sha256: z.string().nullable(),
  engineVersion: z.string().nullable(),
  fileCount: z.int(),
  via: z
    .enum(['key', 'session'])
    .nullable()
    .describe('The credential that requested it: an API key, or a session of the browser.'),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().describe('From then on it is gone, if the plan stays.'),
})

/** A stored scan: its answer, with what the list says of it. */
export const scanRecord = scanResultFields
  .extend(scanEntryFields.shape)
  .extend({ ...belonging, gate })
  .meta({ id: 'Scan' })

/** A scan without a result. */
export const scanProgress = z
  .object({
    scanId: z.string(),
    kind: z.enum(['standard', 'ai']),
    status: z.enum(['queued', 'running', 'failed', 'cancelled']),
    batchId: z.string().nullable(),
    fileName: z.string(),
    sizeBytes: z.int(),
    position: z
      .int()
      .nullable()
      .describe('While it is queued and asked for by its id: 1 is the next of this account. Accounts take turns.'),
    progress: z
      .object({ filesDone: z.int(), files: z.int() })
      .nullable()
      .describe('Of a project, once its analysis has begun: how many of the files to be reported are analyzed.'),
    reason: z.string().nullable().describe('Why it failed.'),
    createdAt: z.iso.datetime(),
    startedAt: z.iso.datetime().nullable(),
    finishedAt: z.iso.datetime().nullable(),
    expiresAt: z.iso.datetime().describe('From then on it is gone, if the plan stays.'),
    ...belonging,
  })
  .meta({ id: 'ScanProgress' })

/** A scan in a list, whatever became of it. */
export const scanEntry = scanEntryFields
  .extend({
    ...belonging,
    gate,
    status: z.enum(scanStatuses),
    vulnerabilitiesCount: z.int().nullable().describe('Null without a result, as are the other fields of one.'),
    securityScore: securityScore.nullable(),
    completeness: completeness.nullable(),
    counts: counts.nullable(),
    tally: tally.nullable().describe('Null without a result, and for scans made before it was kept.'),
    fileCount: z.int().nullable(),
    ...scanProgress.pick({ batchId: true, progress: true, reason: true, startedAt: true, finishedAt: true }).shape,
  })
  .meta({ id: 'ScanEntry' })

/** The same of any scan: what its event stream carries. */
export const scanState = scanProgress.extend({ status: z.enum(scanStatuses) }).meta({ id: 'ScanState' })

export const scanAccepted = z
  .object({
    success: z.literal(true),
    message: z.string(),
    scanId: z.string(),
    status: z.literal('queued'),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'ScanAccepted' })

export const labels = {
  project: z
    .string()
    .max(200)
    .optional()
    .describe('The scan belongs to it; without one nothing is carried over from earlier scans, and nothing closed.'),
  ref: z.string().max(200).optional().describe('Branch or tag; findings have a state on each.'),
  commit: z.string().max(200).optional(),
}

/** Of one upload. */
export const allFiles = z
  .boolean()
  .optional()
  .describe('The upload holds every file of the project: findings in files that it does not hold are fixed.')

/** Path → source, as solc's standard JSON input has it, or one source. */
export const sourcesDocument = z
  .union([
    z.object({
      sources: z.record(z.string(), z.object({ content: z.string() })).describe('Path → source.'),
      remappings: z.array(z.string()).optional().describe('As in remappings.txt.'),
      name: z.string().optional().describe('What to call it.'),
      ...labels,
      allFiles,
      language: z.literal('Solidity').optional(),
      settings: z.object({ remappings: z.array(z.string()).optional() }).optional(),
    }),
    z.object({ source: z.string(), fileName: z.string().optional(), ...labels }),
  ])
  .meta({ id: 'SourcesDocument' })

/** The stored sources of a project; can be uploaded again. */
export const projectSources = z
  .object({ sources: z.record(z.string(), z.object({ content: z.string() })) })
  .meta({ id: 'ProjectSources' })

export const addressDocument = z
  .object({
    address: z.string().describe('Of a contract whose source is verified; a proxy is followed to its implementation.'),
    chain: z.union([z.int(), z.string()]).describe('Number of its chain, such as 1.'),
    ...labels,
  })
  .meta({ id: 'AddressDocument' })

export const repositoryDocument = z
  .object({
    repository: z.string().describe('`owner/name`, or the https address of a repository.'),
    path: z.string().optional().describe('Only this folder or file of it.'),
    ...labels,
    ref: z.string().optional().describe('Branch, tag or commit; absent: the default branch.'),
  })
  .meta({ id: 'RepositoryDocument' })

/** Every kind of JSON that is accepted where files are uploaded. */
export const scanDocument = z.union([sourcesDocument, addressDocument, repositoryDocument]).meta({ id: 'ScanDocument' })

const sarifLocation = z
  .object({
    physicalLocation: z.object({
      artifactLocation: z.object({ uri: z.string(), uriBaseId: z.string().optional() }),
      region: z
        .object({
          startLine: z.int(),
          startColumn: z.int(),
          endLine: z.int(),
          endColumn: z.int().optional(),
        })
        .optional(),
    }),
  })
  .meta({ id: 'SarifLocation' })

const sarifResult = z
  .object({
    ruleId: z.string().describe('The detector.'),
    level: z.enum(['error', 'warning', 'note']),
    message: z.object({ text: z.string() }),
    locations: z.array(sarifLocation),
    relatedLocations: z.array(sarifLocation).optional().describe('Further places of the same cause.'),
    partialFingerprints: z.record(z.string(), z.string()),
    baselineState: z.enum(['new', 'unchanged', 'absent']).optional(),
    suppressions: z.array(z.object({ kind: z.string(), justification: z.string().optional() })),
  })
  .meta({ id: 'SarifResult' })

/** What a reader of results needs; https://docs.oasis-open.org/sarif/sarif/v2.1.0/ describes all of it. */
export const sarifLog = z
  .object({
    version: z.literal('2.1.0'),
    runs: z.array(
      z.object({
        tool: z.object({
          driver: z.object({ name: z.string(), rules: z.array(z.object({ id: z.string() })) }),
        }),
        results: z.array(sarifResult),
      }),
    ),
  })
  .meta({ id: 'SarifLog', description: 'A SARIF 2.1.0 log; fields that are not listed here are as SARIF says.' })

export const exampleFinding = {
  vulnerabilityId: 'SWC-103',
  name: 'Floating Pragma',
  title: 'Floating pragma',
  severity: 'high',
  confidence: 'high',
  detector: 'floating-pragma',
  family: 'floating-pragma',
  contract: null,
  function: null,
  line: 1,
  column: 1,
  endLine: 1,
  endColumn: 25,
  snippet: 'pragma solidity ^0.8.20;',
  message: 'The pragma allows more than one compiler version.',
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

export const exampleTally = {
  findings: 1,
  bySeverity: { critical: 0, high: 1, medium: 0, low: 0, info: 0 },
  outsideSwc: 0,
  needsReview: 0,
  suppressed: 0,
}

const exampleDetails = {
  counts: { critical: 0, high: 1, medium: 0, low: 0, info: 0, advisories: 0, suppressed: 0 },
  engineVersion: '0.1.0',
  sha256: '0f1d3c5b7a9e8d6c4b2a0f1e3d5c7b9a8f6e4d2c0b1a3f5e7d9c8b6a4f2e0d1c',
  fileName: 'Vault.sol',
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
  ...exampleDetails,
  createdAt: '2026-03-10T12:00:00.000Z',
  bestPractices: { recommendations: ['Pin the compiler version the contract was tested with.'], checklist: [] },
}

export const exampleAddress = { address: '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2', chain: 1 } as const
export const exampleRepository = { repository: 'owner/name', ref: 'main', path: 'src' } as const

/** Sources as JSON. */
export const exampleDocument = {
  language: 'Solidity',
  sources: { 'src/Vault.sol': { content: 'pragma solidity 0.8.24;\ncontract Vault {}\n' } },
} as const

export const exampleEntry = {
  scanId: exampleScanId,
  kind: 'standard',
  status: 'completed',
  sizeBytes: 4210,
  vulnerabilitiesCount: 1,
  securityScore: exampleScore,
  completeness: 'full',
  ...exampleDetails,
  fileCount: 1,
  via: 'key',
  createdAt: '2026-03-10T12:00:00.000Z',
  expiresAt: '2026-03-17T12:00:00.000Z',
  project: 'vaults',
  ref: 'main',
  commit: '3f9c1ab',
  gate: null,
}

export const exampleListed = {
  ...exampleEntry,
  tally: exampleTally,
  batchId: null,
  progress: null,
  reason: null,
  startedAt: '2026-03-10T12:00:00.000Z',
  finishedAt: '2026-03-10T12:00:00.000Z',
}

export const exampleProgress = {
  scanId: exampleScanId,
  kind: 'standard',
  status: 'queued',
  batchId: null,
  fileName: 'Vault.sol',
  sizeBytes: 4210,
  position: 1,
  progress: null,
  reason: null,
  createdAt: '2026-03-10T12:00:00.000Z',
  startedAt: null,
  finishedAt: null,
  expiresAt: '2026-03-17T12:00:00.000Z',
}
