import { type Severity, severities } from '../components/severities.ts'
import { isSetAside } from './decisions.ts'
import type { ListedFinding } from './scan-view.ts'

export interface Tally {
  open: number
  /** Of the open ones, the most severe first, without those that have none. */
  bySeverity: [Severity, number][]
  /** Less sure than findings: counted apart. */
  needsReview: number
  dismissed: number
  fixed: number
}

/** What is left to work on; what comments suppress is not in it. `found`: how many there are of each severity, where not all of them are listed. */
export function tallyOf(all: readonly ListedFinding[], found?: Readonly<Record<Severity, number>>): Tally {
  const listed = all.filter((item) => item.listed !== 'suppressed')
  const undecided = listed.filter((item) => !isSetAside(item) && item.state !== 'fixed')
  const open = undecided.filter(({ finding }) => finding.kind !== 'review')
  const sure = listed.filter(({ finding }) => finding.kind !== 'review')
  const counts = severities.map((severity): [Severity, number] => {
    const countIn = (items: readonly ListedFinding[]) =>
      items.filter(({ finding }) => finding.severity === severity).length
    const unlisted = found ? found[severity] - countIn(sure) : 0
    return [severity, countIn(open) + Math.max(0, unlisted)]
  })
  return {
    open: counts.reduce((sum, [, count]) => sum + count, 0),
    bySeverity: counts.filter(([, count]) => count > 0),
    needsReview: undecided.length - open.length,
    dismissed: listed.filter(isSetAside).length,
    fixed: listed.filter(({ state }) => state === 'fixed').length,
  }
}
