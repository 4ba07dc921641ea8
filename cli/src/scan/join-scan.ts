import { joinResults } from '@assay/engine/results'
import { isScanned, type ProjectScan } from './outcome.ts'

/** The scan with each cause once: a pragma that forty files share is one finding with forty places. */
export function joinScan(scan: ProjectScan): ProjectScan {
  const joined = joinResults(scan.outcomes.filter(isScanned).map(({ result }) => result))[Symbol.iterator]()
  return {
    ...scan,
    outcomes: scan.outcomes.map((outcome) =>
      isScanned(outcome) ? { ...outcome, result: joined.next().value ?? outcome.result } : outcome,
    ),
  }
}
