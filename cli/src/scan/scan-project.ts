import { availableParallelism } from 'node:os'
import type { Detector, Report } from '@assay/engine'
import { toScanResult } from '@assay/engine/results'
import { readProjectSources } from '../input/read-project.ts'
import type { FoundSource } from '../input/read-source.ts'
import type { Io } from '../io.ts'
import { cacheFolder, noCache, openCache } from './cache.ts'
import { contentId } from './content-id.ts'
import type { Outcome, ProjectScan } from './outcome.ts'
import type { Program } from './programs.ts'
import { type FileReport, scanPrograms } from './scan-programs.ts'
import type { ScanRequest } from './scan-request.ts'
import { selectFindings } from './select-findings.ts'

/** Scans what was asked for and gives one outcome for each file. */
export async function scanProject(request: ScanRequest, io: Io): Promise<ProjectScan> {
  const started = Date.now()
  // Whatever is wrong with a rule is told before anything is scanned.
  const rules = await rulesOf(request)
  const select = await selectFindings({ ...request, rules })
  const { project, paths, sources, programs, unreadable, missingImports, importedCount, leftOut } =
    await readProjectSources(request, io)
  const { reports, rememberedCount } = await scanWithCache(programs, request, io)
  const outcomes = sources.map((source) => toOutcome(source, reports.get(source.path), select))
  return {
    project,
    outcomes: inOrder([...outcomes, ...unreadable], paths),
    importedCount,
    leftOut,
    missingImports,
    programs,
    rememberedCount,
    milliseconds: Date.now() - started,
  }
}

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

async function scanWithCache(
  programs: readonly Program[],
  request: ScanRequest,
  io: Io,
): Promise<{ reports: ReadonlyMap<string, FileReport>; rememberedCount: number }> {
  const { suppressions, timeout, rules } = request
  // What a rule imports is not known, so neither is what its result depends on.
  const cache = request.withCache && rules.length === 0 ? openCache(cacheFolder(io.environment)) : noCache
  const byPath = new Map<string, FileReport>()
  const toDo: Program[] = []
  for (const program of programs) {
    const known = cache.find(program, { suppressions })
    if (known) for (const report of known) byPath.set(report.path, report)
    else toDo.push(program)
  }
  const rememberedCount = byPath.size
  const total = toDo.reduce((sum, { reported }) => sum + reported.length, 0)
  let done = 0
  const onDone = ({ reported }: Program) => {
    done += reported.length
    request.onProgress?.(done, total)
  }
  request.onProgress?.(0, total)
  const jobs = request.jobs || availableParallelism()
  const scanned = await scanPrograms(toDo, { suppressions, rules, timeout, jobs, onDone })
  scanned.forEach((reports, index) => {
    for (const report of reports) byPath.set(report.path, report)
    // What did not come to an end here may do so elsewhere.
    if (reports.every((report): report is Report => !('error' in report)))
      cache.keep(toDo[index] as Program, { suppressions }, reports)
  })
  return { reports: byPath, rememberedCount }
}

function toOutcome(
  { path, text }: FoundSource,
  report: FileReport | undefined,
  select: (report: Report) => Report,
): Outcome {
  if (!report) throw new Error(`${path} went into the scan and did not come out`)
  if ('error' in report) return { path, error: report.error }
  if (report.unreadable && !isOnlyComments(text)) return { path, error: notSolidity(report.unreadable) }
  return { path, text, result: toScanResult(select(report), { scanId: contentId(path, text), file: path }) }
}

/** Nothing to scan is not the same as something that cannot be read. */
const isOnlyComments = (text: string): boolean => text.replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g, '').trim() === ''

const notSolidity = ({ line, reason }: NonNullable<Report['unreadable']>): string =>
  `The file is not valid Solidity: line ${line}: ${reason}`
