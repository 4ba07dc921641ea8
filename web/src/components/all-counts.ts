import type { Severity } from './severities.ts'

type BySeverity = Readonly<Record<Severity, number>>

interface Counted {
  readonly tally?: { readonly bySeverity: BySeverity } | null | undefined
  readonly counts?: (BySeverity & { readonly advisories: number }) | null | undefined
}

/** All findings of a scan by severity. Older scans kept the severities of the SWC list only: their others are `advisories`. */
export const allCounts = ({ tally, counts }: Counted): (BySeverity & { readonly advisories: number }) | null =>
  tally ? { ...tally.bySeverity, advisories: 0 } : (counts ?? null)

/** How many critical and high findings a scan has. */
export function severeIn(scan: Counted): number {
  const counts = allCounts(scan)
  return counts ? counts.critical + counts.high : 0
}
