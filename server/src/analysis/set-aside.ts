import { type ScanResult, scoreFindings, type WireFinding } from '@assay/engine'
import type { Recorded } from './records.ts'
import type { SetAside } from './tasks.ts'

/** A decision as it applies to one finding; undefined: none. */
type DecisionOf = (finding: WireFinding) => SetAside | undefined

const nameOf = (file: string, fingerprint: string): string => `${file}\n${fingerprint}`

function decisionsOf({ fileName, file }: ScanResult, setAside: readonly SetAside[]): DecisionOf {
  const known = new Map(setAside.map((decision) => [nameOf(decision.file, decision.fingerprint), decision]))
  return (finding) => known.get(nameOf(finding.file ?? fileName ?? file, finding.fingerprint))
}

/** The same result, with how many of its findings were set aside and the score without them. */
export function withScoreWithout(result: ScanResult, setAside: readonly SetAside[]): ScanResult {
  const decisionOf = decisionsOf(result, setAside)
  const { dataVulnerabilities, advisories } = result
  const total = [...dataVulnerabilities, ...advisories].filter(decisionOf).length
  if (total === 0) return result
  const rest = dataVulnerabilities.filter((finding) => !decisionOf(finding))
  const without = { total, securityScore: scoreFindings(rest) }
  return Object.assign({}, result, { setAside: without })
}

/** The same result for a report: what was set aside is suppressed, from outside of the source, with the reason. */
export function asSuppressed(result: ScanResult, setAside: readonly SetAside[]): ScanResult {
  const decisionOf = decisionsOf(result, setAside)
  const suppress = (finding: WireFinding) => {
    const { state, reason } = decisionOf(finding) ?? { state: 'accepted', reason: null }
    const words = state === 'accepted' ? 'Accepted' : 'False positive'
    const justification = reason ? `${words}: ${reason}` : `${words}.`
    return {
      ...finding,
      suppression: { kind: 'external' as const, line: finding.line, comment: justification, reason: justification },
    }
  }
  const kept = <T extends WireFinding>(findings: readonly T[]): T[] => findings.filter((one) => !decisionOf(one))
  const moved = [...result.dataVulnerabilities, ...result.advisories].filter(decisionOf).map(suppress)
  return {
    ...result,
    dataVulnerabilities: kept(result.dataVulnerabilities),
    advisories: kept(result.advisories),
    suppressed: [...result.suppressed, ...moved],
  }
}

/** The same result with the state of each record; what was found and nobody decided about is open. */
export function withStates(result: ScanResult, setAside: readonly SetAside[]): ScanResult {
  const decisionOf = decisionsOf(result, setAside)
  const stated = <T extends Recorded>(finding: T): T =>
    finding.record
      ? { ...finding, record: { id: finding.record.id, state: decisionOf(finding)?.state ?? 'open' } }
      : finding
  return {
    ...result,
    dataVulnerabilities: result.dataVulnerabilities.map(stated),
    advisories: result.advisories.map(stated),
  }
}
