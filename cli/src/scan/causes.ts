import type { Severity } from '@assay/engine'
import { isScanned, type Outcome, type Shown } from './outcome.ts'

/** A finding in its file. */
export interface Located {
  readonly path: string
  readonly text: string
  readonly finding: Shown
  readonly isAdvisory: boolean
}

/** One cause with all its places: a pragma that forty files share is one matter, not forty. */
export interface Cause {
  readonly first: Located
  readonly places: readonly Located[]
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

/** The gravest first: by severity, weaknesses before advisories, then by confidence and place. */
export function findCauses(located: readonly Located[]): Cause[] {
  const groups = new Map<string, Located[]>()
  for (const item of located) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  const spread = filesOfEach(located)
  return [...groups.values()].map((places) => toCause(places, spread)).sort((a, b) => byGravity(a.first, b.first))
}

const isAboutFile = ({ finding }: Located): boolean => finding.contract === null && finding.function === null

/** Equal text outside of contracts has one cause; copies of a function have the same fingerprint. */
const keyOf = (item: Located): string =>
  isAboutFile(item)
    ? `${item.finding.detector}\0${item.finding.snippet.trim()}`
    : `${item.finding.detector}\0${item.finding.fingerprint}`

/** In how many files each detector has something to say. */
function filesOfEach(located: readonly Located[]): Map<string, number> {
  const files = new Map<string, Set<string>>()
  for (const { path, finding } of located) {
    const paths = files.get(finding.detector)
    if (paths) paths.add(path)
    else files.set(finding.detector, new Set([path]))
  }
  return new Map([...files].map(([detector, paths]) => [detector, paths.size]))
}

const toCause = (places: readonly Located[], spread: ReadonlyMap<string, number>): Cause => {
  const first = places[0] as Located
  const isProjectWide = isAboutFile(first) && (spread.get(first.finding.detector) ?? 0) > 1
  return { first, places, isProjectWide }
}

export const byGravity = (a: Located, b: Located): number =>
  rankOf(b.finding.severity) - rankOf(a.finding.severity) ||
  Number(a.isAdvisory) - Number(b.isAdvisory) ||
  confidenceRankOf(b.finding.confidence) - confidenceRankOf(a.finding.confidence)

/** Causes by detector, in the order of the gravest of each. */
export function groupByKind(causes: readonly Cause[]): Kind[] {
  const kinds = new Map<string, Cause[]>()
  for (const cause of causes) {
    const { finding, isAdvisory } = cause.first
    // What is only for review is another matter than what is reported for sure.
    const key = `${finding.detector}\0${isAdvisory}`
    const group = kinds.get(key)
    if (group) group.push(cause)
    else kinds.set(key, [cause])
  }
  return [...kinds.values()].map((group) => {
    const { finding, isAdvisory } = (group[0] as Cause).first
    return { detector: finding.detector, finding, isAdvisory, causes: group }
  })
}
