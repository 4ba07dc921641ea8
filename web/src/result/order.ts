import { severities } from '../components/severity.tsx'
import type { ListedFinding } from './scan-view.ts'

const confidences = ['high', 'medium', 'low']
const listedOrder = ['weakness', 'advisory', 'suppressed']

/** The gravest first: severity, then confirmed by an attack, then confidence, then place. Suppressed ones close the list. */
export function compareFindings(a: ListedFinding, b: ListedFinding): number {
  return (
    Number(a.listed === 'suppressed') - Number(b.listed === 'suppressed') ||
    rank(severities, a.finding.severity) - rank(severities, b.finding.severity) ||
    Number(isConfirmed(b)) - Number(isConfirmed(a)) ||
    rank(confidences, a.finding.confidence) - rank(confidences, b.finding.confidence) ||
    rank(listedOrder, a.listed) - rank(listedOrder, b.listed) ||
    compareText(a.finding.file ?? '', b.finding.file ?? '') ||
    a.finding.line - b.finding.line ||
    (a.finding.column ?? 0) - (b.finding.column ?? 0)
  )
}

export const isConfirmed = ({ finding }: ListedFinding): boolean => finding.evidence?.status === 'confirmed'

const rank = (order: readonly string[], word: string): number => {
  const at = order.indexOf(word)
  return at < 0 ? order.length : at
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
