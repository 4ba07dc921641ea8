import { parentPort } from 'node:worker_threads'
import type { Program } from './programs.ts'
import { type RunOptions, runProgram } from './run-program.ts'

export interface Task {
  readonly program: Program
  readonly options: RunOptions
}

/** In a thread of its own: one program in, its reports out. */
parentPort?.on('message', ({ program, options }: Task) => {
  // What it throws ends the thread, which the other side notices.
  void runProgram(program, options).then((reports) => parentPort?.postMessage(reports))
})
