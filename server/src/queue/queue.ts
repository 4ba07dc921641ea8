import type { Clock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import { readLogContext } from '../core/log-context.ts'
import { type Randomness, randomFraction } from '../core/randomness.ts'
import type { Database, Db } from '../stores/database.ts'
import { createBossJobs } from './boss-jobs.ts'
import { type BoundJob, DEFAULT_TIMEOUT_SECONDS, type JobKind, NotYet } from './job.ts'
import type { JobStorage, TakenJob } from './job-storage.ts'
import { createRunner, type Runner } from './runner.ts'
import { createScheduler } from './scheduler.ts'
import { createTableJobs } from './table-jobs.ts'

export interface Queue {
  /**
   * Adds a job in the caller's transaction: it exists exactly if that commits. A job with the same `key` that is still waiting is not
   * added twice. The payload is stored in the clear: seal what is secret.
   */
  enqueue<Payload>(tx: Db, kind: JobKind<Payload>, payload: Payload, options?: EnqueueOptions): Promise<void>
  /** Adds as many jobs of one kind, due at once, with the same payload. */
  enqueueMany<Payload>(tx: Db, kind: JobKind<Payload>, payload: Payload, count: number): Promise<void>
  /**
   * Takes up the work; jobs run as soon as they are due. `isAlone`: no other process can be working on this database, so what a killed
   * one left is taken up at once.
   */
  start(jobs: readonly BoundJob[], options?: { readonly isAlone?: boolean }): Promise<void>
  /** Runs what is due now, to the end, and says how many tries that took; for tests and commands. */
  runDue(jobs: readonly BoundJob[]): Promise<number>
  countWaiting(kind: JobKind<unknown>): Promise<number>
  /** How many are due and not begun, by the name of their kind. */
  countDue(): Promise<ReadonlyMap<string, number>>
  /** Takes nothing new and waits for what is running; what does not end in time comes back by its lease. Others may still add to it. */
  rest(): Promise<void>
  /** Rests, and can no longer be added to. */
  stop(): Promise<void>
}

export interface EnqueueOptions {
  readonly runAt?: Date
  readonly key?: string
}

export interface QueueDeps {
  readonly database: Database
  readonly clock: Clock
  readonly randomness: Randomness
  readonly log: Log
  /** Hears what became of each try. */
  readonly onOutcome?: ((kind: string, outcome: JobOutcome) => void) | undefined
}

export type JobOutcome = 'done' | 'retried' | 'postponed' | 'given-up'

/** A lease outlasts the longest try, so that a job is never run twice while its first runner lives. */
const LEASE_MARGIN_SECONDS = 5
const MAX_JITTER = 0.2
/** Clocks of replicas may differ by this much. */
const SKEW_MS = 60_000
const LOOK_MS = 30_000

/** Every kind that will be enqueued or run must be named here. */
export async function createQueue(deps: QueueDeps, kinds: readonly JobKind<unknown>[]): Promise<Queue> {
  const { database, clock, log } = deps
  const storage = await openStorage(deps, kinds)
  const scheduler = createScheduler(database.db, clock, storage)
  const settle = (kind: JobKind<unknown>, job: TakenJob, error: unknown) =>
    settleFailure(deps, storage, kind, job, error)
  const onDone = (kind: string): void => deps.onOutcome?.(kind, 'done')
  const catchUp = async (): Promise<void> => {
    await boundDelays(storage, kinds)
    await storage.catchUp()
  }
  let runner: Runner | undefined
  let looking: NodeJS.Timeout | undefined
  let resting: Promise<void> | undefined
  const rest = (): Promise<void> => {
    clearInterval(looking)
    resting ??= runner?.stop() ?? Promise.resolve()
    return resting
  }
  await catchUp()

  return {
    async enqueue(tx, kind, payload, { runAt = clock.now(), key } = {}) {
      const { requestId } = readLogContext()
      await storage.add(tx, {
        name: kind.name,
        payload: kind.payload.parse(payload),
        runAt,
        key,
        attempt: 0,
        requestId,
      })
      runner?.wake(kind.name)
    },
    async enqueueMany(tx, kind, payload, count) {
      const job = {
        name: kind.name,
        payload: kind.payload.parse(payload),
        runAt: clock.now(),
        key: undefined,
        attempt: 0,
        requestId: readLogContext().requestId,
      }
      await storage.addMany(
        tx,
        Array.from({ length: count }, () => job),
      )
      runner?.wake(kind.name)
    },
    async start(jobs, { isAlone = false } = {}) {
      if (isAlone) await storage.endLeases()
      runner = createRunner({ storage, scheduler, log, settle, onDone }, jobs)
      runner.start()
      const onError = (error: unknown) => log.warn({ err: error }, 'delayed jobs could not be looked at')
      looking = setInterval(() => void catchUp().catch(onError), LOOK_MS).unref()
    },
    async runDue(jobs) {
      await catchUp()
      return createRunner({ storage, scheduler, log, settle, onDone }, jobs).runDue()
    },
    countWaiting: (kind) => storage.countWaiting(kind.name),
    countDue: () => storage.countDue(),
    rest,
    async stop() {
      await rest()
      await storage.stop()
    },
  }
}

async function openStorage(deps: QueueDeps, kinds: readonly JobKind<unknown>[]): Promise<JobStorage> {
  const { database, log } = deps
  const leaseSeconds = new Map(
    kinds.map(({ name, timeoutSeconds = DEFAULT_TIMEOUT_SECONDS }) => [name, timeoutSeconds + LEASE_MARGIN_SECONDS]),
  )
  if (leaseSeconds.size !== kinds.length) throw new Error('Two kinds of job have the same name.')
  const common = { db: database.db, clock: deps.clock, randomness: deps.randomness, leaseSeconds }
  if (!database.pool) return createTableJobs(common)
  const onError = (error: Error) => log.warn({ err: error }, 'the job store reported a problem')
  return createBossJobs({ ...common, pool: database.pool, onError })
}

/**
 * A clock that ran ahead for a while has put jobs further off than their retry schedule ever would: they are moved forward to what
 * the schedule allows, once the clock is right again.
 */
async function boundDelays(storage: JobStorage, kinds: readonly JobKind<unknown>[]): Promise<void> {
  for (const job of await storage.listDelayed(SKEW_MS)) {
    const kind = kinds.find(({ name }) => name === job.name)
    if (!kind) continue
    const pause = job.attempt === 0 ? (kind.maxDelaySeconds ?? 0) : (kind.retryAfterSeconds[job.attempt - 1] ?? 0)
    const longestMs = pause * (1 + MAX_JITTER) * 1000
    if (job.delayMs > longestMs + SKEW_MS) await storage.makeDueIn(job, longestMs)
  }
}

async function settleFailure(
  deps: QueueDeps,
  storage: JobStorage,
  kind: JobKind<unknown>,
  job: TakenJob,
  error: unknown,
) {
  if (error instanceof NotYet) {
    deps.onOutcome?.(job.name, 'postponed')
    const runAt = new Date(deps.clock.now().getTime() + error.seconds * 1000)
    return storage.postpone({ ...job, attempt: job.attempt - 1 }, runAt)
  }
  const pause = kind.retryAfterSeconds[job.attempt - 1]
  deps.onOutcome?.(job.name, pause === undefined ? 'given-up' : 'retried')
  if (pause === undefined) {
    deps.log.error({ err: error, job: job.name, attempt: job.attempt }, 'job given up')
    await storage.giveUp(job, error instanceof Error ? error.message : String(error))
    return
  }
  const seconds = pause * (1 + MAX_JITTER * randomFraction(deps.randomness))
  deps.log.warn({ err: error, job: job.name, attempt: job.attempt, retryInSeconds: Math.round(seconds) }, 'job failed')
  await storage.postpone(job, new Date(deps.clock.now().getTime() + seconds * 1000))
}
