/** What the catalogue shows beside a detector: its first fixtures, and what it admits to miss. */
export interface DetectorExample {
  readonly vulnerable: string
  readonly safe: string
  readonly limits: readonly string[]
  /** For detectors without excuses, which say it otherwise. */
  readonly silentWhen: readonly string[]
  /** Publicly known losses by it. */
  readonly incidents: readonly string[]
}
