/** What stands for a rating beside a scan that did not read everything. */
const incomplete = 'Incomplete'

const reassuring: ReadonlySet<string> = new Set(['Excellent', 'Good', 'Fair'])

/** The word beside a score: that of its rating only where everything was read, and none where `severe` open findings say more. */
export const shownRating = (
  scan: {
    readonly completeness: string
    readonly message?: string
    readonly securityScore: { readonly rating: string }
  },
  severe: number,
): string | null =>
  scan.completeness === 'full' && !scan.message?.startsWith(`${incomplete}:`)
    ? ratingBeside(scan.securityScore.rating, severe)
    : incomplete

/** Null: open findings that are critical or high contradict a word that reassures, and decide in its place. */
const ratingBeside = (rating: string, severe: number): string | null =>
  severe > 0 && reassuring.has(rating) ? null : rating

/** Of a scan in the course of a project; `severe`: how many severe findings are open, where that is known. */
export const ratingOf = (
  point: {
    readonly rating: string
    readonly completeness: string
    readonly critical: number
    readonly high: number
    readonly tally?: { readonly bySeverity: { readonly critical: number; readonly high: number } } | null | undefined
  },
  severe = (point.tally?.bySeverity ?? point).critical + (point.tally?.bySeverity ?? point).high,
): string | null => shownRating({ completeness: point.completeness, securityScore: point }, severe)

export function ratingColor(rating: string | null): string {
  switch (rating) {
    case 'Excellent':
    case 'Good':
      return 'var(--good)'
    case 'Fair':
      return 'var(--medium)'
    case 'Poor':
    case null:
      return 'var(--high)'
    case incomplete:
      return 'var(--soft)'
    default:
      return 'var(--critical)'
  }
}
