import { parentPort } from 'node:worker_threads'
import type { FileProgress, Report } from '@assay/engine'
import { noCache, openCache } from './cache.ts'
import type { CrewTask } from './crew.ts'
import type { Program } from './programs.ts'
import type { RunOptions } from './run-options.ts'
import { runProgram } from './run-program.ts'

export interface Task {
  readonly program: Program
  readonly options: RunOptions
  /** Where results of partitions are kept; absent: nowhere. */
  readonly cacheFolder?: string
  /** Other threads work on the same program. */
  readonly crew?: CrewTask
}

/** Runs a task, in a thread or here. */
export type RunTask = (
  task: Task,
  milliseconds: number,
  onProgress?: (progress: FileProgress) => void,
) => Promise<Report[] | TaskFailure>
export interface TaskFailure {
  readonly failure: string
}

/** What a thread says: how far it is, and in the end the reports. */
export type TaskMessage = { readonly progress: FileProgress } | { readonly reports: Report[] }

/** In a thread of its own: one program in, its reports out. */
parentPort?.on('message', ({ program, options, cacheFolder, crew }: Task) => {
  const post = (message: TaskMessage) => parentPort?.postMessage(message)
  const cache = cacheFolder === undefined ? noCache : openCache(cacheFolder)
  // What it throws ends the thread, which the other side notices.
  void runProgram(program, options, {
    cache,
    ...(crew ? { crew } : {}),
    onProgress: (progress) => post({ progress }),
  }).then((reports) => post({ reports }))
})
