import type { Rating, Severity } from '@assay/engine'
import { projectScore } from '@assay/engine/results'
import { locate } from './causes.ts'
import { isScanned, type ProjectScan } from './outcome.ts'

export interface Totals {
  readonly files: number
  readonly lines: number
  readonly notScanned: number
  readonly findings: number
  readonly advisories: number
  readonly suppressed: number
  readonly bySeverity: Readonly<Record<Severity, number>>
  /** Over the whole project: each cause deducts once. */
  readonly score: number
  readonly rating: Rating
}

/** The figures over all files. */
export function totalsOf({ outcomes }: ProjectScan): Totals {
  const scanned = outcomes.filter(isScanned)
  const located = locate(outcomes)
  const { score, rating } = projectScore(scanned.map(({ result }) => result))
  const bySeverity = { critical: 0, high: 0, medium: 0, low: 0, info: 0 }
  for (const { finding, isAdvisory } of located) if (!isAdvisory) bySeverity[finding.severity]++
  return {
    files: scanned.length,
    lines: scanned.reduce((sum, { text }) => sum + countLines(text), 0),
    notScanned: outcomes.length - scanned.length,
    findings: located.filter(({ isAdvisory }) => !isAdvisory).length,
    advisories: located.filter(({ isAdvisory }) => isAdvisory).length,
    suppressed: scanned.reduce((sum, { result }) => sum + result.suppressed.length, 0),
    bySeverity,
    score,
    rating,
  }
}

const countLines = (text: string): number => text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
