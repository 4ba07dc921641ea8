import type { ZodType } from 'zod'

/** What can be enqueued: a name, the shape of its payload, and what happens when it fails. */
export interface JobKind<Payload> {
  /** Unique, kebab-case; stays the same for as long as jobs of it may be waiting. */
  readonly name: string
  readonly payload: ZodType<Payload>
  /** Pauses between the tries, in seconds; after the last one has failed too the job is given up. */
  readonly retryAfterSeconds: readonly number[]
  /** How far ahead a first try may be put; without it a new job is due at once. */
  readonly maxDelaySeconds?: number
  /** A try that takes longer is aborted and counts as failed. */
  readonly timeoutSeconds?: number
  /** How many of this kind one replica runs at a time. */
  readonly concurrency?: number
  /** Set: enqueued by itself in this rhythm, once for all replicas, with an empty payload. */
  readonly everySeconds?: number
}

export interface Attempt {
  /** 1 on the first try. */
  readonly number: number
  /** No further try follows if this one fails. */
  readonly isLast: boolean
  /** Aborted when the time for this try is over. */
  readonly signal: AbortSignal
  /** Fires a while after the process was signaled to stop: a job that cannot be done soon gives back what it has, by `NotYet`. */
  readonly stopping: AbortSignal
}

/** A kind and what it does. `run` must be safe to run twice: a killed process leaves its job to the next one. */
export interface Job<Payload, Deps> extends JobKind<Payload> {
  /** How many at a time, where that depends on the machine. */
  concurrencyOf?(deps: Deps): number
  run(deps: Deps, payload: Payload, attempt: Attempt): Promise<void>
}

/** A job with its dependencies handed in: what the queue can run. */
export interface BoundJob {
  readonly kind: JobKind<unknown>
  run(payload: unknown, attempt: Attempt): Promise<void>
}

/** Thrown by a job that has not begun: it comes round again soon, and this was no try. */
export class NotYet extends Error {
  readonly seconds: number

  constructor(seconds: number) {
    super('The job could not begin yet.')
    this.name = 'NotYet'
    this.seconds = seconds
  }
}

export const DEFAULT_TIMEOUT_SECONDS = 60
export const DEFAULT_CONCURRENCY = 4

export const defineJobKind = <Payload>(kind: JobKind<Payload>): JobKind<Payload> => Object.freeze(kind)

/** Adds the work to a kind that a service enqueues by itself. */
export const defineJob = <Payload, Deps>(
  kind: JobKind<Payload>,
  run: (deps: Deps, payload: Payload, attempt: Attempt) => Promise<void>,
  concurrencyOf?: (deps: Deps) => number,
): Job<Payload, Deps> => Object.freeze({ ...kind, ...(concurrencyOf && { concurrencyOf }), run })

export const bindJob = <Payload, Deps>(job: Job<Payload, Deps>, deps: Deps): BoundJob => ({
  kind: { ...(job as JobKind<unknown>), ...(job.concurrencyOf && { concurrency: job.concurrencyOf(deps) }) },
  run: async (payload, attempt) => job.run(deps, job.payload.parse(payload), attempt),
})
