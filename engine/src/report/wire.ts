/** The shapes that leave the engine: what the server stores and sends, and what the command prints as JSON. */
import type { Confidence, Severity } from '../detectors/define-detector.ts'
import type { BestPractices } from './best-practices.ts'
import type { Counts } from './counts.ts'
import type { Evidence } from './evidence.ts'
import type { FurtherPlace, Place, SuppressedFinding, TraceEntry } from './finding.ts'
import type { Diagnostic, ParseError } from './report.ts'
import type { SecurityScore } from './security-score.ts'
import type { Tally } from './tally.ts'

/** What a finding of either kind looks like on the wire. */
export interface WireFinding extends Place {
  readonly name: string
  readonly title: string
  readonly severity: Severity
  readonly confidence: Confidence
  /** An advisory that only asks for a look, because the engine is not sure. */
  readonly kind?: 'review'
  readonly detector: string
  /** The detector that it was split from, else the same; absent of results that were stored before it was reported. */
  readonly family?: string
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
  /** Where else the same cause shows. */
  readonly places?: readonly FurtherPlace[]
}

export interface WireVulnerability extends WireFinding {
  readonly vulnerabilityId: string
}

/** Without a number: beyond the registry. With one: a suspicion of that vulnerability, for review. */
export interface WireAdvisory extends WireFinding {
  readonly vulnerabilityId?: string
}

/** Either kind, distinguished by the presence of `vulnerabilityId`. */
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
  /** All findings alike by severity, those outside the SWC list among them; absent of results that were stored before it was reported. */
  readonly tally?: Tally
  readonly engineVersion: string
  /** As the client called the file or project. */
  readonly fileName?: string
  readonly sha256?: string
  readonly createdAt?: string
  /** Only of a project: each file by itself. */
  readonly files?: readonly FileSummary[]
}
