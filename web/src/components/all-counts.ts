import { openCounts } from './rating-color.ts'
import type { Severity } from './severities.ts'

type BySeverity = Readonly<Record<Severity, number>>

interface Counted {
  readonly tally?: { readonly bySeverity: BySeverity } | null | undefined
  readonly counts?: (BySeverity & { readonly advisories: number }) | null | undefined
}

/** All findings of a scan by severity. Older scans kept the severities of the SWC list only: their others are `advisories`. */
export const allCounts = ({ tally, counts }: Counted): (BySeverity & { readonly advisories: number }) | null =>
  tally ? { ...tally.bySeverity, advisories: 0 } : (counts ?? null)

/** What decides on the word beside its score. */
export const openIn = (scan: Counted) => openCounts(allCounts(scan) ?? { critical: 0, high: 0, medium: 0 })
