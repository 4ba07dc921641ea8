import { dirname, resolve } from 'node:path'
import type { Severity } from '@assay/engine'
import { provableFindings } from '@assay/engine/results'
import { defineCommand, type Values } from '../command.ts'
import { shownPath } from '../input/collect-files.ts'
import { sourceOptions, toSourceRequest } from '../input/read-project.ts'
import { Complaint, type ExitCode, exit, type Io } from '../io.ts'
import { scan as texts } from '../messages/commands.ts'
import { safeText } from '../output/pipeline-safe.ts'
import { printable, printableName } from '../output/printable.ts'
import { createProgress } from '../output/progress.ts'
import { type Format, formats, type RenderOptions, render } from '../output/render.ts'
import { reportSettings } from '../output/report-project.ts'
import { writeFile } from '../output/write-file.ts'
import { type Boundary, createBoundary } from '../project/boundary.ts'
import { appliedSettings, findConfig, readConfig } from '../project/config-file.ts'
import { parseRemapping } from '../project/remappings.ts'
import type { Setting } from '../project/setting.ts'
import { installOnFirstUse } from '../prove/load-prover.ts'
import { confidenceRankOf, locate, rankOf } from '../scan/causes.ts'
import { filterFindings } from '../scan/filter-findings.ts'
import { joinScan } from '../scan/join-scan.ts'
import { isNew, isScanned, type ProjectScan, type Shown } from '../scan/outcome.ts'
import { proveFindings } from '../scan/prove-findings.ts'
import { scanProject } from '../scan/scan-project.ts'
import type { ScanRequest } from '../scan/scan-request.ts'
import { watchFolders } from '../scan/watch.ts'
import { compareWithKnown } from '../triage/compare.ts'
import { readKnownFindings } from '../triage/known-findings.ts'
import { sinceCommit } from '../triage/since-commit.ts'

export const scanOptions = {
  format: {
    value: 'format',
    choices: formats,
    default: 'text',
    short: 'f',
    description: texts.outputFormatTextJson,
  },
  output: { value: 'file', short: 'o', description: texts.writeResultFileInstead },
  report: {
    value: 'format=file',
    isRepeatable: true,
    description: texts.alsoWriteResultFormat,
  },
  'fail-on': {
    value: 'severity',
    choices: ['critical', 'high', 'medium', 'low', 'info', 'never'],
    default: 'low',
    inConfig: true,
    description: texts.exitIfFindingHas,
  },
  ...sourceOptions,
  only: {
    value: 'detectors',
    isRepeatable: true,
    inConfig: true,
    description: texts.reportOnlyTheseDetectors,
  },
  skip: { value: 'detectors', isRepeatable: true, inConfig: true, description: texts.skipTheseDetectors },
  'min-severity': {
    value: 'severity',
    choices: ['critical', 'high', 'medium', 'low', 'info'],
    default: 'info',
    inConfig: true,
    description: texts.hideFindingsBelowSeverity,
  },
  'min-confidence': {
    value: 'confidence',
    choices: ['high', 'medium', 'low'],
    default: 'low',
    inConfig: true,
    description: texts.hideFindingsBelowConfidence,
  },
  rules: {
    value: 'file',
    isRepeatable: true,
    isPath: true,
    // Data describes the project; a module would be code that travels with the source.
    inConfig: /\.ya?ml$/i,
    description: texts.customDetectorsJavascriptModule,
  },
  'no-advisories': { inConfig: true, description: texts.hideFindingsWithoutSwc },
  'no-suppressions': { inConfig: true, description: texts.alsoReportFindingsSuppressed },
  baseline: {
    value: 'file',
    isRepeatable: true,
    isPath: true,
    inConfig: true,
    description: texts.earlierResultJsonSarif,
  },
  diff: {
    value: 'git ref',
    description: texts.reportOnlyFindingsLines,
  },
  'no-imports': {
    inConfig: true,
    description: texts.doNotReadImported,
  },
  prove: {
    description: texts.verifyFindingsExecutingAttacks,
  },
  details: { description: texts.showCodeTraceEvery },
  'group-by': {
    value: 'what',
    choices: ['kind', 'file'],
    default: 'kind',
    inConfig: true,
    description: texts.groupDetails,
  },
  limit: {
    value: 'number',
    default: '10',
    isNumber: true,
    inConfig: true,
    description: texts.numberMostSevereFindings,
  },
  pages: {
    value: 'url',
    inConfig: true,
    description: texts.baseUrlDetectorPages,
  },
  timeout: {
    value: 'seconds',
    default: '30',
    isNumber: true,
    inConfig: true,
    description: texts.timeLimitPerFile,
  },
  jobs: {
    value: 'number',
    default: '0',
    short: 'j',
    isNumber: true,
    description: texts.numberThreadsNumberCores,
  },
  'no-cache': { description: texts.ignoreDoNotWrite },
  watch: { short: 'w', description: texts.scanAgainWhenFile },
  config: { value: 'file', description: texts.configFileDefaultNearest },
  quiet: {
    short: 'q',
    description: texts.printOneLinePer,
  },
  color: {
    value: 'when',
    choices: ['auto', 'always', 'never'],
    default: 'auto',
    description: texts.colorsTextOutput,
  },
} as const

export type ScanOptions = Values<typeof scanOptions>

/** Scans files and folders and reports what was found. */
export const scan = defineCommand({
  name: 'scan',
  summary: texts.scanProjectFilesFolders,
  parameters: texts.filesFolders,
  details: [texts.scansCurrentFolderDefault, texts.missingImportsUnreadableFiles, texts.exitCodeNoFinding],
  options: scanOptions,
  examples: [
    { line: 'assay scan', does: texts.scanCurrentProject },
    { line: texts.assayScanContractsVault, does: texts.oneFileCodeTraces },
    { line: texts.assayScanFormatJson, does: texts.jsonResultAsApi },
    {
      line: texts.assayScanFailHigh,
      does: texts.oneScanThreeOutputs,
    },
    { line: texts.assayScanBaselineBaseline, does: texts.failOnlyNewFindings },
    {
      line: texts.assayScanScopeProject,
      does: texts.includeTestsScriptsExclude,
    },
    { line: texts.catContractsVaultSol, does: texts.scanStandardInput },
  ],

  async run({ paths, options: given, given: named, io }) {
    const words = paths.length > 0 ? paths : ['.']
    const requested = withConfig(given, named, words, io)
    const run = () => scanOnce(words, requested, io)
    return requested.options.watch ? watchFolders(words, io, run) : run()
  },
})

interface ConfiguredScan {
  readonly options: ScanOptions
  /** What a settings file added to what was typed. */
  readonly settings: readonly Setting[]
  readonly boundary: Boundary
}

function withConfig(given: ScanOptions, named: ReadonlySet<string>, words: readonly string[], io: Io): ConfiguredScan {
  const first = words[0] === '-' ? '.' : (words[0] ?? '.')
  const typed = [
    ...given.remappings.flatMap((word) => parseRemapping(word, io.folder)?.target ?? []),
    ...(given.config === undefined ? [] : [dirname(resolve(io.folder, given.config))]),
  ]
  const boundary = createBoundary({ paths: words, root: given.root, also: typed }, io)
  const path = findConfig(given.config === undefined ? resolve(io.folder, first) : io.folder, given.config, boundary)
  if (path === undefined) return { options: given, settings: [], boundary }
  const configured = readConfig(path, scanOptions, boundary)
  // What was typed wins over what was written down.
  const entries = Object.entries(configured.values).filter(([name]) => !named.has(name))
  const options = { ...given, ...Object.fromEntries(entries) } as ScanOptions
  return { options, settings: appliedSettings(shownPath(path, io.folder), configured, named), boundary }
}

async function scanOnce(
  words: readonly string[],
  { options, settings, boundary }: ConfiguredScan,
  io: Io,
): Promise<ExitCode> {
  const known = options.baseline.flatMap((path) => readKnownFindings(path, io.folder, boundary))
  const reports = options.report.map(parseReport)
  pagesBase(options.pages)
  const progress = createProgress(options.format === 'text' && !options.quiet, io)
  const request = { ...toRequest(words, options, io), boundary }
  const whole = await scanProject({ ...request, onProgress: progress.show }, io).finally(progress.end)
  const found = joinScan(options.diff === undefined ? whole : await sinceCommit(whole, options.diff, request, io))
  // Nothing is fetched where there is nothing to verify.
  const hasFindings = found.outcomes.some((each) => isScanned(each) && provableFindings(each.result).length > 0)
  if (options.prove && hasFindings) await installOnFirstUse(io)
  const raw = options.prove ? await proveFindings(found, { seconds: 10, seed: 1, boundary }, io) : found
  const compared =
    options.baseline.length > 0
      ? { ...raw, outcomes: compareWithKnown(raw.outcomes, known, new Date().toISOString().slice(0, 10)) }
      : raw
  const scanned = filterFindings(
    { ...compared, settings: [...settings, ...compared.settings] },
    {
      minSeverity: rankOf(options['min-severity'] as Severity),
      minConfidence: confidenceRankOf(options['min-confidence']),
    },
  )
  const write = (text: string, option: string, file: string) =>
    writeFile(resolve(io.folder, file), text, boundary, `${option} ${file}`)
  for (const { format, file } of reports)
    write(await render(scanned, format, renderOptions(options, true), io), '--report', file)
  const format = options.format as Format
  const isNothing = !scanned.outcomes.some(isScanned)
  const text = await render(scanned, format, renderOptions(options, options.output !== undefined), io)
  if (options.output === undefined) io.out.write(isNothing && format === 'text' ? '' : text)
  else write(text, '--output', options.output)
  if (options.quiet || format !== 'text' || options.output !== undefined) reportSettings(settings, io)
  if (isNothing || format !== 'text' || options.output !== undefined) reportNotScanned(scanned, io)
  return exitCodeOf(scanned, options)
}

const toRequest = (paths: readonly string[], options: ScanOptions, io: Io): ScanRequest => ({
  ...toSourceRequest(paths, options),
  withImports: !options['no-imports'],
  suppressions: options['no-suppressions'] ? 'ignore' : 'honour',
  only: options.only,
  skip: options.skip,
  withAdvisories: !options['no-advisories'],
  rules: options.rules.map((path) => resolve(io.folder, path)),
  timeout: Number(options.timeout),
  jobs: Number(options.jobs),
  withCache: !options['no-cache'],
})

const renderOptions = (options: ScanOptions, isFile: boolean): RenderOptions => ({
  color: options.color,
  quiet: options.quiet,
  details: options.details,
  groupBy: options['group-by'] as 'kind' | 'file',
  limit: Number(options.limit),
  pages: pagesBase(options.pages),
  fails: (finding) => failsRun(finding, options),
  isFile,
})

/** A folder on a web server, with the slash that ends it. */
function pagesBase(url: string | undefined): string | undefined {
  if (url === undefined || /^https?:\/\/[^\s?#]+\/$/.test(url)) return url
  throw new Complaint(texts.pagesMustUrlEnds(url))
}

function parseReport(word: string): { format: Format; file: string } {
  const at = word.indexOf('=')
  const format = word.slice(0, at) as Format
  const file = word.slice(at + 1)
  if (at < 0 || file === '') throw new Complaint(texts.reportMustFormatFile(word))
  if (!formats.includes(format)) throw new Complaint(texts.reportFormatMustOne(word, formats.join(', ')))
  return { format, file }
}

/** Anyone who reads only what the machine gets must still see it. */
function reportNotScanned({ outcomes }: ProjectScan, io: Io): void {
  for (const outcome of outcomes) {
    if (!isScanned(outcome))
      io.err.write(safeText(`assay: ${printableName(outcome.path)}: ${printable(outcome.error)}\n`))
  }
}

/** An incomplete answer (2) weighs more than a bad one (1). */
function exitCodeOf({ outcomes }: ProjectScan, options: ScanOptions): ExitCode {
  if (!outcomes.every(isScanned)) return exit.failed
  return locate(outcomes).some(({ finding }) => failsRun(finding, options)) ? exit.findings : exit.clean
}

const failsRun = (finding: Shown, options: ScanOptions): boolean =>
  options['fail-on'] !== 'never' &&
  finding.kind !== 'review' &&
  rankOf(finding.severity) >= rankOf(options['fail-on'] as Severity) &&
  isNew(finding)
