import type { Confidence } from '../detectors/define-detector.ts'
import type { Finding, FurtherPlace } from './finding.ts'

const rank: Record<Confidence, number> = { high: 2, medium: 1, low: 0 }

/**
 * One external call is not nine weaknesses because nine functions make it: the surest place stands for all of them, and the
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
    if (group.length < 2) continue
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

/** Findings that share one of their causes, also by way of others. */
const groupBySharing = (
  findings: readonly Finding[],
  causes: ReadonlyMap<Finding, readonly string[]>,
): Iterable<readonly Finding[]> => {
  const leaders = new Map<string, string>()
  const leaderOf = (cause: string): string => {
    let leader = cause
    for (let next = leaders.get(leader); next !== undefined && next !== leader; next = leaders.get(leader))
      leader = next
    leaders.set(cause, leader)
    return leader
  }
  for (const own of causes.values())
    for (const cause of own) {
      const leader = leaderOf(cause)
      leaders.set(leader, leaderOf(own[0]!))
    }
  const groups = new Map<string, Finding[]>()
  for (const finding of findings) {
    const own = causes.get(finding)
    if (own === undefined || own.length === 0) continue
    const leader = leaderOf(own[0]!)
    const group = groups.get(leader)
    if (group === undefined) groups.set(leader, [finding])
    else group.push(finding)
  }
  return groups.values()
}
