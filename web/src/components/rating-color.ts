/** What stands for a rating beside a scan that did not read everything. */
const incomplete = 'Incomplete'

/** What stands for praise where a critical or high finding is open. */
const atRisk = 'At-risk'

const isPraise = (rating: string): boolean => rating === 'Excellent' || rating === 'Good'

/** The word beside a score: that of its rating only where everything was read, and no praise beside `severe` open findings. */
export const shownRating = (
  scan: {
    readonly completeness: string
    readonly message?: string
    readonly securityScore: { readonly rating: string }
  },
  severe: number,
): string =>
  scan.completeness === 'full' && !scan.message?.startsWith(`${incomplete}:`)
    ? ratingBeside(scan.securityScore.rating, severe)
    : incomplete

/** Open findings that are critical or high contradict praise. */
export const ratingBeside = (rating: string, severe: number): string =>
  severe > 0 && isPraise(rating) ? atRisk : rating

export function ratingColor(rating: string): string {
  switch (rating) {
    case 'Excellent':
    case 'Good':
      return 'var(--good)'
    case 'Fair':
      return 'var(--medium)'
    case 'Poor':
    case atRisk:
      return 'var(--high)'
    case incomplete:
      return 'var(--soft)'
    default:
      return 'var(--critical)'
  }
}
