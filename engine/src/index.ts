import { detectors } from './detectors/index.ts'
import type { Context } from './flow/index.ts'
import { buildReports, largestContractBytes, type Report, type ScannedFile } from './report/index.ts'
import { parse } from './syntax/index.ts'

export type { Confidence, Detector, Severity } from './detectors/detector.ts'
export { type DetectorExample, loadDetectorExamples } from './detectors/examples.ts'
export { detectors } from './detectors/index.ts'
export * from './report/index.ts'

export interface InputFile {
  readonly path: string
  readonly text: string
}

export interface ScanOptions {
  /** Path shown in reports. */
  readonly path?: string
  readonly suppressions?: 'honour' | 'ignore'
}

/** Scans several files as one program; one report each, in the order given. */
export const scanFiles = (files: readonly InputFile[], options: Omit<ScanOptions, 'path'> = {}): Report[] => {
  let base = 0
  const scanned = files.map(({ path, text }): ScannedFile => {
    const file = { path, text, base, ...parse(text, base) }
    base += text.length + 1
    return file
  })
  const context = { model: { files: scanned } } as unknown as Context
  return buildReports({
    files: scanned,
    context,
    detectors,
    ...(options.suppressions ? { suppressions: options.suppressions } : {}),
  })
}

/** Solidity text in, report out. */
export const scan = (source: string, { path = 'contract.sol', ...options }: ScanOptions = {}): Report => {
  const [report] = scanFiles([{ path, text: source }], options)
  if (!report) throw new Error('one file in, one report out')
  return report
}

/** What a plan's contract limit is held against: parses only, so that a file can be refused before any analysis. */
export const measureLargestContract = (text: string): number =>
  largestContractBytes({ path: 'contract.sol', text, base: 0, ...parse(text, 0) })
