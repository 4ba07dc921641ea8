import { availableParallelism } from 'node:os'
import { elapsedMs } from '../core/clock.ts'
import { GivenUp } from '../core/given-up.ts'
import { currentSpan, type Span } from '../core/tracing.ts'
import { createForecast } from './forecast.ts'
import { createLine, type Load, type Owner } from './line.ts'
import { createRecentWork, type RecentWork } from './recent-work.ts'
import { type Overrun, startWorker, TaskOverrun, type WorkerProcess } from './worker-process.ts'

export type { Owner } from './line.ts'
export { TaskOverrun } from './worker-process.ts'

export interface PoolSettings {
  /** The module that serves tasks. */
  readonly workerFile: string
  readonly workers?: number
  /** CPU time: a task that takes more ends with its worker. Neither waiting in the line counts nor a machine that is busy elsewhere. */
  readonly timeoutMs: number
  /** Everything that one worker may hold. */
  readonly memoryMb: number
  /** How many tasks may wait for a worker. One account never takes the last places. */
  readonly maxWaiting: number
  /** How long one may wait: a task that might wait longer is refused at once, and one that did is given up. */
  readonly maxWaitMs: number
  /** After that long in the line a task is instructed to come back, or keeps its turn no matter who comes. */
  readonly promiseAfterMs?: number
  readonly observer?: PoolObserver | undefined
  readonly recent?: RecentWork | undefined
}

/** Hears of every task. */
export interface PoolObserver {
  onStart(waitedMs: number): void
  onEnd(ranMs: number, outcome: 'done' | 'failed' | 'stopped'): void
  /** CPU time that an account has used, however the task ended. */
  onUsed?(account: string, cpuMs: number): void
  /** A worker ended with its task, and another takes its place. */
  onReplaced?(reason: Overrun | 'given-up'): void
}

export interface RunOptions {
  readonly owner: Owner
  /** Nobody wants the result any more: a task that waits is taken out, one that runs is stopped. */
  readonly signal?: AbortSignal | undefined
  /** Hears how far the task got, if it tells; from the start again when its worker had to be replaced. */
  readonly onProgress?: ((progress: unknown) => void) | undefined
  /** Instead of the pool's own. */
  readonly deadline?: Deadline | undefined
  /**
   * How often it had to give way already: each time it is sure of twice as long. A caller that gives this retries by itself; for the
   * others the pool does, once.
   */
  readonly tries?: number | undefined
}

/** Past any of them a task ends with its worker: work costs CPU time, and a busy machine costs wall time. */
export interface Deadline {
  readonly cpuMs: number
  /** Wall time without what it waited for a core; where the system does not tell how long that was, `mostWallMs` alone counts. */
  readonly wallMs?: number | undefined
  /** However little CPU time it gets. */
  readonly mostWallMs: number
}

export interface Pool {
  run<Result>(task: unknown, options: RunOptions): Promise<Result>
  /** Seconds after which to come back, when a task of this owner would be refused now. */
  secondsUntilRoom(owner: Owner): number | undefined
  readonly running: number
  readonly waiting: number
  close(): Promise<void>
}

/** Too many are waiting. */
export class PoolFull extends Error {
  readonly retryAfterSeconds: number

  constructor(retryAfterSeconds = 2) {
    super('Too many tasks are waiting.')
    this.name = 'PoolFull'
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** The caller is gone. */
export class TaskAbandoned extends Error {
  /** By the caller, and not because this process stops. */
  readonly isGivenUp: boolean
  /** CPU time that it had used by then. */
  readonly cpuMs: number

  constructor({ isGivenUp = false, cpuMs = 0 } = {}) {
    super('Nobody waits for this task any more.')
    this.name = 'TaskAbandoned'
    this.isGivenUp = isGivenUp
    this.cpuMs = cpuMs
  }
}

/** From then on a task no longer holds one of the places that others wait for. */
const SLOW_MS = 1_000
/** Most tasks are done by then: of an account that has a slow one already, whatever is not may well be the next. */
const SUSPECT_MS = 100
/** What a task is sure of when all places are held by such as take long, and others wait. */
const SURE_MS = 5_000
const RELIEF_MS = 250
/** An abandoned task gets this long to finish: stopping a worker costs about as much. */
const ABANDONED_MS = 1_000
const PROMISE_AFTER_MS = 500
/** However little CPU time a task gets, after so many times its limit it is stopped. */
const MAX_STRETCH = 4
const LEAST_LOOK_MS = 50
/** An account that has used this much of late leaves one place free for others, unless its plan is the best. */
const HEAVY_MS = 5_000
/** How often a task is begun again that had to give way. */
const MORE_TRIES = 1
/** The machine may become this much slower, and anyone who was let in still does not wait for too long. */
const MARGIN = 2

interface Job {
  readonly task: unknown
  readonly owner: Owner
  readonly onProgress: RunOptions['onProgress']
  readonly deadline: Deadline
  readonly sureMs: number
  readonly arrivedAt: number
  isPromised: boolean
  settle(error: unknown, result?: unknown): void
  timer: NodeJS.Timeout | undefined
  worker?: WorkerProcess
  startedAt: number
  isSlow: boolean
  /** Its worker went away once already. */
  hasCrashed: boolean
  /** It was stopped for others, before its deadline. */
  wasPreempted: boolean
  /** The trace it belongs to, and the step of it that is going on. */
  readonly trace: Span | undefined
  step: Span | undefined
}

/**
 * Processes that do one task each under a deadline and a memory limit, and the line before them. A task that takes long moves to a slow
 * place after a moment, at low priority, so that it delays nobody; the slow places are few, and of one account there are at most two.
 */
export function createPool(settings: PoolSettings): Pool {
  const places = settings.workers ?? availableParallelism()
  const slowPlaces = Math.max(2, Math.ceil(places / 2))
  const line = createLine<Job>()
  const running = new Set<Job>()
  const idle: WorkerProcess[] = []
  const recent = settings.recent ?? createRecentWork()
  const forecast = createForecast(places)
  const promiseAfterMs = Math.min(settings.promiseAfterMs ?? PROMISE_AFTER_MS, settings.maxWaitMs)
  let isClosed = false
  let relief: NodeJS.Timeout | undefined

  const start = (): WorkerProcess => startWorker(settings.workerFile, settings.memoryMb)
  const count = (isWanted: (job: Job) => boolean): number => [...running].filter(isWanted).length
  const loadOf = (account: string): Load => {
    const own = [...running].filter((job) => job.owner.account === account)
    const slow = own.filter(({ isSlow }) => isSlow)
    const now = elapsedMs()
    const suspects = own.filter(({ isSlow, startedAt }) => !isSlow && now - startedAt >= SUSPECT_MS)
    return { running: own.length, slow: slow.length + (slow.length > 0 ? suspects.length : 0) }
  }
  const freePlaces = (): number => places - count((job) => !job.isSlow)

  const idleWorker = (): WorkerProcess => {
    for (let worker = idle.pop(); worker; worker = idle.pop()) if (worker.isUsable) return worker
    return start()
  }
  /** One more than there are places: when a task takes long, the next one does not wait for a process to start. */
  const keepWarm = (): void => {
    while (!isClosed && idle.length < freePlaces() + 1) idle.unshift(start())
  }

  const serve = (): void => {
    while (freePlaces() > 0) {
      const job = line.next(loadOf, freePlaces() > 1 || places === 1 ? undefined : mayTakeLast)
      if (!job) break
      begin(job)
    }
    watchLine()
  }

  const mayTakeLast = ({ account, rank }: Owner): boolean => rank === 0 || recent.of(account) < HEAVY_MS
  /** Who competes with this owner: an account that leaves the last place to others is served after them, and its waiting says nothing about theirs. */
  const rivalsOf = (owner: Owner): ((other: Owner) => boolean) | undefined =>
    places > 1 && mayTakeLast(owner) ? mayTakeLast : undefined

  const begin = (job: Job): void => {
    clearTimeout(job.timer)
    job.startedAt = elapsedMs()
    settings.observer?.onStart(job.startedAt - job.arrivedAt)
    running.add(job)
    job.step?.end()
    job.step = job.trace?.begin('worker')
    handOver(job)
    keepWarm()
    const { cpuMs } = job.deadline
    job.timer = cpuMs <= SLOW_MS ? setTimeout(() => endInTime(job), cpuMs) : setTimeout(() => slowDown(job), SLOW_MS)
  }
  const handOver = (job: Job, worker = idleWorker()): void => {
    job.worker = worker
    if (job.isSlow) worker.yieldToOthers()
    worker.run(job.task, job.onProgress).then(
      (result) => finish(job, undefined, result),
      (error: unknown) => (isWorthAnother(job, error) ? handOver(job, start()) : finish(job, error)),
    )
  }

  /**
   * A worker may be killed by others, the system's own memory killer say, and its task is innocent: it is begun once more, within the
   * same deadline, by a new worker, since those that wait may be dead as well. One that takes down two is not.
   */
  const isWorthAnother = (job: Job, error: unknown): boolean => {
    const isCrash = error instanceof TaskOverrun && error.overrun === 'crash'
    const isFirst = isCrash && !job.hasCrashed && !isClosed
    if (isCrash) job.hasCrashed = true
    noteReplaced(error)
    return isFirst
  }

  const noteReplaced = (error: unknown): void => {
    if (isClosed) return
    if (error instanceof TaskOverrun) settings.observer?.onReplaced?.(error.overrun)
    if (error instanceof TaskAbandoned) settings.observer?.onReplaced?.('given-up')
  }

  const finish = (job: Job, error: unknown, result?: unknown): void => {
    clearTimeout(job.timer)
    running.delete(job)
    const ranMs = elapsedMs() - job.startedAt
    if (!job.isSlow) forecast.note(ranMs)
    settings.observer?.onEnd(ranMs, error === undefined ? 'done' : error instanceof TaskOverrun ? 'stopped' : 'failed')
    const { worker } = job
    const cpuMs = worker?.cpuMs ?? 0
    recent.note(job.owner.account, cpuMs)
    settings.observer?.onUsed?.(job.owner.account, cpuMs)
    if (worker?.isUsable && !worker.isYielding && idle.length <= places && !isClosed) idle.push(worker)
    else worker?.stop(new TaskAbandoned())
    job.settle(error, result)
    if (job.isSlow) promote()
    serve()
    keepWarm()
  }

  const overrun = (job: Job, why: 'timeout' | 'starved'): void =>
    job.worker?.stop(new TaskOverrun(why, { cpuMs: job.worker.cpuMs, limitMs: job.deadline.cpuMs }))

  /** Stops a task that has had its time, and waits for one that has not: on a busy machine it is not the task that is slow. */
  const endInTime = (job: Job): void => {
    const restMs = job.deadline.cpuMs - (job.worker?.cpuMs ?? 0)
    const passedMs = elapsedMs() - job.startedAt
    const restOwnMs = ownWallLeft(job, passedMs)
    const restWallMs = job.deadline.mostWallMs - passedMs
    // Several threads use more than a second in a second: it is looked at again before it can be due.
    const nextMs = Math.min(restMs / 2, restOwnMs, restWallMs)
    if (restMs <= 0 || restOwnMs <= 0) overrun(job, 'timeout')
    else if (restWallMs <= 0) overrun(job, 'starved')
    else job.timer = setTimeout(() => endInTime(job), Math.max(LEAST_LOOK_MS, nextMs))
  }

  const slowDown = (job: Job): void => {
    endInTime(job)
    job.worker?.yieldToOthers()
    promote()
    serve()
    keepWarm()
  }

  /** Moves what takes long out of the way, as far as there are slow places. */
  const promote = (): void => {
    const now = elapsedMs()
    for (const job of running) {
      if (count(({ isSlow }) => isSlow) >= slowPlaces) return
      if (job.isSlow || now - job.startedAt < SLOW_MS) continue
      job.isSlow = true
      forecast.note(now - job.startedAt)
    }
  }

  /** While someone waits and every place is held by such as take long, the one of the least plan that has had the most gives way. */
  const watchLine = (): void => {
    if (line.size === 0) {
      clearInterval(relief)
      relief = undefined
    } else relief ??= setInterval(relieve, RELIEF_MS).unref()
  }
  const relieve = (): void => {
    promote()
    serve()
    const now = elapsedMs()
    if (freePlaces() > 0 || count((job) => now - job.startedAt < SURE_MS) > 0) return
    const mayEnd = [...running].filter((job) => now - job.startedAt >= job.sureMs)
    const [last] = mayEnd.sort((a, b) => b.owner.rank - a.owner.rank || a.startedAt - b.startedAt)
    if (!last) return
    last.wasPreempted = true
    overrun(last, 'starved')
  }

  const secondsUntilRoom = (owner: Owner): number | undefined => {
    if (freePlaces() > 0 && line.size === 0) return undefined
    const isRival = rivalsOf(owner)
    const oldest = line.oldest(owner, loadOf, isRival)
    const ageMs = oldest ? elapsedMs() - oldest.arrivedAt : 0
    // By what tasks took of late; and when those in the line wait longer than that foretold, by their waiting.
    const waitMs = Math.max(forecast.waitMs(line.countAhead(owner, isRival)), ageMs)
    // Anyone who fills the line is refused before the others are.
    const hasPlace = line.countOf(owner.account) < settings.maxWaiting - line.size
    if (hasPlace && MARGIN * waitMs <= settings.maxWaitMs) return undefined
    return Math.max(1, Math.ceil(waitMs / 1000))
  }

  const giveUp = (job: Job): void => {
    if (line.remove(job)) job.settle(new PoolFull(Math.ceil(settings.maxWaitMs / 1000)))
    watchLine()
  }
  /** Better plans may have come before it since: then it is reported soon, not after all of its waiting. */
  const promise = (job: Job): void => {
    const restMs = settings.maxWaitMs - (elapsedMs() - job.arrivedAt)
    job.isPromised = MARGIN * forecast.waitMs(line.countBefore(job, rivalsOf(job.owner))) <= restMs
    if (job.isPromised) job.timer = setTimeout(() => giveUp(job), restMs)
    else giveUp(job)
  }

  const usual: Deadline = { cpuMs: settings.timeoutMs, mostWallMs: MAX_STRETCH * settings.timeoutMs }
  const enter = (
    task: unknown,
    { owner, onProgress, deadline = usual, tries = 0 }: RunOptions,
    settle: Job['settle'],
  ): Job => {
    const trace = currentSpan()
    const job: Job = {
      task,
      owner,
      onProgress,
      deadline,
      sureMs: SURE_MS * 2 ** tries,
      arrivedAt: elapsedMs(),
      isPromised: false,
      startedAt: 0,
      isSlow: false,
      hasCrashed: false,
      wasPreempted: false,
      trace,
      step: trace?.begin('queue'),
      timer: undefined,
      settle(error, result) {
        if (error !== undefined) job.step?.fail(error)
        job.step?.end()
        settle(error, result)
      },
    }
    job.timer = setTimeout(() => promise(job), promiseAfterMs)
    line.add(job)
    serve()
    return job
  }

  const abandon = (job: Job, isGivenUp: boolean): void => {
    if (line.remove(job)) {
      clearTimeout(job.timer)
      job.settle(new TaskAbandoned())
      watchLine()
      return
    }
    if (!running.has(job)) return
    clearTimeout(job.timer)
    const graceMs = Math.max(0, ABANDONED_MS - (elapsedMs() - job.startedAt))
    const stop = (): void => job.worker?.stop(new TaskAbandoned({ isGivenUp, cpuMs: job.worker.cpuMs }))
    job.timer = setTimeout(stop, graceMs)
  }

  const attempt = <Result>(task: unknown, options: RunOptions, tries = options.tries ?? 0): Promise<Result> => {
    const { signal } = options
    if (isClosed || signal?.aborted) return Promise.reject(new TaskAbandoned())
    const isTriedAgain = ({ wasPreempted }: Job): boolean =>
      wasPreempted && options.tries === undefined && tries < MORE_TRIES
    return new Promise((resolve, reject) => {
      const job = enter(task, { ...options, tries }, (error, result) => {
        signal?.removeEventListener('abort', onAbort)
        if (error === undefined) resolve(result as Result)
        else if (isTriedAgain(job)) resolve(attempt(task, options, tries + 1))
        else reject(error)
      })
      const onAbort = (): void => abandon(job, signal?.reason instanceof GivenUp)
      signal?.addEventListener('abort', onAbort)
    })
  }

  keepWarm()
  return {
    async run<Result>(task: unknown, options: RunOptions): Promise<Result> {
      const seconds = secondsUntilRoom(options.owner)
      if (seconds !== undefined && !isClosed && !options.signal?.aborted) throw new PoolFull(seconds)
      return attempt<Result>(task, options)
    },
    secondsUntilRoom,
    get running() {
      return running.size
    },
    get waiting() {
      return line.size
    },
    async close() {
      isClosed = true
      clearInterval(relief)
      for (const job of running) job.worker?.stop(new TaskAbandoned())
      for (let job = line.next(noLoad); job; job = line.next(noLoad)) {
        clearTimeout(job.timer)
        job.settle(new TaskAbandoned())
      }
      for (const worker of idle.splice(0)) worker.stop(new TaskAbandoned())
    },
  }
}

/** A task that computes or waits for a core is not late by the clock: its CPU time says when it has had enough. */
function ownWallLeft({ worker, deadline: { wallMs } }: Job, passedMs: number): number {
  const waiting = wallMs === undefined ? undefined : worker?.waiting
  if (wallMs === undefined || waiting === undefined) return Number.POSITIVE_INFINITY
  const leftMs = wallMs - (passedMs - waiting.waitedMs)
  return waiting.isReady ? Math.max(LEAST_LOOK_MS, leftMs) : leftMs
}

const noLoad = (): Load => ({ running: 0, slow: 0 })
