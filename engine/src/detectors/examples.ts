/** What the catalogue shows beside a detector: its first fixtures, and what it admits to miss. */
export interface DetectorExample {
  readonly vulnerable: string
  readonly safe: string
  readonly limits: readonly string[]
}

/** Loaded on demand: a scan never needs them. */
export const loadDetectorExamples = async (): Promise<Readonly<Record<string, DetectorExample>>> => {
  const { detectorExamples } = await import('./generated/examples.ts')
  return detectorExamples
}
