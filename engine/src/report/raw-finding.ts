import type { Detector, Excuse, Hit } from '../detectors/define-detector.ts'
import type { ContractModel } from '../model/index.ts'

/** A detector's hit with the detector that made it. Its place is an object of any kind: read once, here. */
export interface RawFinding {
  readonly detector: Detector
  readonly hit: Hit
  readonly start: number
  readonly end: number
}

/** Reported what a report leaves out, such as why a place was passed over in silence, and how far the analysis got. */
export interface Observer {
  excused?(finding: RawFinding, excuse: Excuse<unknown>): void
  /** Another detector's finding says it already. */
  yielded?(finding: RawFinding, to: RawFinding): void
  failed?(detector: Detector, cause: unknown): void
  /** Every detector has looked at these. */
  analysed?(contracts: readonly ContractModel[]): void
}
