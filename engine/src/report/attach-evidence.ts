import type { Evidence } from './evidence.ts'
import type { ScanResult, WireAdvisory, WireVulnerability } from './wire.ts'

/** What the prover tries, in this order: vulnerabilities, then advisories. */
export const provableFindings = ({
  dataVulnerabilities,
  advisories,
}: Pick<ScanResult, 'dataVulnerabilities' | 'advisories'>): readonly (WireVulnerability | WireAdvisory)[] => [
  ...dataVulnerabilities,
  ...advisories,
]

/** Puts evidence on the findings of a result, in the order of `provableFindings`; nothing else of the result changes. */
export const attachEvidence = (result: ScanResult, evidence: readonly (Evidence | undefined)[]): ScanResult => {
  const attach = <T extends WireVulnerability | WireAdvisory>(findings: readonly T[], first: number): T[] =>
    findings.map((finding, index) => {
      const own = evidence[first + index]
      return own ? { ...finding, evidence: own } : finding
    })
  return {
    ...result,
    dataVulnerabilities: attach(result.dataVulnerabilities, 0),
    advisories: attach(result.advisories, result.dataVulnerabilities.length),
  }
}
