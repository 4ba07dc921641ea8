import type { Severity } from './severity.tsx'

/**
 * What the result pages read of a scan. The service's answer and the engine's own result in the playground
 * both have at least this, so one view serves both.
 */
export interface ViewStep {
  line: number
  endLine: number
  message: string
}

export interface ViewFinding {
  vulnerabilityId?: string | undefined
  name: string
  title: string
  severity: Severity
  confidence: string
  detector: string
  contract: string | null
  function: string | null
  line: number
  column: number
  endLine: number
  message: string
  recommendation: string
  references: readonly string[]
  cwe: readonly string[]
  fingerprint: string
  trace: readonly ViewStep[]
}

export interface ViewScan {
  message: string
  vulnerabilitiesCount: number
  dataVulnerabilities: readonly ViewFinding[]
  advisories: readonly ViewFinding[]
  suppressed: readonly ViewFinding[]
  parseErrors: readonly { line: number; message: string }[]
  completeness: string
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

export type Listed = 'weakness' | 'advisory' | 'suppressed'

export interface ListedFinding {
  finding: ViewFinding
  listed: Listed
  key: string
}

export function listFindings(scan: ViewScan): ListedFinding[] {
  const list = (findings: readonly ViewFinding[], listed: Listed) =>
    findings.map((finding, index) => ({ finding, listed, key: `${listed}-${index}-${finding.fingerprint}` }))
  return [
    ...list(scan.dataVulnerabilities, 'weakness'),
    ...list(scan.advisories, 'advisory'),
    ...list(scan.suppressed, 'suppressed'),
  ]
}

/** The comment that silences one finding, ready to paste above its line. */
export const suppressionHint = (finding: ViewFinding): string =>
  `// assay-ignore ${finding.vulnerabilityId ?? finding.detector}: why this is safe here`
