import type { Severity } from '../components/severities.ts'
import { isSetAside } from './decisions.ts'
import type { ListedFinding } from './scan-view.ts'

/** What a finding of the SWC list costs. */
export const deductions: Readonly<Record<Severity, number>> = { critical: 20, high: 10, medium: 5, low: 2, info: 1 }

/** The score without what was dismissed; null where that is the score of the scan, which counts every finding. */
export function scoreWithout(all: readonly ListedFinding[], score: number): number | null {
  const left = all.filter((item) => item.listed === 'weakness' && !isSetAside(item))
  const without = Math.max(
    0,
    left.reduce((rest, { finding }) => rest - deductions[finding.severity], 100),
  )
  return without === score ? null : without
}
