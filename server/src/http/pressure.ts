import type { FastifyInstance, FastifyRequest } from 'fastify'
import { elapsedMs } from '../core/clock.ts'
import { refusalOf } from '../core/errors.ts'
import type {} from './mount-routes.ts'
import { createRecentCallers } from './recent-callers.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** To be called when an upload has arrived; refuses one too many of its account. */
    noteArrival: (() => void) | undefined
  }
}

/** How late the serving thread is, how many uploads wait for their credential, and how many it has at hand that have arrived. */
export interface Pressure {
  readonly delayMs: number
  readonly entering: number
  readonly uploads: number
}

export interface PressureLimits {
  readonly workers: number
  /** How late the serving thread may be. */
  readonly maxDelayMs?: number | undefined
  /** How long an upload may wait for its credential to be looked at. */
  readonly maxEnteringMs?: number | undefined
  readonly delay?: DelayMeter
}

/** How late the serving thread is of late. */
export interface DelayMeter {
  readonly ms: number
  stop(): void
}

const MAX_DELAY_MS = 150
const MAX_ENTERING_MS = 300
/** At so many times these limits nobody is let in any more; up to there an account has ever fewer at the door at a time. */
const FULL = 3
const AT_DOOR = 8
const UPLOADS_PER_WORKER = 50
const RETRY_SECONDS = 2

/**
 * Sheds uploads under pressure, before anything of them is read and before a credential is looked at: refusing must cost next to nothing, and
 * what is accepted shall be answered soon. What that means is measured on this machine as it is just now: how late the thread is, and how
 * long those before have been waiting for the database. Whoever asks for the most is refused first.
 */
export function shedUploads(
  app: FastifyInstance,
  { workers, maxDelayMs = MAX_DELAY_MS, maxEnteringMs = MAX_ENTERING_MS, delay = measureDelay() }: PressureLimits,
): Pressure {
  app.decorateRequest('noteArrival', undefined)
  const entering = createEntering()
  const uploads = createTally()
  const callers = createRecentCallers()
  const maxUploads = workers * UPLOADS_PER_WORKER
  /** However many one account has, some room is left for the others. */
  const isTooMany = (account: string): boolean => uploads.of(account) >= maxUploads - uploads.total
  const isUpload = ({ routeOptions }: FastifyRequest): boolean => routeOptions.config?.route?.bodyKind === 'upload'
  const strain = (): number => Math.max(delay.ms / maxDelayMs, entering.oldestMs() / maxEnteringMs)

  app.addHook('onRequest', async (request, reply) => {
    if (!isUpload(request)) return
    const account = callers.find(request)
    if (entering.of(account) >= maxAtDoor(strain()) || isTooMany(account))
      throw refusalOf('scanQueueFull', RETRY_SECONDS)
    entering.add(request, account)
    reply.raw.once('close', () => entering.remove(request))
    // One that is still arriving costs a socket; however many somebody holds open, the others are not refused for it.
    request.noteArrival = () => {
      const owner = request.caller?.accountId ?? account
      if (isTooMany(owner)) throw refusalOf('scanQueueFull', RETRY_SECONDS)
      const leave = uploads.enter(owner)
      reply.raw.once('close', leave)
    }
  })
  // Its credential has been looked at.
  app.addHook('preParsing', async (request) => {
    if (!isUpload(request)) return
    entering.remove(request)
    if (request.caller) callers.note(request, request.caller.accountId)
  })
  app.addHook('onClose', async () => delay.stop())
  return {
    get delayMs() {
      return delay.ms
    },
    get entering() {
      return entering.size
    },
    get uploads() {
      return uploads.total
    },
  }
}

/** How many of one account may wait for their credential to be looked at. */
export const maxAtDoor = (strain: number): number =>
  strain <= 1 ? Number.POSITIVE_INFINITY : Math.max(0, Math.floor((AT_DOOR * (FULL - strain)) / (FULL - 1)))

/** Requests whose credential is being looked at, the oldest first. */
function createEntering() {
  const requests = new Map<FastifyRequest, { readonly at: number; leave(): void }>()
  const tally = createTally()
  return {
    add: (request: FastifyRequest, account: string): void =>
      void requests.set(request, { at: elapsedMs(), leave: tally.enter(account) }),
    remove(request: FastifyRequest): void {
      requests.get(request)?.leave()
      requests.delete(request)
    },
    of: tally.of,
    oldestMs(): number {
      const [oldest] = requests.values()
      return oldest ? elapsedMs() - oldest.at : 0
    },
    get size() {
      return tally.total
    },
  }
}

/** How many there are, of each account and together. */
function createTally() {
  const counts = new Map<string, number>()
  let total = 0
  return {
    /** Counts one until the returned function is called. */
    enter(account: string): () => void {
      counts.set(account, (counts.get(account) ?? 0) + 1)
      total += 1
      return () => {
        total -= 1
        const left = (counts.get(account) ?? 1) - 1
        if (left > 0) counts.set(account, left)
        else counts.delete(account)
      }
    },
    of: (account: string): number => counts.get(account) ?? 0,
    get total() {
      return total
    },
  }
}

const TICK_MS = 25
/** A single hiccup is no pressure; a quarter of a second of it is. */
const SMOOTHING = 0.2
/** However long a hiccup was, by itself it stays below what counts as pressure. */
const MAX_SAMPLE_MS = 600

/** The delay of late, after a timer that fired so much later than it should. */
export const smoothedDelay = (ms: number, lateMs: number): number =>
  ms + SMOOTHING * (Math.min(MAX_SAMPLE_MS, Math.max(0, lateMs)) - ms)

/** How much later than it should be a timer fires, of late. */
function measureDelay(): DelayMeter {
  let ms = 0
  let last = elapsedMs()
  const timer = setInterval(() => {
    const now = elapsedMs()
    ms = smoothedDelay(ms, now - last - TICK_MS)
    last = now
  }, TICK_MS).unref()
  return {
    get ms() {
      return ms
    },
    stop: () => clearInterval(timer),
  }
}
