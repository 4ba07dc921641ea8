import type { Severity } from '../detectors/define-detector.ts'
import { bySeverity } from './by-severity.ts'
import { isPartlyUnread, type SecurityScore, scoreFindings } from './security-score.ts'
import type { ScanResult, WireFinding } from './wire.ts'

/** A file that was asked for and has no result. */
export interface NotScanned {
  readonly path: string
  readonly error: string
}

/** One row of a project's table: all findings of one detector. */
export interface KindRow {
  readonly severity: Severity
  /** The SWC number, or `advisory`. */
  readonly id: string
  readonly title: string
  readonly places: number
  readonly files: number
}

type Located = WireFinding & { readonly vulnerabilityId?: string; readonly file: string }

const locate = (results: readonly ScanResult[]): Located[] =>
  results.flatMap(({ file, dataVulnerabilities, advisories }) =>
    [...dataVulnerabilities, ...advisories].map((finding) => ({ ...finding, file })),
  )

/** What was found by kind: weaknesses before advisories, the gravest first. */
export const kindsOf = (results: readonly ScanResult[]): KindRow[] => {
  const groups = new Map<string, Located[]>()
  for (const finding of locate(results)) {
    const key = `${finding.vulnerabilityId ?? ''} ${finding.detector}`
    const group = groups.get(key)
    if (group) group.push(finding)
    else groups.set(key, [finding])
  }
  return [...groups.values()]
    .map((group) => ({ group, first: [...group].sort(bySeverity)[0] as Located }))
    .sort((a, b) => Number(!a.first.vulnerabilityId) - Number(!b.first.vulnerabilityId) || bySeverity(a.first, b.first))
    .map(({ group, first }) => ({
      severity: first.severity,
      id: first.vulnerabilityId ?? 'advisory',
      title: first.title,
      places: group.length,
      files: new Set(group.map(({ file }) => file)).size,
    }))
}

/** What was found in one file, in words; what there is none of is left out. */
export const countWords = ({ dataVulnerabilities, advisories }: ScanResult): string =>
  [
    ...(dataVulnerabilities.length > 0 ? [counted(dataVulnerabilities.length, 'finding', 'findings')] : []),
    ...(advisories.length > 0 ? [counted(advisories.length, 'advisory', 'advisories')] : []),
  ].join(', ') || 'nothing found'

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`

/** The score over a project: what many files share, as a pragma, deducts once. */
export const projectScore = (results: readonly ScanResult[]): SecurityScore => {
  const causes = new Map<string, WireFinding>()
  for (const { file, dataVulnerabilities } of results)
    for (const finding of dataVulnerabilities) {
      const isAboutFile = finding.contract === null && finding.function === null
      const key = `${finding.detector} ${isAboutFile ? finding.snippet.trim() : finding.fingerprint}`
      if (!causes.has(key)) causes.set(key, { ...finding, file })
    }
  return scoreFindings([...causes.values()], results.some(isPartlyUnread))
}
