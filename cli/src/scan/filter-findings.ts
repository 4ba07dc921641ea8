import { scoreFindings } from '@assay/engine/results'
import { confidenceRankOf, locate, rankOf } from './causes.ts'
import { isScanned, type ProjectScan, type Scanned, type Shown } from './outcome.ts'

export interface Floor {
  readonly minSeverity: number
  readonly minConfidence: number
}

/** The scan without what is below the floor; scores follow from what is left. */
export function filterFindings(scan: ProjectScan, { minSeverity, minConfidence }: Floor): ProjectScan {
  if (minSeverity === 0 && minConfidence === 0) return scan
  const isWanted = ({ severity, confidence }: Shown) =>
    rankOf(severity) >= minSeverity && confidenceRankOf(confidence) >= minConfidence
  const hidden = locate(scan.outcomes).filter(({ finding }) => !isWanted(finding)).length
  return {
    ...scan,
    outcomes: scan.outcomes.map((outcome) => (isScanned(outcome) ? filterFile(outcome, isWanted) : outcome)),
    hiddenCount: scan.hiddenCount + hidden,
  }
}

function filterFile(scanned: Scanned, isWanted: (finding: Shown) => boolean): Scanned {
  const { result } = scanned
  const dataVulnerabilities = result.dataVulnerabilities.filter(isWanted)
  return {
    ...scanned,
    result: {
      ...result,
      dataVulnerabilities,
      advisories: result.advisories.filter(isWanted),
      vulnerabilitiesCount: dataVulnerabilities.length,
      securityScore: scoreFindings(dataVulnerabilities),
    } as Scanned['result'],
  }
}
