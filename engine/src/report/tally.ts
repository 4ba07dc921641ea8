import type { Severity } from '../detectors/define-detector.ts'

/** All findings alike, by severity; what needs review is counted apart. */
export interface Tally {
  /** Findings of both kinds. */
  readonly findings: number
  readonly bySeverity: Readonly<Record<Severity, number>>
  /** How many of them are outside the SWC list: they do not lower the score. */
  readonly outsideSwc: number
  readonly needsReview: number
  readonly suppressed: number
}

interface Found {
  readonly dataVulnerabilities: readonly Counted[]
  readonly advisories: readonly Counted[]
  readonly suppressed: readonly unknown[]
}

/** The engine is not sure enough to call it a finding. */
export const needsReview = ({ kind }: { readonly kind?: string }): boolean => kind === 'review'

interface Counted {
  readonly severity: Severity
  readonly kind?: string
}

export function tallyOf(
  vulnerabilities: readonly Counted[],
  advisories: readonly Counted[],
  suppressed: number,
): Tally {
  const outside = advisories.filter((advisory) => !needsReview(advisory))
  const all = [...vulnerabilities, ...outside]
  const bySeverity = { critical: 0, high: 0, medium: 0, low: 0, info: 0 }
  for (const { severity } of all) bySeverity[severity]++
  return {
    findings: all.length,
    bySeverity,
    outsideSwc: outside.length,
    needsReview: advisories.length - outside.length,
    suppressed,
  }
}

/** Over several results. */
export const tally = (results: readonly Found[]): Tally =>
  tallyOf(
    results.flatMap(({ dataVulnerabilities }) => dataVulnerabilities),
    results.flatMap(({ advisories }) => advisories),
    results.reduce((sum, { suppressed }) => sum + suppressed.length, 0),
  )

/** `2 critical, 3 high`; what there is none of is left out. */
export const severityWords = ({ bySeverity }: Pick<Tally, 'bySeverity'>): string[] =>
  (Object.entries(bySeverity) as [Severity, number][])
    .filter(([, count]) => count > 0)
    .map(([severity, count]) => `${count} ${severity}`)

/** The split beside the counts: `4 outside the SWC list`, `2 need review`, `1 suppressed`. */
export const splitWords = ({ outsideSwc, needsReview: unsure, suppressed }: Tally): string[] => [
  ...(outsideSwc > 0 ? [`${outsideSwc} outside the SWC list`] : []),
  ...(unsure > 0 ? [`${unsure} ${unsure === 1 ? 'needs' : 'need'} review`] : []),
  ...(suppressed > 0 ? [`${suppressed} suppressed`] : []),
]
