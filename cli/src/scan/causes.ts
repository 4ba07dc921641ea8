import type { Severity } from '@assay/engine'
import { isAboutFile, isHousekeeping } from '@assay/engine/results'
import { isScanned, type Outcome, type Shown } from './outcome.ts'

/** A finding in its file. */
export interface Located {
  readonly path: string
  readonly text: string
  readonly finding: Shown
  readonly isAdvisory: boolean
}

/** A finding with all its places. */
export interface Cause {
  readonly first: Located
  readonly places: readonly { readonly path: string; readonly line: number; readonly column: number }[]
  /** About files as such, where more than one has it. */
  readonly isProjectWide: boolean
}

/** The causes of one detector. */
export interface Kind {
  readonly detector: string
  readonly finding: Shown
  readonly isAdvisory: boolean
  readonly causes: readonly Cause[]
}

const severities: readonly Severity[] = ['critical', 'high', 'medium', 'low', 'info']
const confidences: readonly string[] = ['high', 'medium', 'low']

export const rankOf = (severity: Severity): number => severities.length - 1 - severities.indexOf(severity)
export const confidenceRankOf = (confidence: string): number => confidences.length - 1 - confidences.indexOf(confidence)

export const locate = (outcomes: readonly Outcome[]): Located[] =>
  outcomes
    .filter(isScanned)
    .flatMap(({ path, text, result }) => [
      ...result.dataVulnerabilities.map((finding) => ({ path, text, finding, isAdvisory: false })),
      ...result.advisories.map((finding) => ({ path, text, finding, isAdvisory: true })),
    ])

/** The most severe first, what needs review after the findings, housekeeping last. */
export const findCauses = (located: readonly Located[]): Cause[] =>
  located.map(toCause).sort((a, b) => byGravity(a.first, b.first))

const toCause = (first: Located): Cause => {
  const { path, finding } = first
  const further = (finding.places ?? []).map(({ file, line, column }) => ({ path: file ?? path, line, column }))
  return {
    first,
    places: [{ path, line: finding.line, column: finding.column }, ...further],
    isProjectWide: isAboutFile(finding) && further.some((place) => place.path !== path),
  }
}

export const byGravity = (a: Located, b: Located): number =>
  Number(isHousekeeping(a.finding)) - Number(isHousekeeping(b.finding)) ||
  Number(a.finding.kind === 'review') - Number(b.finding.kind === 'review') ||
  rankOf(b.finding.severity) - rankOf(a.finding.severity) ||
  Number(a.isAdvisory) - Number(b.isAdvisory) ||
  confidenceRankOf(b.finding.confidence) - confidenceRankOf(a.finding.confidence)

/** Causes by detector and title, in the order of the most severe of each. */
export const groupByKind = (causes: readonly Cause[]): Kind[] => groupBy(causes, kindOf)

/** The same once per severity, so that the counts of a severity add up. */
export const groupByKindAndSeverity = (causes: readonly Cause[]): Kind[] =>
  groupBy(causes, (cause) => `${kindOf(cause)}\0${cause.first.finding.severity}`)

/** What is only for review is another matter than what is reported for sure. */
const kindOf = ({ first: { finding } }: Cause): string => `${finding.detector}\0${finding.title}\0${finding.kind}`

function groupBy(causes: readonly Cause[], keyOf: (cause: Cause) => string): Kind[] {
  const kinds = new Map<string, Cause[]>()
  for (const cause of causes) {
    const key = keyOf(cause)
    const group = kinds.get(key)
    if (group) group.push(cause)
    else kinds.set(key, [cause])
  }
  return [...kinds.values()].map((group) => {
    const { finding, isAdvisory } = (group[0] as Cause).first
    return { detector: finding.detector, finding, isAdvisory, causes: group }
  })
}
