import type { Rating, Severity } from '@assay/engine'
import { projectScore, tally } from '@assay/engine/results'
import { isScanned, type ProjectScan } from './outcome.ts'

export interface Totals {
  readonly files: number
  readonly lines: number
  readonly notScanned: number
  /** All findings, those outside the SWC list among them; what needs review is counted apart. */
  readonly findings: number
  readonly bySeverity: Readonly<Record<Severity, number>>
  /** Findings with an SWC number: these alone lower the score. */
  readonly vulnerabilities: number
  /** Findings outside the SWC list. */
  readonly advisories: number
  readonly needsReview: number
  readonly suppressed: number
  readonly score: number
  readonly rating: Rating
}

/** The figures over all files. */
export function totalsOf({ outcomes }: ProjectScan): Totals {
  const scanned = outcomes.filter(isScanned)
  const results = scanned.map(({ result }) => result)
  const { findings, bySeverity, outsideSwc, needsReview, suppressed } = tally(results)
  const { score, rating } = projectScore(results)
  return {
    files: scanned.length,
    lines: scanned.reduce((sum, { text }) => sum + countLines(text), 0),
    notScanned: outcomes.length - scanned.length,
    findings,
    bySeverity,
    vulnerabilities: findings - outsideSwc,
    advisories: outsideSwc,
    needsReview,
    suppressed,
    score,
    rating,
  }
}

const countLines = (text: string): number => text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
