/**
 * SARIF 2.1.0 as code scanning takes it: every result has a location with line and column of at least 1, rules carry help and
 * a security severity, and the counts stay under the ingestion limits (25,000 results a run, 10,000 thread flow locations,
 * 20 tags a rule).
 */

import type { Severity } from '../detectors/define-detector.ts'
import type { DetectorExample } from '../detectors/detector-example.ts'
import { detectors } from '../detectors/index.ts'
import { bySeverity } from './by-severity.ts'
import type { BaselineState, ComparedScanResult } from './compare-scans.ts'
import { type DetectorFacts, detectorPage } from './detector-page.ts'
import type { Place, TraceEntry } from './finding.ts'
import type { Diagnostic } from './report.ts'
import { wellFormed } from './visible.ts'
import type { ScanResult, WireFinding, WireSuppressed, WireVulnerability } from './wire.ts'

export interface SarifOptions {
  readonly version: string
  /** Where the tool is described: the service's own address, say. */
  readonly informationUri?: string
  /** Which code was scanned, as far as it is known. */
  readonly provenance?: Provenance
  /** Where the pages of the detectors are, each as `<id>.md`; without it the help stands in the file alone. */
  readonly pages?: string
  /** The code that the pages show. */
  readonly examples?: Readonly<Record<string, DetectorExample>>
  /** Patches for a finding, as regions and texts. */
  readonly fixOf?: (file: string, fingerprint: string) => SarifFix | undefined
  /** Files that were requested and have no result. */
  readonly notScanned?: readonly { readonly path: string; readonly error: string }[]
  /** What files of the project set, one line each: they travel with the source, so the reader must see them. */
  readonly settings?: readonly string[]
}

export interface Provenance {
  /** The name under which results are compared; two projects of one repository have two. */
  readonly project?: string
  /** An absolute address. */
  readonly repository?: string
  readonly commit?: string
  readonly ref?: string
}

export interface SarifFix {
  readonly title: string
  readonly replacements: readonly (Place & { readonly text: string })[]
}

type Level = 'error' | 'warning' | 'note'
type Json = Record<string, unknown>

interface Located {
  readonly finding: WireFinding & { readonly vulnerabilityId?: string }
  readonly uri: string
  /** As given, for questions about it. */
  readonly file: string
  readonly suppression: WireSuppressed['suppression'] | null
  readonly baselineState: BaselineState | 'absent' | null
}

const maxResults = 25_000
const maxFlowLocations = 1_000

const levels: Record<Severity, Level> = {
  critical: 'error',
  high: 'error',
  medium: 'warning',
  low: 'note',
  info: 'note',
}
const securitySeverity: Record<Severity, string> = {
  critical: '9.5',
  high: '8.0',
  medium: '5.5',
  low: '3.0',
  info: '1.0',
}
const precision = { high: 'very-high', medium: 'high', low: 'medium' } as const

const severityRanks: Record<Severity, number> = { critical: 95, high: 80, medium: 55, low: 30, info: 10 }
const confidenceRanks = { high: 0, medium: -5, low: -10 } as const

/** From 0 to 100, for viewers that sort by it: what was executed first, then by severity, then by how sure the finding is. */
const rankOf = ({ severity, confidence, evidence }: WireFinding): number =>
  evidence?.status === 'confirmed' ? 100 : severityRanks[severity] + confidenceRanks[confidence]

/** By severity alone, with an SWC number or without; what needs review is a note. */
const levelOf = ({ severity, kind }: Pick<WireFinding, 'severity' | 'kind'>): Level =>
  kind === 'review' ? 'note' : levels[severity]

/** A relative URI reference: no scheme, no leading slash, every hostile character percent-encoded. */
export const toUri = (file: string): string =>
  file
    .replaceAll('\\', '/')
    .split('/')
    .filter((segment, index) => segment !== '' && !(index === 0 && /^[A-Za-z]:$/.test(segment)) && segment !== '.')
    .map((segment) => encodeURIComponent(wellFormed(segment)))
    .join('/') || 'contract.sol'

const regionOf = ({ line, column, endLine, endColumn }: Place): Json => ({
  startLine: Math.max(1, line),
  startColumn: Math.max(1, column),
  endLine: Math.max(1, endLine),
  ...(endLine > line || endColumn > column ? { endColumn: Math.max(1, endColumn) } : {}),
})

const physicalLocation = (uri: string, place: Place, snippet?: string): Json => ({
  artifactLocation: { uri, uriBaseId: '%SRCROOT%' },
  region: { ...regionOf(place), ...(snippet ? { snippet: { text: snippet } } : {}) },
})

const flowLocation = (uri: string, step: TraceEntry): Json => ({
  location: {
    physicalLocation: physicalLocation(step.file ? toUri(step.file) : uri, step),
    message: { text: step.message },
  },
})

const codeFlows = ({ finding, uri }: Located): Json => {
  if (finding.trace.length === 0) return {}
  const steps = finding.trace.slice(0, maxFlowLocations - 1)
  const last = { ...finding, message: finding.message }
  const locations = [...steps.map((step) => flowLocation(uri, step)), flowLocation(uri, withoutFile(last))]
  return { codeFlows: [{ threadFlows: [{ locations }] }] }
}

const withoutFile = ({ line, column, endLine, endColumn, message }: WireFinding): TraceEntry => ({
  line,
  column,
  endLine,
  endColumn,
  message,
})

/** The further places of a finding, by number: the message links to them. */
const relatedLocations = ({ finding: { places = [] }, uri }: Located): Json =>
  places.length === 0
    ? {}
    : {
        relatedLocations: places.map((place, index) => ({
          id: index + 1,
          physicalLocation: physicalLocation(place.file ? toUri(place.file) : uri, place),
          message: { text: 'The same cause' },
        })),
      }

const maxLinked = 10

/** `… Also at [src/B.sol:2](1).` */
const messageOf = ({ message, places = [], file }: WireFinding): string => {
  if (places.length === 0) return message
  const linked = places
    .slice(0, maxLinked)
    .map((place, index) => `[${escapeLink(place.file ?? file ?? 'line')}:${place.line}](${index + 1})`)
  const rest = places.length > maxLinked ? ` and ${places.length - maxLinked} more` : ''
  return `${message} Also at ${linked.join(', ')}${rest}.`
}

/** Brackets and backslashes have a meaning in messages. */
const escapeLink = (text: string): string => text.replace(/[\\[\]]/g, (character) => `\\${character}`)

const logicalLocations = ({ contract, function: fn }: WireFinding): Json => {
  if (!contract && !fn) return {}
  const fullyQualifiedName = [contract, fn].filter(Boolean).join('.')
  return { logicalLocations: [{ fullyQualifiedName, name: fn ?? contract, kind: fn ? 'function' : 'type' }] }
}

const fixesOf = ({ finding, uri, file }: Located, { fixOf }: SarifOptions): Json => {
  const fix = fixOf?.(file, finding.fingerprint)
  if (!fix) return {}
  const replacements = fix.replacements.map(({ text, ...place }) => ({
    deletedRegion: {
      startLine: place.line,
      startColumn: place.column,
      endLine: place.endLine,
      endColumn: place.endColumn,
    },
    insertedContent: { text },
  }))
  const artifactChanges = [{ artifactLocation: { uri, uriBaseId: '%SRCROOT%' }, replacements }]
  return { fixes: [{ description: { text: fix.title }, artifactChanges }] }
}

const toResult = (located: Located, ruleIndex: ReadonlyMap<string, number>, options: SarifOptions): Json => {
  const { finding, uri, suppression, baselineState } = located
  const isAdvisory = finding.vulnerabilityId === undefined
  return {
    ruleId: finding.detector,
    ruleIndex: ruleIndex.get(finding.detector),
    level: levelOf(finding),
    kind: 'fail',
    rank: rankOf(finding),
    message: { text: messageOf(finding) },
    locations: [{ physicalLocation: physicalLocation(uri, finding, finding.snippet), ...logicalLocations(finding) }],
    ...relatedLocations(located),
    ...codeFlows(located),
    ...fixesOf(located, options),
    partialFingerprints: {
      primaryLocationLineHash: `${finding.fingerprint.slice(0, 16)}:1`,
      'assayFingerprint/v1': finding.fingerprint,
    },
    ...(baselineState ? { baselineState } : {}),
    suppressions: suppression
      ? [
          {
            kind: suppression.kind ?? 'inSource',
            status: 'accepted',
            justification: suppression.reason ?? suppression.comment,
          },
        ]
      : [],
    properties: {
      severity: finding.severity,
      confidence: finding.confidence,
      advisory: isAdvisory,
      needsReview: finding.kind === 'review',
      ...(finding.evidence ? { evidence: finding.evidence } : {}),
      ...(isAdvisory ? {} : { swc: finding.vulnerabilityId }),
    },
  }
}

const pascalCase = (id: string): string => id.replace(/(?:^|-)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** A stored scan may name a detector that this version no longer has: its own words then serve. */
const factsOf = ({ finding }: Located): DetectorFacts =>
  detectors.find(({ id }) => id === finding.detector) ?? {
    id: finding.detector,
    swc: finding.vulnerabilityId ?? null,
    title: finding.title,
    severity: finding.severity,
    confidence: finding.confidence,
    description: finding.title,
    recommendation: finding.recommendation,
    references: finding.references,
    cwe: finding.cwe,
  }

const tagsOf = ({ swc, cwe }: DetectorFacts): string[] =>
  [
    'security',
    'solidity',
    ...(swc ? [swc] : ['advisory']),
    ...cwe.map((id) => `external/cwe/${id.toLowerCase()}`),
  ].slice(0, 10)

const toRule = (facts: DetectorFacts, { pages, examples }: SarifOptions): Json => {
  const isOwnDetector = detectors.some(({ id }) => id === facts.id)
  const name = pascalCase(facts.id)
  return {
    id: facts.id,
    // SARIF wants none where it says the same as the id.
    ...(name.toLowerCase() === facts.id ? {} : { name }),
    shortDescription: { text: facts.title },
    fullDescription: { text: facts.description },
    help: {
      text: `${facts.description}\n\nWhat to do: ${facts.recommendation}`,
      markdown: detectorPage(facts, examples?.[facts.id]),
    },
    ...(pages && isOwnDetector ? { helpUri: `${pages}${facts.id}.md` } : {}),
    defaultConfiguration: { level: levels[facts.severity] },
    properties: {
      tags: tagsOf(facts),
      precision: precision[facts.confidence],
      'problem.severity': levels[facts.severity] === 'note' ? 'recommendation' : levels[facts.severity],
      'security-severity': securitySeverity[facts.severity],
    },
  }
}

const stateOf = (finding: WireFinding): BaselineState | null =>
  (finding as { baselineState?: BaselineState }).baselineState ?? null

const fixedOf = (result: ScanResult): readonly WireVulnerability[] =>
  (result as Partial<ComparedScanResult>).baseline?.fixed ?? []

const locate = (result: ScanResult): Located[] => {
  const uri = toUri(result.file)
  return [
    ...[...result.dataVulnerabilities, ...result.advisories].map((finding) => ({
      finding,
      uri,
      file: result.file,
      suppression: null,
      baselineState: stateOf(finding),
    })),
    ...result.suppressed.map((finding) => ({
      finding,
      uri,
      file: result.file,
      suppression: finding.suppression,
      baselineState: null,
    })),
    ...fixedOf(result).map((finding) => ({
      finding,
      uri,
      file: result.file,
      suppression: null,
      baselineState: 'absent' as const,
    })),
  ]
}

/** What was not read is no side note. */
const diagnosticLevels: Partial<Record<Diagnostic['code'], Level>> = {
  'detector-failed': 'error',
  'budget-exhausted': 'warning',
  'not-reached': 'warning',
  'import-missing': 'warning',
  'base-missing': 'warning',
}

/** Only what is known by an absolute address can be named. */
const provenanceOf = ({ project, repository, commit, ref }: Provenance): Json => ({
  ...(project ? { automationDetails: { id: `assay/${project}/` } } : {}),
  ...(repository && /^[a-z][a-z\d+.-]*:\/\/\S+$/i.test(repository)
    ? {
        versionControlProvenance: [
          {
            repositoryUri: repository,
            ...(commit ? { revisionId: commit } : {}),
            ...(ref ? { branch: ref } : {}),
            mappedTo: { uriBaseId: '%SRCROOT%' },
          },
        ],
      }
    : {}),
})

const notificationsOf = (result: ScanResult): Json[] => {
  const uri = toUri(result.file)
  return [
    ...result.parseErrors.map((error) => ({
      level: 'warning',
      descriptor: { id: 'parse-error' },
      message: { text: error.message },
      locations: [{ physicalLocation: physicalLocation(uri, error) }],
    })),
    ...result.diagnostics.map(({ code, message, line }) => ({
      level: diagnosticLevels[code] ?? 'note',
      descriptor: { id: code },
      message: { text: message },
      ...(line
        ? {
            locations: [
              { physicalLocation: { artifactLocation: { uri, uriBaseId: '%SRCROOT%' }, region: { startLine: line } } },
            ],
          }
        : {}),
    })),
  ]
}

const failureOf = ({ path, error }: { readonly path: string; readonly error: string }): Json => ({
  level: 'error',
  descriptor: { id: 'not-scanned' },
  message: { text: `${path}: ${error}` },
  locations: [{ physicalLocation: { artifactLocation: { uri: toUri(path), uriBaseId: '%SRCROOT%' } } }],
})

/** One run for any number of scanned files. */
export const toSarif = (results: readonly ScanResult[], options: SarifOptions): Json => {
  const all = results.flatMap(locate)
  const kept =
    all.length <= maxResults ? all : [...all].sort((a, b) => bySeverity(a.finding, b.finding)).slice(0, maxResults)
  const facts = new Map(kept.map((located) => [located.finding.detector, located] as const))
  const ids = [...facts.keys()].sort()
  const ruleIndex = new Map(ids.map((id, index) => [id, index] as const))
  const failures = (options.notScanned ?? []).map(failureOf)
  const isWhole = failures.length === 0 && results.every(({ completeness }) => completeness === 'full')
  const notifications = [...failures, ...results.flatMap(notificationsOf)]
  if (kept.length < all.length)
    notifications.push({
      level: 'warning',
      descriptor: { id: 'too-many-results' },
      message: { text: `${all.length - kept.length} results of the lowest severity were left out.` },
    })
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'Assay',
            semanticVersion: options.version,
            ...(options.informationUri ? { informationUri: options.informationUri } : {}),
            rules: [...facts.values()]
              .map(factsOf)
              .sort((a, b) => (a.id < b.id ? -1 : 1))
              .map((fact) => toRule(fact, options)),
          },
        },
        ...provenanceOf(options.provenance ?? {}),
        columnKind: 'utf16CodeUnits',
        originalUriBaseIds: {
          '%SRCROOT%': { description: { text: 'The folder that the scanned paths are relative to.' } },
        },
        artifacts: [...new Set(results.map(({ file }) => toUri(file)))].map((uri) => ({
          location: { uri, uriBaseId: '%SRCROOT%' },
          sourceLanguage: 'solidity',
        })),
        invocations: [
          {
            executionSuccessful: isWhole,
            toolExecutionNotifications: notifications,
            toolConfigurationNotifications: (options.settings ?? []).map((text) => ({
              level: 'note',
              descriptor: { id: 'setting' },
              message: { text },
            })),
          },
        ],
        results: kept.map((located) => toResult(located, ruleIndex, options)),
      },
    ],
  }
}
