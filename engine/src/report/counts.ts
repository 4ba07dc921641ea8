import type { Severity } from '../detectors/define-detector.ts'

/** Everything that was found, the uncounted kinds too. */
export interface Counts {
  readonly critical: number
  readonly high: number
  readonly medium: number
  readonly low: number
  readonly info: number
  readonly advisories: number
  readonly suppressed: number
}

interface Found {
  readonly findings: readonly { readonly severity: Severity }[]
  readonly advisories: readonly unknown[]
  readonly suppressed: readonly unknown[]
}

export function countFindings({ findings, advisories, suppressed }: Found): Counts {
  const of = (severity: Severity): number => findings.filter((finding) => finding.severity === severity).length
  return {
    critical: of('critical'),
    high: of('high'),
    medium: of('medium'),
    low: of('low'),
    info: of('info'),
    advisories: advisories.length,
    suppressed: suppressed.length,
  }
}
