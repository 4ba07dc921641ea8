export { attachEvidence, provableFindings } from './attach-evidence.ts'
export type { BestPractices } from './best-practices.ts'
export { resultBounds, withinBounds } from './bounds.ts'
export { buildReports, largestContractBytes, type Note, type ReportInput } from './build-reports.ts'
export {
  type BaselineState,
  type ComparedScanResult,
  type Comparison,
  compareScans,
} from './compare-scans.ts'
export { type Counts, countFindings } from './counts.ts'
export type { Crew } from './crew.ts'
export { type DetectorFacts, detectorPage, silencesOf } from './detector-page.ts'
export { engineVersion } from './engine-version.ts'
export {
  balanceChanges,
  type Evidence,
  type EvidenceBalance,
  type EvidenceControl,
  type EvidenceStatus,
  type EvidenceStep,
  etherOf,
  evidenceLine,
  evidenceTitle,
} from './evidence.ts'
export { explainLine, type LineExplanation, type Silence } from './explain-line.ts'
export type { Finding, FurtherPlace, Place, SuppressedFinding, TraceEntry } from './finding.ts'
export { isHousekeeping } from './housekeeping.ts'
export { type HtmlOptions, toHtml } from './html.ts'
export { joinResults } from './join-results.ts'
export { KnownTexts } from './known-texts.ts'
export { type MarkdownOptions, toMarkdown } from './markdown.ts'
export type { Memory } from './memory.ts'
export { splitByFile, toProjectResult } from './project-result.ts'
export { type KindRow, kindsOf, type NotScanned, projectScore } from './project-summary.ts'
export type { Observer } from './raw-finding.ts'
export type { Diagnostic, DiagnosticCode, ParseError, Report } from './report.ts'
export type { RunOptions } from './run-detectors.ts'
export { type Provenance, type SarifFix, type SarifOptions, toSarif } from './sarif.ts'
export type { ScanResultOptions } from './scan-result.ts'
export { toScanResult } from './scan-result.ts'
export type { ScannedFile, SyntaxProblem } from './scanned-file.ts'
export {
  deductions,
  isPartlyUnread,
  type Rating,
  rate,
  ratingBands,
  type SecurityScore,
  scoreFindings,
  shownRating,
} from './security-score.ts'
export { summarise } from './summarise.ts'
export { needsReview, type Tally, tally } from './tally.ts'
export { limitsOfAScan, type Unread, unreadIn } from './unread.ts'
export { findWeakness, type Weakness, weaknesses } from './weaknesses.ts'
export type { FileSummary, ScanResult, WireAdvisory, WireFinding, WireSuppressed, WireVulnerability } from './wire.ts'
