import type { Severity } from '../detectors/define-detector.ts'

const order: Record<Severity, number> = { critical: 0, high: 1, medium: 2, low: 3, info: 4 }

/** The most severe first; equal ones keep their order. */
export const bySeverity = (a: { readonly severity: Severity }, b: { readonly severity: Severity }): number =>
  order[a.severity] - order[b.severity]
