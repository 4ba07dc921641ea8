import type { Severity } from '../detectors/define-detector.ts'

export type Rating = 'Excellent' | 'Good' | 'Fair' | 'Poor' | 'Critical'

export interface SecurityScore {
  readonly score: number
  readonly rating: Rating
  /** `total` counts every finding, also `info`, so it can exceed the sum of the four. */
  readonly summary: {
    readonly total: number
    readonly critical: number
    readonly high: number
    readonly medium: number
    readonly low: number
  }
}

export const deductions: Readonly<Record<Severity, number>> = { critical: 20, high: 10, medium: 5, low: 2, info: 1 }

/** Lowest score of each band, best first. */
export const ratingBands: readonly { readonly from: number; readonly rating: Rating }[] = [
  { from: 90, rating: 'Excellent' },
  { from: 75, rating: 'Good' },
  { from: 60, rating: 'Fair' },
  { from: 40, rating: 'Poor' },
  { from: 0, rating: 'Critical' },
]

export const rate = (score: number): Rating => ratingBands.find(({ from }) => score >= from)?.rating ?? 'Critical'

const reassuring: ReadonlySet<Rating> = new Set(['Excellent', 'Good', 'Fair'])

/** The word beside a score, for people: none that reassures beside a critical or high finding, which decides first, and no `Excellent` beside a medium one. */
export const shownRating = (
  rating: Rating,
  { critical, high, medium }: Readonly<Pick<Record<Severity, number>, 'critical' | 'high' | 'medium'>>,
): Rating | null =>
  (critical + high > 0 && reassuring.has(rating)) || (medium > 0 && rating === 'Excellent') ? null : rating

export const scoreFindings = (findings: readonly { readonly severity: Severity }[]): SecurityScore => {
  const counts: Record<Severity, number> = { critical: 0, high: 0, medium: 0, low: 0, info: 0 }
  let deducted = 0
  for (const { severity } of findings) {
    counts[severity] += 1
    deducted += deductions[severity]
  }
  const score = Math.max(0, 100 - deducted)
  const { critical, high, medium, low } = counts
  return { score, rating: rate(score), summary: { total: findings.length, critical, high, medium, low } }
}

/** Something was not read or not analyzed to its end: the text, or a function that was too large, or by a detector that failed. */
export const isPartlyUnread = ({
  parseErrors,
  diagnostics,
}: {
  readonly parseErrors: readonly unknown[]
  readonly diagnostics: readonly { readonly code: string }[]
}): boolean => parseErrors.length > 0 || diagnostics.some(({ code }) => cutCodes.has(code))

const cutCodes: ReadonlySet<string> = new Set(['detector-failed', 'budget-exhausted', 'not-reached'])
