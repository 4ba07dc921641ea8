import type { Severity } from '../detectors/detector.ts'

const order: readonly Severity[] = ['critical', 'high', 'medium', 'low', 'info']

/** The gravest first; equal ones keep their order. */
export const bySeverity = (a: { readonly severity: Severity }, b: { readonly severity: Severity }): number =>
  order.indexOf(a.severity) - order.indexOf(b.severity)
