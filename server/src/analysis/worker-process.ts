import { type ChildProcess, fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setPriority, tmpdir } from 'node:os'
import { type Interim, MEMORY_SIGNAL, type Reply } from './serve-tasks.ts'

/**
 * One worker: a process of its own, because a thread that runs out of memory can take the whole service with it (V8 ends the process
 * when a single allocation passes the limit), and because a process has memory, priority and environment of its own: of ours it sees where temporary files belong, and no secret.
 */
export interface WorkerProcess {
  run(task: unknown, onProgress?: (progress: unknown) => void): Promise<unknown>
  /** Ends it; what it was doing fails with this. */
  stop(reason: Error): void
  /** Lets everything else go first. */
  yieldToOthers(): void
  /** CPU time that it has used since it started; undefined where the system does not tell. */
  cpuMs(): number | undefined
  readonly isUsable: boolean
}

export type Overrun = 'timeout' | 'memory' | 'crash'

/** The task used up what it was given, or took its worker down; the worker has been replaced. */
export class TaskOverrun extends Error {
  readonly overrun: Overrun

  constructor(overrun: Overrun, cause?: unknown) {
    super(`The task was stopped: ${overrun}.`, { cause })
    this.name = 'TaskOverrun'
    this.overrun = overrun
  }
}

const MB = 1024 * 1024
/** What a process takes before it has done anything. */
const BASE_MB = 160
/** One that holds more than this part of its memory after a task is replaced, so that each task starts with room. */
const WORN_PART = 0.6
const STACK_KB = 6_000
/** What takes long gets a third of what others get; more would starve it on a busy machine. */
const NICE = 5
/** What V8 ends a process with when its heap is full. */
const HEAP_SIGNALS = new Set<NodeJS.Signals | null>(['SIGABRT', 'SIGTRAP', 'SIGILL'])

/** Whoever waits for the task at hand. */
interface Settle {
  resolve(result: unknown): void
  reject(error: unknown): void
  readonly onProgress: ((progress: unknown) => void) | undefined
}

export function startWorker(workerFile: string, memoryMb: number): WorkerProcess {
  const maxBytes = (memoryMb + BASE_MB) * MB
  const child = fork(workerFile, [String(maxBytes)], {
    serialization: 'advanced',
    execArgv: heapFlags(memoryMb),
    env: { TMPDIR: tmpdir() },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  let isUsable = true
  let settle: Settle | undefined
  let reason: Error | undefined

  const end = (error: Error): void => {
    isUsable = false
    child.kill('SIGKILL')
    settle?.reject(error)
    settle = undefined
  }
  child.on('message', (message) => {
    const reply = message as Reply | Interim
    if ('progress' in reply) {
      settle?.onProgress?.(reply.progress)
      return
    }
    if (reply.rssBytes > WORN_PART * maxBytes) retire()
    if ('failure' in reply) settle?.reject(Object.assign(new Error(reply.failure.message), reply.failure))
    else settle?.resolve(reply.result)
    settle = undefined
  })
  child.on('exit', (_code, signal) => end(reason ?? new TaskOverrun(overrunOf(signal))))
  child.on('error', (error) => end(new TaskOverrun('crash', error)))
  const retire = (): void => {
    isUsable = false
    child.kill('SIGKILL')
  }

  return {
    run: (task, onProgress) =>
      new Promise((resolve, reject) => {
        settle = { resolve, reject, onProgress }
        if (!child.connected) return end(new TaskOverrun('crash'))
        child.send(task as object, (error) => {
          if (error) end(new TaskOverrun('crash', error))
        })
      }),
    stop(why) {
      reason = why
      end(why)
    },
    yieldToOthers: () => lowerPriority(child, NICE),
    cpuMs: () => cpuMsOf(child),
    get isUsable() {
      return isUsable
    },
  }
}

function heapFlags(memoryMb: number): string[] {
  const young = Math.min(16, Math.max(1, Math.floor(memoryMb / 16)))
  return [
    `--max-semi-space-size=${young}`,
    // Two halves and the space of large new objects.
    `--max-old-space-size=${memoryMb - 3 * young}`,
    `--stack-size=${STACK_KB}`,
  ]
}

/** Of all clock ticks of a process, as the kernel counts them: user and system time are fields 14 and 15. */
const MS_PER_TICK = 10

function cpuMsOf({ pid }: ChildProcess): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name in brackets may hold blanks.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK
  } catch {
    return undefined
  }
}

const overrunOf = (signal: NodeJS.Signals | null): Overrun =>
  signal === MEMORY_SIGNAL || HEAP_SIGNALS.has(signal) ? 'memory' : 'crash'

function lowerPriority({ pid }: ChildProcess, priority: number): void {
  try {
    if (pid !== undefined) setPriority(pid, priority)
  } catch {
    // Gone already, or the system does not let us.
  }
}
