import { resolve } from 'node:path'
import type { WireFinding } from '@assay/engine'
import { scoreFindings } from '@assay/engine/results'
import { isNew, isScanned, type Outcome, type Scanned } from '../scan/outcome.ts'
import type { ChangedFile } from './git-changes.ts'

/** Of a compared scan what is new, or touches a changed line itself or on the path to it. */
export function keepChanged(outcomes: readonly Outcome[], changes: readonly ChangedFile[], folder: string): Outcome[] {
  const linesOf = new Map(changes.map(({ location, lines }) => [location, lines]))
  const isChanged = (path: string, first: number, last: number): boolean =>
    linesOf.get(resolve(folder, path))?.some(([from, to]) => first <= to && from <= last) ?? false
  const touches = (path: string, finding: WireFinding): boolean =>
    [finding, ...(finding.places ?? [])].some((place) => isChanged(place.file ?? path, place.line, place.endLine)) ||
    finding.trace.some((step) => isChanged(step.file ?? path, step.line, step.endLine))
  return outcomes.map((outcome) =>
    isScanned(outcome) ? keepIn(outcome, (finding) => isNew(finding) || touches(outcome.path, finding)) : outcome,
  )
}

function keepIn(scanned: Scanned, isWanted: (finding: WireFinding) => boolean): Scanned {
  const { result } = scanned
  // A change that touches an old finding is where it should be looked at again: it counts as new.
  const renew = <T extends WireFinding>(findings: readonly T[]) =>
    findings.filter(isWanted).map((finding) => ({ ...finding, baselineState: 'new' as const }))
  const dataVulnerabilities = renew(result.dataVulnerabilities)
  return {
    ...scanned,
    result: {
      ...result,
      dataVulnerabilities,
      advisories: renew(result.advisories),
      vulnerabilitiesCount: dataVulnerabilities.length,
      securityScore: scoreFindings(dataVulnerabilities),
    } as Scanned['result'],
  }
}
