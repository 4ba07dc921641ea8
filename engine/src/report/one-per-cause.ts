import type { Confidence } from '../detectors/define-detector.ts'
import type { Finding, FurtherPlace } from './finding.ts'

const rank: Record<Confidence, number> = { high: 2, medium: 1, low: 0 }

/**
 * One external call is not nine vulnerabilities because nine functions make it: the surest place stands for all of them, and the
 * others are named with it. Comments have been read by then: one of them sets a place aside, not its cause.
 */
export const onePerCause = (
  findings: readonly Finding[],
  causes: ReadonlyMap<Finding, readonly string[]>,
): readonly Finding[] => {
  if (causes.size < 2) return findings
  const groups = groupBySharing(findings, causes)
  const joined = new Map<Finding, Finding | null>()
  for (const group of groups) {
    const first = group.reduce((best, next) => (rank[next.confidence] > rank[best.confidence] ? next : best))
    for (const finding of group) joined.set(finding, null)
    const elsewhere = group.filter((finding) => finding.line !== first.line)
    joined.set(first, elsewhere.length === 0 ? first : { ...first, places: elsewhere.map(placeOf) })
  }
  return joined.size === 0
    ? findings
    : findings.flatMap((finding) => joined.get(finding) ?? (joined.has(finding) ? [] : finding))
}

const placeOf = ({ line, column, endLine, endColumn }: Finding): FurtherPlace => ({ line, column, endLine, endColumn })

/**
 * Findings that have one cause in common, all of them: what fixes that fixes the whole group. The first causes join first; the next
 * ones join only what was left alone.
 */
function* groupBySharing(
  findings: readonly Finding[],
  causes: ReadonlyMap<Finding, readonly string[]>,
): Iterable<readonly Finding[]> {
  let alone = findings
  for (let nth = 0; alone.length > 1; nth++) {
    const groups = new Map<string, Finding[]>()
    for (const finding of alone) {
      const cause = causes.get(finding)?.[nth]
      if (cause === undefined) continue
      const group = groups.get(cause)
      if (group === undefined) groups.set(cause, [finding])
      else group.push(finding)
    }
    const left: Finding[] = []
    for (const group of groups.values())
      if (group.length > 1) yield group
      else left.push(...group)
    alone = left
  }
}
