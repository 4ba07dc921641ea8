import { type ChildProcess, fork } from 'node:child_process'
import { setPriority, tmpdir } from 'node:os'
import { elapsedMs } from '../core/clock.ts'
import { readCpuMs, readWaiting, type Waiting } from './cpu-time.ts'
import { type Interim, MEMORY_SIGNAL, type Reply } from './serve-tasks.ts'

/**
 * One worker: a process of its own, because a thread that runs out of memory can take the whole service with it (V8 ends the process
 * when a single allocation passes the limit), and because a process has memory, priority and environment of its own: of this service it sees where temporary files belong, and no secret.
 */
export interface WorkerProcess {
  run(task: unknown, onProgress?: (progress: unknown) => void): Promise<unknown>
  /** Ends it; what it was doing fails with this. */
  stop(reason: Error): void
  /** Lets everything else go first, from now on: no process gets its priority back. */
  yieldToOthers(): void
  readonly isYielding: boolean
  /** CPU time of the present or last task; where the system does not tell, the time that has passed. */
  readonly cpuMs: number
  /** How long it waited for a core during the present task; undefined where the system does not tell. */
  readonly waiting: Waiting | undefined
  readonly isUsable: boolean
}

/** `starved`: stopped before it had its CPU time, because the machine was slow or others needed the place. */
export type Overrun = 'timeout' | 'starved' | 'memory' | 'crash'

/** The task used up what it was given, or took its worker down; the worker has been replaced. */
export class TaskOverrun extends Error {
  readonly overrun: Overrun
  /** CPU time that it used, if known. */
  readonly cpuMs: number | undefined
  /** CPU time that it was given, if that was what it used up. */
  readonly limitMs: number | undefined

  constructor(
    overrun: Overrun,
    { cause, cpuMs, limitMs }: { readonly cause?: unknown; readonly cpuMs?: number; readonly limitMs?: number } = {},
  ) {
    super(`The task was stopped: ${overrun}.`, { cause })
    this.name = 'TaskOverrun'
    this.overrun = overrun
    this.cpuMs = cpuMs
    this.limitMs = limitMs
  }
}

const MB = 1024 * 1024
/** What a process takes before it has done anything. */
const BASE_MB = 160
/** One that holds more than this part of its memory after a task is replaced, so that each task starts with room. */
const WORN_PART = 0.6
const STACK_KB = 6_000
/** What takes long gets what others leave: its deadline counts the CPU time that it got. */
const NICE = 10
/** What V8 ends a process with when its heap is full. */
const HEAP_SIGNALS = new Set<NodeJS.Signals | null>(['SIGABRT', 'SIGTRAP', 'SIGILL'])

/** The caller that waits for the current task. */
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
  let isYielding = false
  const meter = createMeter(child)

  const end = (error: Error): void => {
    isUsable = false
    meter.stop()
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
    meter.stop()
    if (reply.rssBytes > WORN_PART * maxBytes) retire()
    if ('failure' in reply) settle?.reject(Object.assign(new Error(reply.failure.message), reply.failure))
    else settle?.resolve(reply.result)
    settle = undefined
  })
  child.on('exit', (_code, signal) => end(reason ?? new TaskOverrun(overrunOf(signal))))
  child.on('error', (error) => end(new TaskOverrun('crash', { cause: error })))
  const retire = (): void => {
    isUsable = false
    child.kill('SIGKILL')
  }

  return {
    run: (task, onProgress) =>
      new Promise((resolve, reject) => {
        settle = { resolve, reject, onProgress }
        meter.start()
        if (!child.connected) return end(new TaskOverrun('crash'))
        child.send(task as object, (error) => {
          if (error) end(new TaskOverrun('crash', { cause: error }))
        })
      }),
    stop(why) {
      reason = why
      end(why)
    },
    yieldToOthers() {
      if (!isYielding) lowerPriority(child, NICE)
      isYielding = true
    },
    get isYielding() {
      return isYielding
    },
    get cpuMs() {
      return meter.ms
    },
    get waiting() {
      return meter.waiting
    },
    get isUsable() {
      return isUsable
    },
  }
}

/** The CPU time of one task of this process. */
function createMeter({ pid }: ChildProcess) {
  let startedAt = 0
  let cpuAtStart: number | undefined
  let waitedAtStart: number | undefined
  let stoppedMs: number | undefined
  const now = (): number => {
    const cpu = readCpuMs(pid)
    return cpu === undefined || cpuAtStart === undefined ? elapsedMs() - startedAt : cpu - cpuAtStart
  }
  return {
    start(): void {
      startedAt = elapsedMs()
      cpuAtStart = readCpuMs(pid)
      waitedAtStart = readWaiting(pid)?.waitedMs
      stoppedMs = undefined
    },
    /** Before the process is ended: nobody can ask it afterwards. */
    stop(): void {
      stoppedMs ??= now()
    },
    get ms(): number {
      return stoppedMs ?? now()
    },
    get waiting(): Waiting | undefined {
      const now = readWaiting(pid)
      return now && waitedAtStart !== undefined ? { ...now, waitedMs: now.waitedMs - waitedAtStart } : undefined
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

const overrunOf = (signal: NodeJS.Signals | null): Overrun =>
  signal === MEMORY_SIGNAL || HEAP_SIGNALS.has(signal) ? 'memory' : 'crash'

function lowerPriority({ pid }: ChildProcess, priority: number): void {
  try {
    if (pid !== undefined) setPriority(pid, priority)
  } catch {
    // Gone already, or the system does not let us.
  }
}
