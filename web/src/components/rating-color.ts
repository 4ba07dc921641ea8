/** What stands for a rating beside a scan that did not read everything. */
const incomplete = 'Incomplete'

/** The word beside a score: that of its rating only where everything was read. */
export const shownRating = (scan: {
  readonly completeness: string
  readonly message?: string
  readonly securityScore: { readonly rating: string }
}): string =>
  scan.completeness === 'full' && !scan.message?.startsWith(`${incomplete}:`) ? scan.securityScore.rating : incomplete

export function ratingColor(rating: string): string {
  switch (rating) {
    case 'Excellent':
    case 'Good':
      return 'var(--good)'
    case 'Fair':
      return 'var(--medium)'
    case 'Poor':
      return 'var(--high)'
    case incomplete:
      return 'var(--soft)'
    default:
      return 'var(--critical)'
  }
}
