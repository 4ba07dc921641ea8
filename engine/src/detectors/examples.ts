import type { DetectorExample } from './detector-example.ts'

/** Loaded on demand: a scan never needs them. */
export const loadDetectorExamples = async (): Promise<Readonly<Record<string, DetectorExample>>> => {
  const { detectorExamples } = await import('./generated/examples.ts')
  return detectorExamples
}
