import type { ComparedScanResult, ScanResult, WireFinding } from '@assay/engine'
import type { MissingImport } from '../input/follow-imports.ts'
import type { Project } from '../project/project.ts'
import type { LeftOut } from '../project/scope.ts'
import type { Setting } from '../project/setting.ts'
import type { Program } from './programs.ts'

/** What became of one file: a result, or the reason why there is none. */
export type Outcome = Scanned | NotScanned

/** The same before its text is put beside it. */
export type FileResult = NotScanned | Omit<Scanned, 'text'>

export interface NotScanned {
  readonly path: string
  readonly error: string
}

export interface Scanned {
  readonly path: string
  readonly text: string
  readonly result: ScanResult | ComparedScanResult
}

/** One run of `assay scan`. */
export interface ProjectScan {
  /** The project of most of the files; undefined when none was found. */
  readonly project: Project | undefined
  /** In the order in which they were found. */
  readonly outcomes: readonly Outcome[]
  /** Files that were read only because others import them. */
  readonly importedCount: number
  readonly leftOut: LeftOut
  /** What files of the project set: they travel with the source, so every output tells. */
  readonly settings: readonly Setting[]
  /** What lies outside of the project and was not read. */
  readonly refused: readonly string[]
  /** Findings that `--only`, `--skip`, `--no-advisories` and the floors left out. */
  readonly hiddenCount: number
  readonly missingImports: readonly MissingImport[]
  /** What was scanned together. */
  readonly programs: readonly Program[]
  /** Files whose report was remembered from an earlier scan. */
  readonly rememberedCount: number
  readonly milliseconds: number
}

/** A weakness of the registry has an id; an advisory has none, or is for review. */
export type Shown = WireFinding & {
  readonly vulnerabilityId?: string
  readonly baselineState?: string
  readonly kind?: string
}

export const isScanned = (outcome: Outcome): outcome is Scanned => 'result' in outcome

/** Whether a finding counts: all do, or with a baseline those that it does not have. */
export const isNew = (finding: object): boolean => !('baselineState' in finding) || finding.baselineState === 'new'
