import { type SourceRequest, type SourceValues, toSourceRequest } from '../input/read-project.ts'

/** What is done to the files: they are read, parsed together, then analyzed contract by contract. */
export type Stage = 'reading' | 'parsing' | 'analyzing'

/** The options of a scan, apart from what is made of its result. */
export interface ScanRequest extends SourceRequest {
  readonly suppressions: 'honour' | 'ignore'
  readonly only: readonly string[]
  readonly skip: readonly string[]
  readonly withAdvisories: boolean
  /** Modules with rules of the user's own, absolute. */
  readonly rules: readonly string[]
  /** Seconds for one file. */
  readonly timeout: number
  /** 0: as many as the machine has cores. */
  readonly jobs: number
  readonly withCache: boolean
  onProgress?(done: number, total: number, stage: Stage): void
}

/** A scan of these files with everything else as it is by default. */
export const toScanRequest = (paths: readonly string[], options: SourceValues): ScanRequest => ({
  ...toSourceRequest(paths, options),
  suppressions: 'honour',
  only: [],
  skip: [],
  withAdvisories: true,
  rules: [],
  timeout: 30,
  jobs: 0,
  withCache: true,
})
