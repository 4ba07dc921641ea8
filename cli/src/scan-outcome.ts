import type { Finding, Report } from '@assay/engine'

/** What became of one file: a report, or the reason why there is none. */
export type Outcome =
  | { readonly path: string; readonly text: string; readonly report: Report; readonly comparison?: Comparison }
  | { readonly path: string; readonly error: string }

/** Against a baseline: the findings that are not in it, and what is in it no more. */
export interface Comparison {
  readonly isNew: (finding: Finding) => boolean
  readonly fixed: readonly FixedFinding[]
}

export interface FixedFinding {
  readonly fingerprint: string
  readonly [field: string]: unknown
}

export const isScanned = (outcome: Outcome): outcome is Extract<Outcome, { report: Report }> => 'report' in outcome
