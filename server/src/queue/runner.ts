import { elapsedMs } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import { inLogContext } from '../core/log-context.ts'
import { type BoundJob, DEFAULT_CONCURRENCY, DEFAULT_TIMEOUT_SECONDS, type JobKind } from './job.ts'
import type { JobStorage, TakenJob } from './job-storage.ts'
import type { Scheduler } from './scheduler.ts'

export interface Runner {
  start(): void
  /** Looks for work of this name at once instead of at the next round. */
  wake(name: string): void
  runDue(): Promise<number>
  stop(): Promise<void>
}

export interface RunnerDeps {
  readonly storage: JobStorage
  readonly scheduler: Scheduler
  readonly log: Log
  /** Decides what becomes of a job whose try failed. */
  settle(kind: JobKind<unknown>, job: TakenJob, error: unknown): Promise<void>
  onDone?(kind: string): void
}

const POLL_MS = 1000
/** For what comes round by itself once in minutes: nobody waits for it, and every look is a query. */
const RARE_POLL_MS = 10_000
const RARE_SECONDS = 60
/** Long enough for the transaction that enqueued to commit. */
const WAKE_MS = 25
/** How long running jobs get to finish before they have to give back what they have, and how long in all. */
const FINISH_MS = 8_000
const DRAIN_MS = 15_000

export function createRunner(deps: RunnerDeps, jobs: readonly BoundJob[]): Runner {
  const lanes = new Map(jobs.map((job) => [job.kind.name, createLane(deps, job)]))
  const all = [...lanes.values()]
  return {
    start: () => all.forEach((lane) => void lane.start()),
    wake: (name) => lanes.get(name)?.wake(),
    async runDue() {
      let total = 0
      for (let ran = -1; ran !== 0; total += ran) {
        ran = 0
        for (const lane of all) await lane.schedule()
        const due = await deps.storage.listTakeable()
        for (const [name, lane] of lanes) if (due.has(name)) ran += await lane.runDue()
      }
      return total
    },
    stop: async () => void (await Promise.all(all.map((lane) => lane.stop()))),
  }
}

/** One kind of job: its own rhythm and its own limit, so that slow deliveries do not hold up mails. */
function createLane(deps: RunnerDeps, job: BoundJob) {
  const { storage, scheduler, log } = deps
  const { name, concurrency = DEFAULT_CONCURRENCY, everySeconds = 0 } = job.kind
  const pollMs = everySeconds >= RARE_SECONDS ? RARE_POLL_MS : POLL_MS
  const running = new Set<Promise<void>>()
  const alarm = createAlarm()
  const stopping = new AbortController()
  let isStopping = false

  const schedule = (): Promise<void> => scheduler.tick(job.kind)
  const takeAndStart = async (): Promise<number> => {
    const taken = await storage.take(name, concurrency - running.size)
    for (const item of taken) {
      const context = { requestId: item.requestId, job: name }
      const run = inLogContext(context, () => execute(deps, job, item, stopping.signal)).finally(() => {
        running.delete(run)
        alarm.ring()
      })
      running.add(run)
    }
    return taken.length
  }

  const scheduleAndStart = (): Promise<number> => schedule().then(takeAndStart)

  return {
    schedule,
    async start() {
      while (!isStopping) {
        const isFull = running.size >= concurrency
        const taken = isFull
          ? 0
          : ((await scheduleAndStart().catch((error) => void log.warn({ err: error, job: name }, 'queue'))) ?? 0)
        if (isFull || taken < concurrency) await alarm.wait(pollMs)
      }
    },
    wake: () => alarm.ringIn(WAKE_MS),
    async runDue() {
      const taken = await takeAndStart()
      await Promise.all(running)
      return taken
    },
    async stop() {
      isStopping = true
      alarm.ring()
      const abortTimer = setTimeout(() => stopping.abort(), FINISH_MS)
      await Promise.race([Promise.all(running), pause(DRAIN_MS)])
      clearTimeout(abortTimer)
    },
  }
}

async function execute(
  { storage, settle, log, onDone }: RunnerDeps,
  job: BoundJob,
  taken: TakenJob,
  stopping: AbortSignal,
): Promise<void> {
  const seconds = job.kind.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS
  const isLast = taken.attempt > job.kind.retryAfterSeconds.length
  const signal = AbortSignal.timeout(seconds * 1000)
  const begunAt = elapsedMs()
  try {
    try {
      await untilAborted(signal, job.run(taken.payload, { number: taken.attempt, isLast, signal, stopping }))
    } catch (error) {
      await settle(job.kind, taken, error)
      return
    }
    await storage.finish(taken)
    onDone?.(taken.name)
    // What comes round by itself would fill the log.
    const level = taken.requestId === undefined ? 'debug' : 'info'
    log[level]({ attempt: taken.attempt, ms: Math.round(elapsedMs() - begunAt) }, 'job')
  } catch (error) {
    // The database did not take the outcome: the lease ends and the job runs again.
    log.warn({ err: error, job: taken.name }, 'the outcome of a job could not be stored')
  }
}

const untilAborted = (signal: AbortSignal, work: Promise<void>): Promise<void> =>
  Promise.race([
    work,
    new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(new Error('The job took too long.')), { once: true })
    }),
  ])

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms).unref())

/** A sleep that can be cut short; a ring while nobody sleeps cuts the next sleep. */
function createAlarm() {
  let wakeUp: (() => void) | undefined
  let hasRung = false
  let isSet = false
  const ring = (): void => {
    hasRung = true
    wakeUp?.()
  }
  return {
    ring,
    ringIn(ms: number): void {
      if (isSet) return
      isSet = true
      setTimeout(() => {
        isSet = false
        ring()
      }, ms)
    },
    async wait(ms: number): Promise<void> {
      if (!hasRung) {
        let timer: NodeJS.Timeout | undefined
        await new Promise<void>((resolve) => {
          wakeUp = resolve
          timer = setTimeout(resolve, ms)
        })
        clearTimeout(timer)
        wakeUp = undefined
      }
      hasRung = false
    },
  }
}
