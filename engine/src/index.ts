import type { Detector } from './detectors/define-detector.ts'
import { detectors } from './detectors/index.ts'
import { isForTestRunner } from './facts/index.ts'
import { countFiles, type FileProgress } from './file-progress.ts'
import { Behaviour } from './ir/index.ts'
import {
  buildModel,
  type ContractModel,
  type InputFile,
  isForTests,
  type Model,
  type ModelDiagnostic,
  type ModelOptions,
  type SourceFile,
} from './model/index.ts'
import {
  buildReports,
  type DiagnosticCode,
  explainLine,
  KnownTexts,
  type LineExplanation,
  largestContractBytes,
  type Note,
  type Observer,
  type Report,
  type RunOptions,
} from './report/index.ts'
import type { Span } from './syntax/index.ts'

export type { Aliases, Confidence, Detector, Excuse, Severity } from './detectors/define-detector.ts'
export type { DetectorExample } from './detectors/detector-example.ts'
export { loadDetectorExamples } from './detectors/examples.ts'
export { aliasesOf, findDetectors, searchDetectors } from './detectors/find-detectors.ts'
export { attackScenarios } from './detectors/generated/attack-scenarios.ts'
export { detectors } from './detectors/index.ts'
export type { FileProgress } from './file-progress.ts'
export * from './fixes/index.ts'
export type { InputFile } from './model/index.ts'
export * from './outline/index.ts'
export * from './pattern-rules/index.ts'
export * from './report/index.ts'
export { type RuleApi, ruleApi } from './rule-api.ts'

export interface ScanOptions extends RunOptions {
  /** Detectors of a user's own, run after Assay's own. */
  readonly rules?: readonly Detector[]
  /** Path shown in reports. */
  readonly path?: string
  readonly suppressions?: 'honour' | 'ignore'
  /** Paths whose reports are wanted, the others being read for meaning; absent: all. */
  readonly reported?: readonly string[]
  /** `@oz/=lib/openzeppelin/`: prefix of an import path → prefix of a given file's path. */
  readonly remappings?: readonly string[]
  /** Which given file an import means, where the caller has looked: importing file → text of the import → path. */
  readonly importTargets?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Hears how many of the wanted files are analyzed: at the beginning, whenever there are more, and when all are. */
  readonly onProgress?: (progress: FileProgress) => void
}

/** Files that are read but not analyzed yet. */
export interface OpenScan {
  /** What a plan's contract limit is held against, known before any analysis. */
  largestContractBytes(): number
  /** One report of each file that is wanted, in the order given; a helper of a crew has none. */
  reports(): Report[]
}

/** Reads several files as one program. */
export const openScan = (inOrder: readonly InputFile[], scanOptions: Omit<ScanOptions, 'path'> = {}): OpenScan => {
  const given = byPath(inOrder)
  const options = withKnownTexts(scanOptions)
  const all = buildModel(given, options)
  return {
    largestContractBytes: () => Math.max(...all.files.map(largestContractBytes)),
    reports() {
      const files = options.reported ? neededFor(given, all, new Set(options.reported)) : given
      const model = files.length === given.length ? all : buildModel(files, options)
      const wanted = options.reported && new Set(options.reported)
      const paths = inOrder.map(({ path }) => path).filter((path) => wanted?.has(path) ?? true)
      const tests = new Set(files.map(({ path }) => path).filter(isForTests))
      const isTest = (path: string): boolean => tests.has(path)
      const wantsTests = paths.some(isTest)
      const wantsProduct = !paths.every(isTest)
      const progress = options.onProgress && countFiles(paths, options.onProgress)
      const pass = (
        model: Model,
        passOptions: typeof options,
        meant: (path: string) => boolean,
        without?: (contract: ContractModel) => boolean,
      ) => {
        const observer = progress && {
          ...options.observer,
          analysed: both(options.observer, progress.during(model, meant)),
        }
        const reports = reportOn(model, observer ? { ...passOptions, observer } : passOptions, without)
        const reached = new Set(reports.filter(isReached).map(({ path }) => path))
        progress?.end((path) => meant(path) && reached.has(path))
        return reports
      }
      // Tests, mocks and harnesses never make, hide or change a finding in the product: it is judged without them.
      const product =
        wantsProduct && tests.size > 0
          ? pass(
              model,
              options,
              (path) => !isTest(path),
              ({ file }) => isTest(file.path),
            )
          : undefined
      if (product && options.crew?.isHelper) return []
      // The partitions of a second pass are others.
      const { crew: _, ...alone } = options
      const whole =
        wantsTests || !product
          ? pass(product ? buildModel(files, options) : model, product ? alone : options, () => true)
          : undefined
      if (options.crew?.isHelper) return []
      const reportOf = new Map(product?.map((report) => [report.path, report]))
      for (const report of whole ?? []) if (!product || isTest(report.path)) reportOf.set(report.path, report)
      return paths.map((path) => reportOf.get(path)!)
    },
  }
}

/** Bodies of texts that were read before are read again only if someone needs them. */
const withKnownTexts = (
  options: Omit<ScanOptions, 'path'>,
): Omit<ScanOptions, 'path'> & Pick<ModelOptions, 'bodiesOf'> => {
  if (options.memory === undefined) return options
  const knownTexts = new KnownTexts(options.memory)
  return { ...options, knownTexts, bodiesOf: (text) => knownTexts.bodiesOf(text) }
}

const both =
  (...observers: readonly (Pick<Observer, 'analysed'> | undefined)[]): NonNullable<Observer['analysed']> =>
  (contracts) => {
    for (const observer of observers) observer?.analysed?.(contracts)
  }

const isReached = ({ diagnostics }: Report): boolean => diagnostics.every(({ code }) => code !== 'not-reached')

/** In one order, however they are given: of equal things the first stands for all, and which is first must not change a result. */
const byPath = (files: readonly InputFile[]): readonly InputFile[] =>
  [...files].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))

/** Files that are reported and those that they import, by whatever way: what nothing reported asks for has no say in it. */
const neededFor = (files: readonly InputFile[], model: Model, reported: ReadonlySet<string>): readonly InputFile[] => {
  const needed = new Set(model.files.filter(({ path }) => reported.has(path)))
  for (const { imports } of needed) for (const { target } of imports) if (target) needed.add(target)
  const paths = new Set([...needed].map(({ path }) => path))
  return files.filter(({ path }) => paths.has(path))
}

/** Files with these paths and all that import them, by whatever way: what a library does is judged in its hosts. */
const withImporters = ({ files }: Model, paths: ReadonlySet<string>): ReadonlySet<SourceFile> => {
  const importers = new Map<SourceFile, SourceFile[]>(files.map((file) => [file, []]))
  for (const file of files) for (const { target } of file.imports) if (target) importers.get(target)?.push(file)
  const wanted = new Set(files.filter(({ path }) => paths.has(path)))
  for (const file of wanted) for (const importer of importers.get(file) ?? []) wanted.add(importer)
  return wanted
}

/** Scans several files as one program; one report each, in the order given. */
export const scanFiles = (files: readonly InputFile[], options: Omit<ScanOptions, 'path'> = {}): Report[] =>
  openScan(files, options).reports()

const reportOn = (
  model: Model,
  options: Omit<ScanOptions, 'path'>,
  without?: (contract: ContractModel) => boolean,
): Report[] => {
  const wanted = options.reported && withImporters(model, new Set(options.reported))
  const isWanted = ({ file }: { readonly file: SourceFile }): boolean => wanted?.has(file) ?? true
  return buildReports({
    files: model.files,
    behaviour: new Behaviour(model, undefined, undefined, without, isWanted),
    detectors: options.rules ? [...detectors, ...options.rules] : detectors,
    notes: model.diagnostics.map(toNote),
    uncertain: createUncertainty(model),
    ...options,
  })
}

/** A contract whose base is missing, or that a test runner runs and no chain, is never as sure as one that is deployed as it stands. */
const createUncertainty = (model: Model): ((span: Span) => boolean) => {
  const known = new Map<ContractModel, boolean>()
  return ({ start }) => {
    const contract = model.contractAt(start)
    if (contract === undefined) return false
    const isUncertain = known.get(contract) ?? (contract.hasUnresolvedBase || isForTestRunner(model, contract))
    known.set(contract, isUncertain)
    return isUncertain
  }
}

const noteCodes: Partial<Record<ModelDiagnostic['code'], DiagnosticCode>> = {
  'import-not-found': 'import-missing',
  'base-not-found': 'base-missing',
  budget: 'budget-exhausted',
}

const toNote = ({ code, message, start, end }: ModelDiagnostic): Note => ({
  code: noteCodes[code] ?? 'analysis-note',
  message,
  start,
  end,
})

/** Solidity text in, report out. */
export const scan = (source: string, { path = 'contract.sol', ...options }: ScanOptions = {}): Report => {
  const [report] = scanFiles([{ path, text: source }], options)
  if (!report) throw new Error('one file in, one report out')
  return report
}

/** Why a line is reported, or why it is not: what is found there, and which excuse silenced what might have been. */
export const explainWhy = (
  files: readonly InputFile[],
  path: string,
  line: number,
  options: Omit<ScanOptions, 'path'> = {},
): LineExplanation => {
  const model = buildModel(byPath(files), options)
  return explainLine(model.files, path, line, (observer) => reportOn(model, { ...options, observer }))
}
