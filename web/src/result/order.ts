import { isSetAside } from './decisions.ts'
import { comparePriority } from './priority.ts'
import type { ListedFinding } from './scan-view.ts'

const confidences = ['high', 'medium', 'low']
const listedOrder = ['weakness', 'model', 'advisory', 'suppressed']

/**
 * Severity first, then verified exploits, confidence and place. What needs review comes after the findings, then housekeeping, then what was
 * fixed or dismissed.
 */
export function compareFindings(a: ListedFinding, b: ListedFinding): number {
  return (
    Number(isDone(a)) - Number(isDone(b)) ||
    comparePriority(a.finding, b.finding) ||
    Number(isConfirmed(b)) - Number(isConfirmed(a)) ||
    rank(confidences, a.finding.confidence) - rank(confidences, b.finding.confidence) ||
    rank(listedOrder, a.listed) - rank(listedOrder, b.listed) ||
    // Equals of one rule stay together: a group keeps its place while its findings are decided.
    compareText(a.finding.title, b.finding.title) ||
    compareText(a.finding.file ?? '', b.finding.file ?? '') ||
    a.finding.line - b.finding.line ||
    (a.finding.column ?? 0) - (b.finding.column ?? 0)
  )
}

export const isConfirmed = ({ finding }: ListedFinding): boolean => finding.evidence?.status === 'confirmed'

const isDone = (item: ListedFinding): boolean =>
  item.listed === 'suppressed' || item.state === 'fixed' || isSetAside(item)

const rank = (order: readonly string[], word: string): number => {
  const at = order.indexOf(word)
  return at < 0 ? order.length : at
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
