import type { Advice } from '../advice/index.ts'
import { bySeverity } from './by-severity.ts'
import type { Finding } from './finding.ts'

export interface BestPractices {
  /** What this file should change, the gravest first. */
  readonly recommendations: readonly string[]
  /** What applies to this file, by category; each item begins with `Done:`, `To do:` or `Check:`. */
  readonly checklist: Advice['checklist']
}

/** One line per rule that found something, the gravest first. */
const fromFindings = (findings: readonly Finding[]): string[] => {
  const firsts = new Map<string, Finding>()
  for (const finding of findings)
    if (finding.swc !== null && !firsts.has(finding.detector)) firsts.set(finding.detector, finding)
  return [...firsts.values()].sort(bySeverity).map(({ name, recommendation }) => `${name}: ${recommendation}`)
}

/** What the findings ask for comes first, then what else the file lacks. */
export const toBestPractices = ({ urgent, checklist }: Advice, findings: readonly Finding[]): BestPractices => ({
  recommendations: [...new Set([...fromFindings(findings), ...urgent])],
  checklist,
})
