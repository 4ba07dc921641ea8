import { type Severity, severities } from '../components/severities.ts'

/** What a scan found by severity, and how many findings were fixed by then. */
export interface CountedScan {
  scanId: string
  at: string
  bySeverity: Readonly<Record<Severity, number>>
  /** Findings that are not in the SWC list; their severities are not kept with the scan. */
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
}

/** The completed scans of a branch, oldest first; `fixed` are the findings that are gone. */
export function openAndFixed(
  scans: readonly Scan[],
  ref: string | null,
  fixed: readonly { lastSeenAt: string }[],
): CountedScan[] {
  const lastSeen = fixed.map(({ lastSeenAt }) => Date.parse(lastSeenAt))
  return scans
    .flatMap(({ scanId, createdAt, status, ref: own = null, counts }) =>
      status === 'completed' && counts && own === ref
        ? [{ scanId, at: createdAt, bySeverity: counts, outsideSwc: counts.advisories }]
        : [],
    )
    .sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
    .map((scan) => ({
      ...scan,
      total: severities.reduce((sum, severity) => sum + scan.bySeverity[severity], scan.outsideSwc),
      // Last seen before this scan was made, and not by it.
      fixed: lastSeen.filter((seen) => seen < Date.parse(scan.at)).length,
    }))
}
