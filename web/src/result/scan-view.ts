import type { Severity } from '../components/severities.ts'
import { scanView as texts } from '../messages/result.ts'
import { whatWasTried } from './tried-attacks.ts'

/**
 * What the result pages read of a scan. The service's answer and the engine's own result in the playground
 * both have at least this, so one view serves both.
 */
export interface ViewPlace {
  line: number
  column?: number
  endLine: number
  endColumn?: number
  /** In a project: the file it is in. */
  file?: string | undefined
}

export interface ViewStep extends ViewPlace {
  message: string
}

export type Confidence = 'high' | 'medium' | 'low'

export interface ViewFinding extends ViewPlace {
  vulnerabilityId?: string | undefined
  name: string
  title: string
  severity: Severity
  confidence: string
  detector: string
  contract: string | null
  function: string | null
  message: string
  recommendation: string
  references: readonly string[]
  cwe: readonly string[]
  fingerprint: string
  trace: readonly ViewStep[]
  /** Further places of the same cause. */
  places?: readonly ViewPlace[] | undefined
  /** `review`: less sure than a finding, reported as an advisory. */
  kind?: string | undefined
  /** What the prover saw when it played the attack. */
  evidence?: ViewEvidence | undefined
}

export interface ViewEvidence {
  status: string
  summary?: string | undefined
  steps?:
    | readonly { actor: string; call: string; arguments: readonly string[]; value: string; effect: string }[]
    | undefined
  /** Wei, or the smallest units of a token, as decimal digits. */
  balances?: readonly { holder: string; token?: string | undefined; before: string; after: string }[] | undefined
  control?: { change: string; result: string } | null | undefined
  foundryTest?: { file: string; text: string } | null | undefined
}

/** What a model said of the findings, and what it added. */
export interface ViewOpinion {
  summary: string
  /** Those of the engine in their order, then what the model alone found, then attempts to instruct it. */
  vulnerabilities: readonly OpinionEntry[]
  suppressed: readonly OpinionEntry[]
  /** Unknown for scans made before it was noted. */
  model?: string | undefined
  timeTaken: string
  outputFile: string
}

export interface OpinionEntry {
  vulnerabilityId: string | null
  title: string
  severity: Severity
  confidence: string
  line: number
  endLine: number
  description: string
  recommendation: string
  agreement: 'both' | 'ai' | 'static'
  aiVerdict: 'confirmed' | 'doubted' | 'unsure' | null
  aiReason: string | null
}

export interface ViewScan {
  aiAnalysis?: ViewOpinion | undefined
  message: string
  vulnerabilitiesCount: number
  dataVulnerabilities: readonly ViewFinding[]
  advisories: readonly ViewFinding[]
  suppressed: readonly ViewFinding[]
  parseErrors: readonly { line: number; message: string }[]
  /** What kept the engine from reading everything; a scan made in the browser has it too. */
  diagnostics?: readonly { code: string; message: string; file?: string | undefined }[] | undefined
  completeness: string
  /** Of a project: the files that were judged. */
  files?: readonly { path: string }[] | undefined
  /** Of all findings, also those that the answer has no room for. */
  tally?: { findings: number; bySeverity: Readonly<Record<Severity, number>> } | undefined
  securityScore: {
    score: number
    rating: string
    summary: { total: number; critical: number; high: number; medium: number; low: number }
  }
  bestPractices: {
    recommendations: readonly string[]
    checklist?: readonly { category: string; items: readonly string[] }[] | undefined
  }
}

/** The text of one scanned file. */
export interface ViewSource {
  path: string
  text: string
}

export const findingStates = ['open', 'false-positive', 'accepted', 'fixed'] as const
export type FindingState = (typeof findingStates)[number]

/** What the account keeps of a finding over all scans of a project. */
export interface FindingRecord {
  id: string
  file: string
  fingerprint: string
  state: FindingState
  reason: string | null
  until: string | null
  /** Null where nobody decided: open since it was found, or fixed because a scan saw it no more. */
  decidedBy: string | null
  decidedAt: string | null
  /** The address of who works on it. */
  assignee: string | null
  comment: string | null
}

/** `model`: found by a model alone. */
export type Listed = 'weakness' | 'advisory' | 'suppressed' | 'model'

export interface ListedFinding {
  finding: ViewFinding
  listed: Listed
  /** The fingerprint, made unique where one stands twice: what a link to the finding carries. */
  key: string
  /** What a model said of it, where there is one. */
  opinion?: Opinion | undefined
  /** Where findings were attacked, and this one not with success: what was tried, in one line. */
  tried?: string | undefined
  /** What was decided about it; a scan in the browser alone has none. */
  record?: FindingRecord | undefined
  /** Of its record, or as a link shares it. */
  state?: FindingState | undefined
}

export interface Opinion {
  verdict: 'confirmed' | 'doubted' | 'unsure'
  reason: string | null
}

export type StateOf = (finding: ViewFinding) => FindingState | undefined

/** All that a scan tells, weaknesses before advisories before what comments suppressed; unordered within. */
export function listFindings(
  scan: ViewScan,
  recordOf: (finding: ViewFinding) => FindingRecord | undefined = () => undefined,
  stateOf: StateOf = (finding) => recordOf(finding)?.state,
): ListedFinding[] {
  const isAttacked = [...scan.dataVulnerabilities, ...scan.advisories].some(({ evidence }) => evidence)
  const seen = new Map<string, number>()
  const list = (findings: readonly ViewFinding[], listed: Listed, said: readonly OpinionEntry[] = []) =>
    findings.map((finding, index) => {
      const times = (seen.get(finding.fingerprint) ?? 0) + 1
      seen.set(finding.fingerprint, times)
      const key = times === 1 ? finding.fingerprint : `${finding.fingerprint}~${times}`
      const tried = isAttacked ? whatWasTried(finding.evidence, listed) : undefined
      return {
        finding,
        listed,
        key,
        tried,
        record: recordOf(finding),
        state: stateOf(finding),
        opinion: opinionOf(said[index]),
      }
    })
  const { aiAnalysis } = scan
  const added = (aiAnalysis?.vulnerabilities ?? []).slice(scan.dataVulnerabilities.length)
  const byModel = added.filter(({ agreement }) => agreement === 'ai')
  // What tries to instruct the model was seen by the engine, and is nothing that counts.
  const attempts = added.filter(({ agreement }) => agreement !== 'ai')
  return [
    ...list(scan.dataVulnerabilities, 'weakness', aiAnalysis?.vulnerabilities),
    ...list(scan.advisories, 'advisory'),
    ...list(scan.suppressed, 'suppressed', aiAnalysis?.suppressed),
    ...list(byModel.map(toFinding), 'model'),
    ...list(attempts.map(toFinding), 'advisory'),
  ]
}

const opinionOf = (entry: OpinionEntry | undefined): Opinion | undefined =>
  entry?.aiVerdict ? { verdict: entry.aiVerdict, reason: entry.aiReason } : undefined

/** An entry that no detector stands behind, as a finding: it names lines and nothing else of the code. */
const toFinding = (entry: OpinionEntry): ViewFinding => ({
  vulnerabilityId: entry.vulnerabilityId ?? undefined,
  name: entry.title,
  title: entry.title,
  severity: entry.severity,
  confidence: entry.confidence,
  detector: '',
  contract: null,
  function: null,
  line: entry.line,
  endLine: entry.endLine,
  message: entry.description,
  recommendation: entry.recommendation,
  references: [],
  cwe: [],
  fingerprint: `model-${entry.line}-${entry.title.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`,
  trace: [],
})

/** The comment that silences one finding, ready to paste above its line. */
export const suppressionHint = (finding: ViewFinding): string =>
  texts.assayIgnoreWhySafe(finding.vulnerabilityId ?? finding.detector)

/** Where in the code a finding stands, in the words of the code: `Vault.withdraw`; empty for one of the file as a whole. */
export const codePlace = ({ contract, function: name }: Pick<ViewFinding, 'contract' | 'function'>): string =>
  [contract, name].filter(Boolean).join('.')

/** Where a finding is, as editors write it: `src/Vault.sol:14`; `home` names the file of a scan of one. */
export const linePlace = ({ file, line }: Pick<ViewFinding, 'file' | 'line'>, home?: string): string =>
  (file ?? home) === undefined ? `line ${line}` : `${file ?? home}:${line}`

/** Everything was analyzed, even where the answer had no room for all that was found. */
export const isReadInFull = ({ completeness, diagnostics }: Pick<ViewScan, 'completeness' | 'diagnostics'>): boolean =>
  completeness === 'full' || (diagnostics?.length ? diagnostics.every(({ code }) => code === 'result-bounded') : false)
