import { isScanned, type Outcome } from '../scan-outcome.ts'

/** The service's scan result for each file, with its path; a file without one has `error` instead. */
export function toJson(outcomes: readonly Outcome[]): string {
  return `${JSON.stringify({ files: outcomes.map(toEntry) }, null, 2)}\n`
}

const toEntry = (outcome: Outcome): object =>
  isScanned(outcome)
    ? { path: outcome.path, ...outcome.result }
    : { path: outcome.path, success: false, error: outcome.error }
