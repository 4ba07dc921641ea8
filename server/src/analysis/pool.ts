import { availableParallelism } from 'node:os'
import { Piscina } from 'piscina'
import { EXIT_OUT_OF_MEMORY } from './memory-guard.ts'

export interface PoolSettings {
  /** The module whose default export does one task. */
  readonly workerFile: string
  readonly workers?: number
  /** A task that runs longer ends with its worker. Waiting in the queue does not count. */
  readonly timeoutMs: number
  /** Heap and buffers of one worker together. */
  readonly memoryMb: number
  /** How many tasks may wait for a worker. */
  readonly maxWaiting: number
}

export interface Pool {
  run<Result>(task: unknown, transfer?: ArrayBuffer[]): Promise<Result>
  readonly running: number
  readonly waiting: number
  close(): Promise<void>
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

/** Every worker is busy and every place in the queue is taken. */
export class PoolFull extends Error {
  constructor() {
    super('Every place in the queue is taken.')
    this.name = 'PoolFull'
  }
}

const WATCH_MS = 50
/** What the process may grow beyond the workers' own limits before the oldest task is taken for the culprit. */
const HEADROOM_MB = 256

/**
 * Threads that do one task each under a deadline and a memory limit. Waiting happens here and not in the library's queue, so that
 * the deadline starts with the work. Heap is bounded by V8, buffers by the guard inside the worker, and whatever escapes
 * both by watching the whole process.
 */
export function createPool(settings: PoolSettings): Pool {
  const workers = settings.workers ?? availableParallelism()
  const piscina = new Piscina({
    filename: settings.workerFile,
    minThreads: workers,
    maxThreads: workers,
    idleTimeout: Number.POSITIVE_INFINITY,
    workerData: { memoryMb: settings.memoryMb },
    resourceLimits: heapLimits(settings.memoryMb),
    execArgv: [],
    recordTiming: false,
  })
  // A worker that dies between tasks is replaced by the library; nobody waits for it.
  piscina.on('error', () => {})
  const places = createPlaces(workers, settings.maxWaiting)
  const watch = watchMemory(workers * settings.memoryMb + HEADROOM_MB)

  return {
    async run<Result>(task: unknown, transfer: ArrayBuffer[] = []): Promise<Result> {
      await places.take()
      const stop = new AbortController()
      const timer = setTimeout(() => stop.abort('timeout' satisfies Overrun), settings.timeoutMs)
      const unwatch = watch(stop)
      try {
        return (await piscina.run(task, { signal: stop.signal, transferList: transfer })) as Result
      } catch (error) {
        throw explain(error, stop.signal)
      } finally {
        clearTimeout(timer)
        unwatch()
        places.give()
      }
    },
    get running() {
      return places.taken
    },
    get waiting() {
      return places.waiting
    },
    close: () => piscina.destroy(),
  }
}

function heapLimits(memoryMb: number) {
  const young = Math.min(64, Math.floor(memoryMb / 4))
  return { maxYoungGenerationSizeMb: young, maxOldGenerationSizeMb: memoryMb - young, stackSizeMb: 8 }
}

function explain(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return new TaskOverrun(signal.reason as Overrun, error)
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') return new TaskOverrun('memory', error)
  const exitCode = /^worker exited with code: (\d+)$/.exec(message)?.[1]
  if (exitCode === undefined) return error
  return new TaskOverrun(Number(exitCode) === EXIT_OUT_OF_MEMORY ? 'memory' : 'crash', error)
}

/** First come, first served, with a bounded line. */
function createPlaces(count: number, maxWaiting: number) {
  const line: (() => void)[] = []
  let taken = 0
  return {
    async take(): Promise<void> {
      if (taken < count) {
        taken += 1
        return
      }
      if (line.length >= maxWaiting) throw new PoolFull()
      await new Promise<void>((resolve) => line.push(resolve))
    },
    give(): void {
      const next = line.shift()
      if (next) next()
      else taken -= 1
    },
    get taken() {
      return taken
    },
    get waiting() {
      return line.length
    },
  }
}

/** Ends the task that has run longest when the process as a whole has grown past its bound. */
function watchMemory(maxGrowthMb: number) {
  const tasks = new Set<AbortController>()
  const baseline = process.memoryUsage.rss()
  let timer: NodeJS.Timeout | undefined
  const look = (): void => {
    if (process.memoryUsage.rss() - baseline < maxGrowthMb * 1024 * 1024) return
    const [oldest] = tasks
    oldest?.abort('memory' satisfies Overrun)
  }
  return (task: AbortController) => {
    tasks.add(task)
    timer ??= setInterval(look, WATCH_MS).unref()
    return () => {
      tasks.delete(task)
      if (tasks.size > 0) return
      clearInterval(timer)
      timer = undefined
    }
  }
}
