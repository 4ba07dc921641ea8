import type { FileProgress, Report } from '@assay/engine'
import { isBundled } from '../version.ts'
import { noCache, openCache } from './cache.ts'
import { countHelpers, formCrew } from './crew.ts'
import { partOptions } from './part-cache.ts'
import { type Program, splitProgram } from './programs.ts'
import type { RunOptions } from './run-options.ts'
import { runInThread } from './threads.ts'
import type { RunTask, Task } from './worker.ts'

export interface Scanning extends RunOptions {
  /** Threads at the same time. */
  readonly jobs: number
  /** Seconds for one file. */
  readonly timeout: number
  /** Where results of partitions are kept; absent: nowhere. */
  readonly cacheFolder?: string
  onDone(program: Program): void
  /** How many files of a program are analyzed by now. */
  onProgress?(program: Program, progress: FileProgress): void
}

interface Sharing extends Scanning {
  /** Threads beside this one that have nothing else to do. */
  readonly idle: number
}

/** What became of a file: its report, or why there is none. */
export type FileReport = Report | { readonly path: string; readonly error: string }

/** Beside the limit of one file: so much for each of a program's files, of which most take a few milliseconds. */
const millisecondsPerFile = 100

/** Scans the programs, as many at a time as there are jobs; in the order given. */
export async function scanPrograms(
  programs: readonly Program[],
  scanning: Scanning,
  runTask: RunTask = isBundled ? runInThread : runHere,
): Promise<FileReport[][]> {
  const results: FileReport[][] = []
  let next = 0
  // Sources that run directly have no threads.
  const idle = runTask === runHere ? 0 : Math.floor(scanning.jobs / programs.length) - 1
  const work = async () => {
    for (let at = next++; at < programs.length; at = next++) {
      const program = programs[at] as Program
      results[at] = await scanProgram(program, { ...scanning, idle }, runTask)
      scanning.onDone(program)
    }
  }
  await Promise.all(Array.from({ length: Math.min(scanning.jobs, programs.length) }, work))
  return results
}

/** A program that does not end is scanned again file by file, so that one file costs its own report alone. */
async function scanProgram(program: Program, scanning: Sharing, runTask: RunTask): Promise<FileReport[]> {
  const { suppressions, timeout, rules = [], cacheFolder } = scanning
  const milliseconds = timeout * 1000 + (program.files.length - 1) * millisecondsPerFile
  const task: Task = { program, options: { suppressions, rules }, ...(cacheFolder ? { cacheFolder } : {}) }
  const crew = formCrew(helpersFor(program, scanning))
  const helping = crew.helpers.map(async (helper) => {
    if ('failure' in (await runTask({ ...task, crew: helper }, milliseconds))) crew.end()
  })
  const main = crew.helpers.length > 0 ? { ...task, crew: crew.main } : task
  const outcome = await runTask(main, milliseconds, (progress) => scanning.onProgress?.(program, progress))
  crew.end()
  await Promise.all(helping)
  if (!('failure' in outcome)) return outcome
  const [only, ...others] = program.reported
  if (only !== undefined && others.length === 0) return [{ path: only, error: outcome.failure }]
  const reports: FileReport[] = []
  for (const part of splitProgram(program))
    reports.push(...(await scanProgram(part, { ...scanning, idle: 0 }, runTask)))
  return reports
}

/** A program of which results are known is analyzed in a few places: reading it twice would take longer. */
function helpersFor(program: Program, { idle, rules = [], cacheFolder }: Sharing): number {
  if (idle <= 0 || rules.length > 0) return 0
  const count = countHelpers(program, idle)
  if (count === 0 || cacheFolder === undefined) return count
  return openCache(cacheFolder).has('parts', program, partOptions) ? 0 : count
}

/** Sources that run directly have no bundle that a thread could load. */
const runHere: RunTask = async ({ program, options, cacheFolder }, _milliseconds, onProgress) => {
  const { runProgram } = await import('./run-program.ts')
  const cache = cacheFolder === undefined ? noCache : openCache(cacheFolder)
  return runProgram(program, options, { cache, ...(onProgress ? { onProgress } : {}) })
}
