import { withinBounds } from './bounds.ts'
import { countFindings } from './counts.ts'
import { engineVersion } from './engine-version.ts'
import type { Finding, SuppressedFinding } from './finding.ts'
import type { Report } from './report.ts'
import { scoreFindings } from './security-score.ts'
import { summarise } from './summarise.ts'
import { tallyOf } from './tally.ts'
import type { ScanResult, WireAdvisory, WireFinding, WireSuppressed, WireVulnerability } from './wire.ts'

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

const toWireFinding = (finding: Finding & Pick<WireFinding, 'file'>): WireFinding => ({
  name: finding.name,
  title: finding.title,
  severity: finding.severity,
  confidence: finding.confidence,
  ...(finding.kind ? { kind: finding.kind } : {}),
  detector: finding.detector,
  family: finding.family,
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
  securityScore: scoreFindings(report.findings),
  bestPractices: report.bestPractices,
  counts: countFindings(report),
  tally: tallyOf(report.findings, report.advisories, report.suppressed.length),
  engineVersion,
  ...(options.fileName === undefined ? {} : { fileName: options.fileName }),
  ...(options.sha256 === undefined ? {} : { sha256: options.sha256 }),
  ...(options.createdAt === undefined ? {} : { createdAt: options.createdAt }),
})
