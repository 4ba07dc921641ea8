import { severities } from '../components/severities.ts'
import { housekeeping } from './housekeeping.ts'
import type { ViewFinding } from './scan-view.ts'

/** Severity decides; what needs review follows the findings, and housekeeping closes the list. */
export const comparePriority = (a: ViewFinding, b: ViewFinding): number =>
  Number(isHousekeeping(a)) - Number(isHousekeeping(b)) ||
  Number(needsReview(a)) - Number(needsReview(b)) ||
  severities.indexOf(a.severity) - severities.indexOf(b.severity)

const isHousekeeping = ({ detector }: ViewFinding): boolean => housekeeping.has(detector ?? '')

const needsReview = ({ kind }: ViewFinding): boolean => kind === 'review'
