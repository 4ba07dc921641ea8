import { availableParallelism } from 'node:os'
import type { Detector, FileProgress, Report } from '@assay/engine'
import { toScanResult } from '@assay/engine/results'
import { readProjectSources } from '../input/read-project.ts'
import type { FoundSource } from '../input/read-source.ts'
import type { Io } from '../io.ts'
import { scanProject as messages } from '../messages/scan.ts'
import { type Cache, cacheFolder, noCache, openCache } from './cache.ts'
import { contentId } from './content-id.ts'
import type { FileResult, Outcome, ProjectScan } from './outcome.ts'
import type { Program } from './programs.ts'
import { type FileReport, scanPrograms } from './scan-programs.ts'
import type { ScanRequest } from './scan-request.ts'
import { selectFindings } from './select-findings.ts'

/** Scans the requested files and gives one outcome for each file. */
export async function scanProject(request: ScanRequest, io: Io): Promise<ProjectScan> {
  const started = Date.now()
  // Whatever is wrong with a rule is reported before anything is scanned.
  const rules = await rulesOf(request)
  request.onProgress?.(0, 0, 'reading')
  const chosen = await selectFindings({ ...request, rules })
  let hiddenCount = 0
  const select = (report: Report): Report => {
    const kept = chosen(report)
    hiddenCount += countOf(report) - countOf(kept)
    return kept
  }
  const { project, paths, sources, programs, unreadable, missingImports, importedCount, leftOut, ...read } =
    await readProjectSources(request, io)
  const { results, rememberedCount } = await scanWithCache(programs, { ...request, select }, io)
  const outcomes = sources.map((source) => toOutcome(source, results.get(source.path)))
  return {
    project,
    outcomes: inOrder([...outcomes, ...unreadable], paths),
    importedCount,
    leftOut,
    settings: read.settings,
    refused: read.refused,
    hiddenCount,
    missingImports,
    programs,
    rememberedCount,
    milliseconds: Date.now() - started,
  }
}

const countOf = ({ findings, advisories }: Report): number => findings.length + advisories.length

/** The API for rules is the engine, which a scan that finds everything in the cache does not load. */
async function rulesOf({ rules }: ScanRequest): Promise<Detector[]> {
  if (rules.length === 0) return []
  const { loadRules } = await import('../rules/load-rules.ts')
  return loadRules(rules)
}

/** As the files were found; what is none of them, a folder that may not be entered say, comes last. */
function inOrder(outcomes: readonly Outcome[], paths: readonly string[]): Outcome[] {
  const ranks = new Map(paths.map((path, index) => [path, index]))
  const rankOf = ({ path }: Outcome) => ranks.get(path) ?? paths.length
  return [...outcomes].sort((a, b) => rankOf(a) - rankOf(b))
}

interface Scanning extends ScanRequest {
  readonly select: (report: Report) => Report
}

async function scanWithCache(
  programs: readonly Program[],
  request: Scanning,
  io: Io,
): Promise<{ results: ReadonlyMap<string, FileResult>; rememberedCount: number }> {
  const { suppressions, timeout, rules } = request
  // What a rule imports is not known, so neither is what its result depends on.
  const cache = request.withCache && rules.length === 0 ? openCache(cacheFolder(io.environment)) : noCache
  const byPath = new Map<string, FileResult>()
  const toDo: Program[] = []
  for (const program of programs) {
    const known = findKnown(cache, program, request)
    if (known) for (const result of known) byPath.set(result.path, result)
    else toDo.push(program)
  }
  const rememberedCount = byPath.size
  const total = toDo.reduce((sum, { reported }) => sum + reported.length, 0)
  const doneOf = new Map<Program, number>()
  const show = (program: Program, done: number) => {
    doneOf.set(program, done)
    const sum = [...doneOf.values()].reduce((all, each) => all + each, 0)
    request.onProgress?.(sum, total, 'analyzing')
  }
  const onDone = (program: Program) => show(program, program.reported.length)
  // Of a program that is scanned again file by file the whole counts, once it is done.
  const onProgress = (program: Program, { filesDone }: FileProgress) => {
    if (toDo.includes(program)) show(program, filesDone)
  }
  request.onProgress?.(0, total, 'parsing')
  const jobs = request.jobs || availableParallelism()
  const kept = cache === noCache ? {} : { cacheFolder: cacheFolder(io.environment) }
  const scanned = await scanPrograms(toDo, { suppressions, rules, timeout, jobs, onDone, onProgress, ...kept })
  scanned.forEach((reports, index) => {
    const program = toDo[index] as Program
    const results = toResults(program, reports, request)
    for (const result of results) byPath.set(result.path, result)
    // What did not come to an end here may do so elsewhere.
    if (!reports.every((report): report is Report => !('error' in report))) return
    cache.keep('reports', program, { suppressions }, reports)
    if (isEverything(request)) cache.keep('results', program, { suppressions }, results)
  })
  return { results: byPath, rememberedCount }
}

const isEverything = ({ only, skip, withAdvisories }: ScanRequest): boolean =>
  only.length === 0 && skip.length === 0 && withAdvisories

/** As it was reported before; a choice of findings is made anew from the reports. */
function findKnown(cache: Cache, program: Program, request: Scanning): readonly FileResult[] | undefined {
  const { suppressions } = request
  const results = isEverything(request) ? cache.find('results', program, { suppressions }) : undefined
  if (results) return results
  const reports = cache.find('reports', program, { suppressions })
  if (!reports) return undefined
  const made = toResults(program, reports, request)
  if (isEverything(request)) cache.keep('results', program, { suppressions }, made)
  return made
}

function toResults({ files }: Program, reports: readonly FileReport[], { select }: Scanning): FileResult[] {
  const texts = new Map(files.map(({ path, text }) => [path, text]))
  return reports.map((report) => toResult(report, texts.get(report.path) ?? '', select))
}

function toResult(report: FileReport, text: string, select: Scanning['select']): FileResult {
  const { path } = report
  if ('error' in report) return { path, error: report.error }
  if (report.unreadable && !isOnlyComments(text)) return { path, error: notSolidity(report.unreadable) }
  return { path, result: toScanResult(select(report), { scanId: contentId(path, text), file: path }) }
}

function toOutcome({ path, text }: FoundSource, result: FileResult | undefined): Outcome {
  if (!result) throw new Error(messages.wentIntoScanDid(path))
  return 'error' in result ? result : { ...result, text }
}

/** Nothing to scan is not the same as something that cannot be read. */
const isOnlyComments = (text: string): boolean => text.replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g, '').trim() === ''

const notSolidity = ({ line, reason }: NonNullable<Report['unreadable']>): string =>
  messages.fileNotValidSolidity(line, reason)
