import type { ComparedScanResult, ScanResult } from '@assay/engine'

/** What became of one file: a result, or the reason why there is none. */
export type Outcome = Scanned | { readonly path: string; readonly error: string }

export interface Scanned {
  readonly path: string
  readonly text: string
  readonly result: ScanResult | ComparedScanResult
}

export const isScanned = (outcome: Outcome): outcome is Scanned => 'result' in outcome

/** Whether a finding counts: all do, or with a baseline those that it does not have. */
export const isNew = (finding: object): boolean => !('baselineState' in finding) || finding.baselineState === 'new'
