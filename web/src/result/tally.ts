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

/** What is left to work on; what comments suppress is not in it. */
export function tallyOf(all: readonly ListedFinding[]): Tally {
  const listed = all.filter((item) => item.listed !== 'suppressed')
  const undecided = listed.filter((item) => !isSetAside(item) && item.state !== 'fixed')
  const open = undecided.filter(({ finding }) => finding.kind !== 'review')
  const countOf = (severity: Severity) => open.filter(({ finding }) => finding.severity === severity).length
  return {
    open: open.length,
    bySeverity: severities.flatMap((severity): [Severity, number][] =>
      countOf(severity) > 0 ? [[severity, countOf(severity)]] : [],
    ),
    needsReview: undecided.length - open.length,
    dismissed: listed.filter(isSetAside).length,
    fixed: listed.filter(({ state }) => state === 'fixed').length,
  }
}
