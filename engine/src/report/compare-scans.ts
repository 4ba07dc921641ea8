import type { ScanResult, WireFinding, WireVulnerability } from './wire.ts'

export type BaselineState = 'new' | 'unchanged'

/** What changed since an earlier scan of the same file, by fingerprint. */
export interface Comparison {
  readonly baselineScanId: string
  readonly newCount: number
  readonly unchangedCount: number
  readonly fixedCount: number
  /** The same of `advisories`. */
  readonly advisories: { readonly newCount: number; readonly unchangedCount: number }
  /** Findings of the baseline that are gone; one that a comment now sets aside is not gone. */
  readonly fixed: readonly WireVulnerability[]
}

export interface ComparedScanResult extends ScanResult {
  readonly dataVulnerabilities: readonly (WireVulnerability & { readonly baselineState: BaselineState })[]
  readonly advisories: readonly (WireFinding & { readonly baselineState: BaselineState })[]
  readonly baseline: Comparison
}

/** How many are new and how many were there before. */
export const countByBaseline = (findings: readonly { readonly baselineState: BaselineState }[]) => {
  const newCount = findings.filter(({ baselineState }) => baselineState === 'new').length
  return { newCount, unchangedCount: findings.length - newCount }
}

const fingerprints = (findings: readonly WireFinding[]): Set<string> =>
  new Set(findings.map(({ fingerprint }) => fingerprint))

/** Marks each finding `new` or `unchanged` and lists those fixed. */
export const compareScans = (baseline: ScanResult, current: ScanResult): ComparedScanResult => {
  const known = fingerprints([...baseline.dataVulnerabilities, ...baseline.advisories])
  const remaining = fingerprints([...current.dataVulnerabilities, ...current.suppressed])
  const mark = <T extends WireFinding>(finding: T): T & { readonly baselineState: BaselineState } => ({
    ...finding,
    baselineState: known.has(finding.fingerprint) ? 'unchanged' : 'new',
  })
  const dataVulnerabilities = current.dataVulnerabilities.map(mark)
  const fixed = baseline.dataVulnerabilities.filter(({ fingerprint }) => !remaining.has(fingerprint))
  const advisories = current.advisories.map(mark)
  return {
    ...current,
    dataVulnerabilities,
    advisories,
    baseline: {
      baselineScanId: baseline.scanId,
      ...countByBaseline(dataVulnerabilities),
      advisories: countByBaseline(advisories),
      fixedCount: fixed.length,
      fixed,
    },
  }
}
