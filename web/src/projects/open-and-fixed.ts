import { allCounts } from '../components/all-counts.ts'
import { type Severity, severities } from '../components/severities.ts'

/** What a scan found by severity, and how many findings were fixed by then. */
export interface CountedScan {
  scanId: string
  at: string
  bySeverity: Readonly<Record<Severity, number>>
  /** Of an older scan: findings that are not in the SWC list, whose severities it did not keep. */
  outsideSwc: number
  total: number
  fixed: number
}

interface Scan {
  scanId: string
  createdAt: string
  status: string
  ref?: string | null
  counts?: Readonly<Record<Severity | 'advisories', number>> | null | undefined
  tally?: { readonly bySeverity: Readonly<Record<Severity, number>> } | null | undefined
}

/** The completed scans of a branch, oldest first; `fixed` are the findings that are gone. */
export function openAndFixed(
  scans: readonly Scan[],
  ref: string | null,
  fixed: readonly { lastSeenAt: string }[],
): CountedScan[] {
  const lastSeen = fixed.map(({ lastSeenAt }) => Date.parse(lastSeenAt))
  return scans
    .flatMap(({ scanId, createdAt, status, ref: own = null, ...scan }) => {
      const counts = status === 'completed' && own === ref ? allCounts(scan) : null
      return counts ? [{ scanId, at: createdAt, bySeverity: counts, outsideSwc: counts.advisories }] : []
    })
    .sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
    .map((scan) => ({
      ...scan,
      total: severities.reduce((sum, severity) => sum + scan.bySeverity[severity], scan.outsideSwc),
      // Last seen before this scan was made, and not by it.
      fixed: lastSeen.filter((seen) => seen < Date.parse(scan.at)).length,
    }))
}
