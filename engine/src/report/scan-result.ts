import type { Confidence, Severity } from '../detectors/define-detector.ts'
import type { BestPractices } from './best-practices.ts'
import { withinBounds } from './bounds.ts'
import { type Counts, countFindings } from './counts.ts'
import { engineVersion } from './engine-version.ts'
import type { Evidence } from './evidence.ts'
import type { Finding, Place, SuppressedFinding, TraceEntry } from './finding.ts'
import type { Diagnostic, ParseError, Report } from './report.ts'
import { type SecurityScore, scoreFindings } from './security-score.ts'
import { summarise } from './summarise.ts'

/** What a finding of either kind looks like on the wire. */
export interface WireFinding extends Place {
  readonly name: string
  readonly title: string
  readonly severity: Severity
  readonly confidence: Confidence
  /** An advisory that only asks for a look, because the engine is not sure. */
  readonly kind?: 'review'
  readonly detector: string
  readonly contract: string | null
  readonly function: string | null
  readonly snippet: string
  readonly message: string
  readonly recommendation: string
  readonly references: readonly string[]
  readonly cwe: readonly string[]
  readonly fingerprint: string
  readonly trace: readonly TraceEntry[]
  /** Set when the finding was handed to the prover. */
  readonly evidence?: Evidence
  /** Only in a project: the path of the file. */
  readonly file?: string
  /** Only in a project: where else the same cause stands. */
  readonly places?: readonly FurtherPlace[]
}

export interface WireVulnerability extends WireFinding {
  readonly vulnerabilityId: string
}

/** Without a number: beyond the registry. With one: a suspicion of that weakness, for review. */
export interface WireAdvisory extends WireFinding {
  readonly vulnerabilityId?: string
}

/** Either kind, told apart by the presence of `vulnerabilityId`. */
export interface WireSuppressed extends WireFinding {
  readonly vulnerabilityId?: string
  readonly suppression: SuppressedFinding['suppression']
}

/** One file of a project, judged by itself. */
export interface FileSummary {
  readonly path: string
  readonly score: number
  readonly rating: SecurityScore['rating']
  readonly counts: Counts
  readonly completeness: 'full' | 'partial'
}

/** The same cause met again: another file with the same floating pragma, say. */
export interface FurtherPlace extends Place {
  readonly file: string
}

/** The answer of a standard scan; the server and the command line both send exactly this. */
export interface ScanResult {
  readonly success: true
  readonly message: string
  readonly scanId: string
  readonly file: string
  readonly vulnerabilitiesCount: number
  readonly dataVulnerabilities: readonly WireVulnerability[]
  readonly advisories: readonly WireAdvisory[]
  readonly suppressed: readonly WireSuppressed[]
  readonly parseErrors: readonly ParseError[]
  readonly diagnostics: readonly Diagnostic[]
  readonly completeness: 'full' | 'partial'
  readonly securityScore: SecurityScore
  readonly bestPractices: BestPractices
  readonly counts: Counts
  readonly engineVersion: string
  /** As the client called the file or project. */
  readonly fileName?: string
  readonly sha256?: string
  readonly createdAt?: string
  /** Only of a project: each file by itself. */
  readonly files?: readonly FileSummary[]
}

export interface ScanResultOptions {
  readonly scanId: string
  /** The opaque name of the stored upload, or the path as given on the command line. */
  readonly file: string
  /** Replaces the sentence made from the report. */
  readonly message?: string
  readonly fileName?: string
  readonly sha256?: string
  readonly createdAt?: string
}

const toWireFinding = (finding: Finding & Pick<WireFinding, 'file' | 'places'>): WireFinding => ({
  name: finding.name,
  title: finding.title,
  severity: finding.severity,
  confidence: finding.confidence,
  ...(finding.kind ? { kind: finding.kind } : {}),
  detector: finding.detector,
  contract: finding.contract,
  function: finding.function,
  line: finding.line,
  column: finding.column,
  endLine: finding.endLine,
  endColumn: finding.endColumn,
  snippet: finding.snippet,
  message: finding.message,
  recommendation: finding.recommendation,
  references: finding.references,
  cwe: finding.cwe,
  fingerprint: finding.fingerprint,
  trace: finding.trace,
  ...(finding.file === undefined ? {} : { file: finding.file }),
  ...(finding.places === undefined ? {} : { places: finding.places }),
})

const toWireVulnerability = (finding: Finding): WireVulnerability => ({
  vulnerabilityId: finding.swc ?? finding.detector,
  ...toWireFinding(finding),
})

const toWireAdvisory = (finding: Finding): WireAdvisory => ({
  ...(finding.swc ? { vulnerabilityId: finding.swc } : {}),
  ...toWireFinding(finding),
})

const toWireSuppressed = (finding: SuppressedFinding): WireSuppressed => ({
  ...(finding.swc ? { vulnerabilityId: finding.swc } : {}),
  ...toWireFinding(finding),
  suppression: finding.suppression,
})

/** The wire shape of a report, within its bounds. */
export const toScanResult = (report: Report, options: ScanResultOptions): ScanResult => {
  const result = withinBounds(wholeResult(report, options))
  const isCut = result.completeness !== report.completeness
  return isCut && options.message === undefined
    ? { ...result, message: `${result.message} The result is partial: its lists were cut, see diagnostics.` }
    : result
}

const wholeResult = (report: Report, options: ScanResultOptions): ScanResult => ({
  success: true,
  message: options.message ?? summarise(report),
  scanId: options.scanId,
  file: options.file,
  vulnerabilitiesCount: report.findings.length,
  dataVulnerabilities: report.findings.map(toWireVulnerability),
  advisories: report.advisories.map(toWireAdvisory),
  suppressed: report.suppressed.map(toWireSuppressed),
  parseErrors: report.parseErrors,
  diagnostics: report.diagnostics,
  completeness: report.completeness,
  securityScore: scoreFindings(report.findings, report.parseErrors.length > 0),
  bestPractices: report.bestPractices,
  counts: countFindings(report),
  engineVersion,
  ...(options.fileName === undefined ? {} : { fileName: options.fileName }),
  ...(options.sha256 === undefined ? {} : { sha256: options.sha256 }),
  ...(options.createdAt === undefined ? {} : { createdAt: options.createdAt }),
})
