import type { Detector } from '../detectors/define-detector.ts'
import type { Finding, SuppressedFinding } from './finding.ts'
import type { LineMap } from './line-map.ts'
import { readSuppressions, type Suppression } from './read-suppressions.ts'
import type { Diagnostic } from './report.ts'
import type { ScannedFile } from './scanned-file.ts'

export interface SuppressionOutcome {
  readonly kept: readonly Finding[]
  readonly suppressed: readonly SuppressedFinding[]
  readonly remarks: readonly Diagnostic[]
}

const nothing: readonly never[] = Object.freeze([])

/** The names of a detector in comments: its own, and the one it went by before it was split off. */
const namesOf = ({ id, formerly }: Detector): string[] => (formerly === undefined ? [id] : [id, formerly])

const covers = (
  { rules, from, to }: Suppression,
  { swc, detector, line }: Finding,
  all: readonly Detector[],
): boolean =>
  line >= from &&
  line <= to &&
  (rules.has(detector) ||
    (swc !== null && rules.has(swc)) ||
    all.some((one) => one.id === detector && one.formerly !== undefined && rules.has(one.formerly)))

/** Moves the findings that a comment sets aside, and says which comments did nothing. */
export const applySuppressions = (
  file: ScannedFile,
  lines: LineMap,
  findings: readonly Finding[],
  detectors: readonly Detector[],
): SuppressionOutcome => {
  const { suppressions, remarks } = readSuppressions(file, lines, () => new Set(detectors.flatMap(namesOf)))
  if (suppressions.length === 0) return { kept: findings, suppressed: nothing, remarks }
  const kept: Finding[] = []
  const suppressed: SuppressedFinding[] = []
  const used = new Set<Suppression>()
  for (const finding of findings) {
    const matching = suppressions.filter((suppression) => covers(suppression, finding, detectors))
    for (const suppression of matching) used.add(suppression)
    const [first] = matching
    if (!first) kept.push(finding)
    else
      suppressed.push({ ...finding, suppression: { comment: first.comment, reason: first.reason, line: first.line } })
  }
  const unused = suppressions.filter((suppression) => suppression.tool === 'assay' && !used.has(suppression))
  return { kept, suppressed, remarks: [...remarks, ...unused.map(toRemark)] }
}

const toRemark = ({ comment, line }: Suppression): Diagnostic => ({
  code: 'suppression-unused',
  line,
  message: `Nothing is reported here any more: remove \`${comment}\`.`,
})
