import { severities } from '../components/severities.ts'
import { compareFindings as texts } from '../messages/compare.ts'
import type { ViewFinding, ViewScan } from '../result/scan-view.ts'

export interface Comparison {
  fresh: ViewFinding[]
  fixed: ViewFinding[]
  /** Gone from the findings because a comment set them aside, not because they were fixed. */
  suppressed: ViewFinding[]
  /** Still there, and someone decided not to work on them. */
  decided: ViewFinding[]
  same: ViewFinding[]
}

/** What changed between two scans, by fingerprint: it survives edits elsewhere in the file. */
export function compareFindings(
  before: ViewScan,
  after: ViewScan,
  isDecided: (finding: ViewFinding) => boolean = () => false,
): Comparison {
  const [old, now] = [findingsOf(before), findingsOf(after)]
  const known = fingerprints(old)
  const kept = fingerprints(now)
  const setAside = fingerprints(after.suppressed)
  const gone = old.filter(({ fingerprint }) => !kept.has(fingerprint))
  const open = now.filter((finding) => !isDecided(finding))
  return {
    fresh: mostSevereFirst(open.filter(({ fingerprint }) => !known.has(fingerprint))),
    fixed: mostSevereFirst(gone.filter(({ fingerprint }) => !setAside.has(fingerprint))),
    suppressed: mostSevereFirst(gone.filter(({ fingerprint }) => setAside.has(fingerprint))),
    decided: mostSevereFirst(now.filter(isDecided)),
    same: mostSevereFirst(open.filter(({ fingerprint }) => known.has(fingerprint))),
  }
}

/** All of them: those outside the SWC list are findings too. */
export const findingsOf = ({ dataVulnerabilities, advisories }: ViewScan): ViewFinding[] => [
  ...dataVulnerabilities,
  ...advisories,
]

/** Within a severity in the order of the scan: file by file, line by line. */
const mostSevereFirst = (findings: readonly ViewFinding[]): ViewFinding[] =>
  [...findings].sort((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity))

/** The same in one line. */
export function comparisonWords({ fresh, fixed, suppressed, decided, same }: Comparison): string {
  const parts = [
    `${fresh.length} new`,
    `${fixed.length} fixed`,
    suppressed.length > 0 && texts.suppressedComment(suppressed.length),
    decided.length > 0 && `${decided.length} dismissed`,
    `${same.length} unchanged`,
  ]
  return parts.filter(Boolean).join(', ')
}

const fingerprints = (findings: readonly ViewFinding[]): Set<string> =>
  new Set(findings.map(({ fingerprint }) => fingerprint))

interface Candidate {
  scanId: string
  fileName: string
  status: string
  project?: string | null
}

/** The scan of the same file and project before this one that has a result; `scans` come newest first. */
export function previousScan<T extends Candidate>(scans: readonly T[], scanId: string): T | undefined {
  const at = scans.findIndex((scan) => scan.scanId === scanId)
  if (at < 0) return undefined
  const { fileName, project = null } = scans[at] as T
  return scans
    .slice(at + 1)
    .find((scan) => scan.fileName === fileName && (scan.project ?? null) === project && scan.status === 'completed')
}
