import type { Detector, Excuse, Hit } from '../detectors/define-detector.ts'

/** A detector's hit with the detector that made it. Its place is an object of any kind: read once, here. */
export interface RawFinding {
  readonly detector: Detector
  readonly hit: Hit
  readonly start: number
  readonly end: number
}

/** Told what a report leaves out: why a place was passed over in silence, and why a detector could not finish. */
export interface Observer {
  excused?(finding: RawFinding, excuse: Excuse<unknown>): void
  /** Another detector's finding says it already. */
  yielded?(finding: RawFinding): void
  failed?(detector: Detector, cause: unknown): void
}
