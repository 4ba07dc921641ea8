import type { Severity } from '../detectors/define-detector.ts'
import { byPriority } from './housekeeping.ts'
import { type SecurityScore, scoreFindings } from './security-score.ts'
import { needsReview, tally } from './tally.ts'
import type { ScanResult, WireFinding } from './wire.ts'

/** A file that was requested and has no result. */
export interface NotScanned {
  readonly path: string
  readonly error: string
}

/** One row of a project's table: all findings of one detector. */
export interface KindRow {
  readonly severity: Severity
  /** The SWC number, `needs review`, or empty outside the SWC list. */
  readonly id: string
  readonly title: string
  readonly places: number
  readonly files: number
}

type Listed = WireFinding & { readonly vulnerabilityId?: string; readonly file: string }

/** All findings as one list: the most severe first, housekeeping last. What needs review is a list of its own. */
export const findingsOf = (results: readonly ScanResult[]): Listed[] => listed(results, (one) => !needsReview(one))

export const reviewsOf = (results: readonly ScanResult[]): Listed[] => listed(results, needsReview)

const listed = (results: readonly ScanResult[], isWanted: (finding: WireFinding) => boolean): Listed[] =>
  results
    .flatMap(({ file, dataVulnerabilities, advisories }) =>
      [...dataVulnerabilities, ...advisories].filter(isWanted).map((finding) => ({ ...finding, file })),
    )
    .sort(byPriority)

/** What was found by rule, in the order of the list. */
export const kindsOf = (results: readonly ScanResult[]): KindRow[] => {
  const groups = new Map<string, Listed[]>()
  for (const finding of [...findingsOf(results), ...reviewsOf(results)]) {
    const key = `${finding.kind ?? ''} ${finding.detector} ${finding.title}`
    const group = groups.get(key)
    if (group) group.push(finding)
    else groups.set(key, [finding])
  }
  return [...groups.values()].map((group) => {
    const first = group[0]!
    const places = group.flatMap(({ file, places = [] }) => [file, ...places.map((place) => place.file ?? file)])
    return {
      severity: first.severity,
      id: needsReview(first) ? 'needs review' : (first.vulnerabilityId ?? ''),
      title: first.title,
      places: places.length,
      files: new Set(places).size,
    }
  })
}

/** What was found in one file, in words; what there is none of is left out. */
export const countWords = (result: ScanResult): string => {
  const { findings, needsReview: unsure } = tally([result])
  return (
    [
      ...(findings > 0 ? [`${findings} ${findings === 1 ? 'finding' : 'findings'}`] : []),
      ...(unsure > 0 ? [`${unsure} ${unsure === 1 ? 'needs' : 'need'} review`] : []),
      ...(result.suppressed.length > 0 ? [`${result.suppressed.length} dismissed`] : []),
    ].join(', ') || 'no findings'
  )
}

/** Beside the score of the scan, which counts every finding. */
export const withoutDismissed = (score: number): string => `${score} without the dismissed findings`

/** The score over a project whose causes were joined. */
export const projectScore = (results: readonly ScanResult[]): SecurityScore =>
  scoreFindings(results.flatMap(({ dataVulnerabilities }) => dataVulnerabilities))
