import { availableParallelism } from 'node:os'
import { type Report, toScanResult } from '@assay/engine'
import { collectFiles } from '../input/collect-files.ts'
import { followImports, type MissingImport } from '../input/follow-imports.ts'
import { type FoundSource, isReadable, readSources } from '../input/read-source.ts'
import type { Io } from '../io.ts'
import { createProjectFinder } from '../project/find-project.ts'
import type { Project } from '../project/project.ts'
import { readGivenRemappings } from '../project/remappings.ts'
import { createImportResolver } from '../project/resolve-import.ts'
import type { Scope } from '../project/scope.ts'
import { cacheFolder, noCache, openCache } from './cache.ts'
import { contentId } from './content-id.ts'
import type { Outcome, ProjectScan } from './outcome.ts'
import { makePrograms, type Program } from './programs.ts'
import { type FileReport, scanPrograms } from './scan-programs.ts'
import { selectFindings } from './select-findings.ts'

/** What a scan is asked to do, apart from what is made of its result. */
export interface ScanRequest {
  readonly paths: readonly string[]
  readonly scope: Scope
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  readonly remappings: readonly string[]
  readonly withImports: boolean
  readonly suppressions: 'honour' | 'ignore'
  readonly only: readonly string[]
  readonly skip: readonly string[]
  readonly withAdvisories: boolean
  readonly timeout: number
  /** 0: as many as the machine has cores. */
  readonly jobs: number
  readonly withCache: boolean
  onProgress?(done: number, total: number): void
}

/** Finds the files, reads them and what they import, scans them and gives one outcome for each. */
export async function scanProject(request: ScanRequest, io: Io): Promise<ProjectScan> {
  const started = performance.now()
  const select = selectFindings(request)
  const findProject = createProjectFinder({ foundryProfile: io.environment.FOUNDRY_PROFILE ?? 'default' })
  const { files, unreadable, leftOut } = await collectFiles(request.paths, {
    ...request,
    folder: io.folder,
    findProject,
  })
  const sources = await readSources(files, io)
  const located = files.map((file, index) => ({ ...file, ...(sources[index] as (typeof sources)[number]) }))
  const programs: Program[] = []
  const missingImports: MissingImport[] = []
  let importedCount = 0
  for (const [project, given] of byProject(located.flatMap((source) => (isReadable(source) ? [source] : [])))) {
    const remappings = readGivenRemappings(request.remappings, io.folder)
    const resolveImport = createImportResolver({ project, remappings, folder: io.folder })
    const own = given.map(({ path, text, location }) => ({ path, text, location: location ?? `${io.folder}/${path}` }))
    const followed = request.withImports
      ? await followImports(own, resolveImport, io)
      : { imported: [], targets: {}, missing: [] }
    programs.push(...makePrograms(own, followed))
    missingImports.push(...followed.missing)
    importedCount += followed.imported.length
  }
  const reports = await scanWithCache(programs, request, io)
  const outcomes = located.map((source): Outcome => {
    if (!isReadable(source)) return { path: source.path, error: source.error }
    return toOutcome(source, reports.get(source.path), select)
  })
  return {
    project: mainProject(files.map(({ project }) => project)),
    outcomes: [...outcomes, ...unreadable],
    importedCount,
    leftOut,
    missingImports,
    milliseconds: performance.now() - started,
  }
}

type LocatedSource = Omit<FoundSource, 'location'> & { readonly location?: string; readonly project: Project }

function byProject(files: readonly LocatedSource[]): Map<Project, LocatedSource[]> {
  const groups = new Map<string, { project: Project; files: LocatedSource[] }>()
  for (const file of files) {
    const group = groups.get(file.project.root)
    if (group) group.files.push(file)
    else groups.set(file.project.root, { project: file.project, files: [file] })
  }
  return new Map([...groups.values()].map((group) => [group.project, group.files]))
}

function mainProject(projects: readonly Project[]): Project | undefined {
  const counts = new Map<Project, number>()
  for (const project of projects) counts.set(project, (counts.get(project) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0]
}

async function scanWithCache(
  programs: readonly Program[],
  request: ScanRequest,
  io: Io,
): Promise<ReadonlyMap<string, FileReport>> {
  const { suppressions, timeout } = request
  const cache = request.withCache ? openCache(cacheFolder(io.environment)) : noCache
  const byPath = new Map<string, FileReport>()
  const toDo: Program[] = []
  for (const program of programs) {
    const known = cache.find(program, { suppressions })
    if (known) for (const report of known) byPath.set(report.path, report)
    else toDo.push(program)
  }
  const total = toDo.reduce((sum, { reported }) => sum + reported.length, 0)
  let done = 0
  const onDone = ({ reported }: Program) => {
    done += reported.length
    request.onProgress?.(done, total)
  }
  request.onProgress?.(0, total)
  const jobs = request.jobs || availableParallelism()
  const scanned = await scanPrograms(toDo, { suppressions, timeout, jobs, onDone })
  scanned.forEach((reports, index) => {
    for (const report of reports) byPath.set(report.path, report)
    // What did not come to an end here may do so elsewhere.
    if (reports.every((report): report is Report => !('error' in report)))
      cache.keep(toDo[index] as Program, { suppressions }, reports)
  })
  return byPath
}

function toOutcome(
  { path, text }: LocatedSource,
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
