/** What stands for a rating beside a scan that did not read everything. */
const incomplete = 'Incomplete'

type BySeverity = Readonly<Record<'critical' | 'high' | 'medium', number>>

/** Open findings beside a rating; `severe`: critical and high. */
interface OpenCounts {
  readonly critical: number
  readonly severe: number
  readonly medium: number
}

export const openCounts = ({ critical, high, medium }: BySeverity): OpenCounts => ({
  critical,
  severe: critical + high,
  medium,
})

const reassuring: ReadonlySet<string> = new Set(['Excellent', 'Good', 'Fair'])

/** The word beside a score: that of its rating only where everything was read, and none where open findings say otherwise. */
export const shownRating = (
  scan: {
    readonly completeness: string
    readonly message?: string
    readonly securityScore: { readonly rating: string }
  },
  open: OpenCounts,
): string | null =>
  scan.completeness === 'full' && !scan.message?.startsWith(`${incomplete}:`)
    ? ratingBeside(scan.securityScore.rating, open)
    : incomplete

/** Null: open findings contradict the word. Severe ones one that reassures, medium ones the best, and `Critical` is the name of a severity. */
const ratingBeside = (rating: string, { critical, severe, medium }: OpenCounts): string | null => {
  if (rating === 'Critical') return critical > 0 ? rating : null
  return (severe > 0 && reassuring.has(rating)) || (medium > 0 && rating === 'Excellent') ? null : rating
}

/** Of a scan in the course of a project; `open`: how many findings are open, where that is known. */
export const ratingOf = (
  point: {
    readonly rating: string
    readonly completeness: string
    readonly critical: number
    readonly high: number
    readonly tally?: { readonly bySeverity: BySeverity } | null | undefined
  },
  open = openCounts(point.tally?.bySeverity ?? { critical: point.critical, high: point.high, medium: 0 }),
): string | null => shownRating({ completeness: point.completeness, securityScore: point }, open)

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
