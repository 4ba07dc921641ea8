import { setFlagsFromString } from 'node:v8'
import type { Worker } from 'node:worker_threads'
import type { Report } from '@assay/engine'
import { scanPrograms as texts } from '../messages/scan.ts'
import { compiledCode } from './compiled-code.ts'
import { lateOptimization } from './late-optimization.ts'
import type { RunTask, TaskFailure, TaskMessage } from './worker.ts'

/** A thread that has outgrown this is ended instead of taking the machine with it. */
const maxHeapMegabytes = 2048
const lookMilliseconds = 200

/** Threads that wait for the next task: a new one loads the engine again and runs it without what was compiled meanwhile. */
const idle: Worker[] = []
let running = 0

async function takeThread(): Promise<Worker> {
  const known = idle.pop()
  if (known) {
    known.ref()
    return known
  }
  // Eight times what is usual before a function is optimized: of what a scan of seconds runs, little is worth it.
  for (const option of lateOptimization(8)) setFlagsFromString(option)
  const { Worker } = await import('node:worker_threads')
  return new Worker(new URL('./scan/worker.js', import.meta.url), {
    env: { ...process.env, ...compiledCode() },
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMegabytes, stackSizeMb: 8 },
  })
}

/** For the next task; the process ends without waiting for it. */
function putBack(thread: Worker): void {
  thread.removeAllListeners('message')
  thread.removeAllListeners('error')
  // One that fails while nobody waits for it is not taken again.
  thread.once('error', () => void idle.splice(idle.indexOf(thread), 1))
  thread.unref()
  idle.push(thread)
}

/**
 * On a busy machine the clock runs on while a thread waits for its turn: a task is over its time when it also had that much
 * of the processor, as far as that can be known for several threads of one process.
 */
const isOver = (limit: number, started: number, cpuBefore: NodeJS.CpuUsage): boolean => {
  const { user, system } = process.cpuUsage(cpuBefore)
  return performance.now() - started > limit && (user + system) / 1000 / Math.max(1, running) > limit
}

export const runInThread: RunTask = async (task, milliseconds, onProgress) => {
  const thread = await takeThread()
  return new Promise((resolve) => {
    const started = performance.now()
    const cpuBefore = process.cpuUsage()
    running++
    const end = (outcome: Report[] | TaskFailure) => {
      clearInterval(timer)
      running--
      // Modules with rules stay loaded as they were read.
      if ('failure' in outcome || task.options.rules?.length) void thread.terminate()
      else putBack(thread)
      resolve(outcome)
    }
    const timer = setInterval(() => {
      if (isOver(milliseconds, started, cpuBefore))
        end({ failure: texts.scanTimedOutAfter(Math.round(milliseconds / 1000)) })
    }, lookMilliseconds)
    thread.removeAllListeners('error')
    thread.on('message', (message: TaskMessage) => {
      if ('progress' in message) onProgress?.(message.progress)
      else end(message.reports)
    })
    thread.once('error', (error: NodeJS.ErrnoException) =>
      end({
        failure:
          error.code === 'ERR_WORKER_OUT_OF_MEMORY'
            ? texts.scanRanOutMemory(maxHeapMegabytes)
            : texts.scanFailed(error.message),
      }),
    )
    thread.postMessage(task, task.crew?.ports)
  })
}
