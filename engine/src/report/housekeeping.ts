import type { Severity } from '../detectors/define-detector.ts'
import { bySeverity } from './by-severity.ts'

/** Detectors about tidiness: the pragma, visibility, events, names. They stand in one group after everything that can be attacked. */
export const housekeeping: ReadonlySet<string> = new Set([
  'deprecated-function',
  'floating-pragma',
  'function-default-visibility',
  'missing-privileged-event',
  'outdated-compiler',
  'shadowed-state-variable',
  'single-step-ownership',
  'state-variable-default-visibility',
  'unused-variable',
])

export const isHousekeeping = ({ detector }: { readonly detector: string }): boolean => housekeeping.has(detector)

interface Ranked {
  readonly detector: string
  readonly severity: Severity
}

/** As people read a list: the most severe first, housekeeping last. */
export const byPriority = (a: Ranked, b: Ranked): number =>
  Number(isHousekeeping(a)) - Number(isHousekeeping(b)) || bySeverity(a, b)
