import { type Severity, severities } from '../components/severities.ts'
import type { ViewFinding, ViewScan } from '../result/scan-view.ts'

export interface LineMark {
  line: number
  severity: Severity
  label: string
}

/** One mark a line, of the most severe that stands there; advisories count too, what comments set aside does not. */
export function marksOf({
  dataVulnerabilities,
  advisories,
}: Pick<ViewScan, 'dataVulnerabilities' | 'advisories'>): LineMark[] {
  const lines = new Map<number, ViewFinding[]>()
  for (const finding of [...dataVulnerabilities, ...advisories])
    lines.set(finding.line, [...(lines.get(finding.line) ?? []), finding])
  return [...lines]
    .map(([line, findings]) => ({
      line,
      severity: worst(findings),
      label: findings.map(({ title }) => title).join('; '),
    }))
    .sort((a, b) => a.line - b.line)
}

const worst = (findings: readonly ViewFinding[]): Severity =>
  severities.find((severity) => findings.some((finding) => finding.severity === severity)) ?? 'info'
