import type { FastifyInstance, FastifyRequest } from 'fastify'
import { elapsedMs } from '../core/clock.ts'
import { refusalOf } from '../core/errors.ts'
import type { Gauges } from '../core/gauges.ts'
import { createTally } from '../core/tally.ts'
import type {} from './mount-routes.ts'
import { createRecentCallers } from './recent-callers.ts'
import type { RequestScope } from './request-scope.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Counts an upload of this account while it arrives; refuses one too many. */
    noteArriving: (() => () => void) | undefined
    /** To be called when an upload has arrived; refuses one too many of its account. */
    noteArrival: (() => void) | undefined
  }
}

/** How late the serving thread is, how many uploads wait for their credential, and how many it has at hand that have arrived. */
export interface Pressure {
  readonly delayMs: number
  readonly entering: number
  readonly uploads: number
  /** Whether there is a reason to refuse uploads: a late thread, a slow database, or a user who waits for an answer. */
  readonly isReal: boolean
  /** Forgets every upload whose client is gone; how many there were. */
  forgetGone(): number
}

export interface PressureLimits {
  readonly workers: number
  /** How late the serving thread may be. */
  readonly maxDelayMs?: number | undefined
  /** How long an upload may wait for its credential to be looked at. */
  readonly maxEnteringMs?: number | undefined
  readonly delay?: DelayMeter
  readonly gauges?: Pick<Gauges, 'add'> | undefined
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
/** Each may hold as much memory as a file may have. */
const MAX_ARRIVING = 100
const RETRY_SECONDS = 2

/**
 * Sheds uploads under pressure, before anything of them is read and before a credential is looked at: refusing must cost next to nothing, and
 * what is accepted shall be answered soon. What that means is measured on this machine as it is just now: how late the thread is, and how
 * long those before have been waiting for the database. Anyone who asks for the most is refused first.
 */
export function shedUploads(
  app: FastifyInstance,
  {
    workers,
    maxDelayMs = MAX_DELAY_MS,
    maxEnteringMs = MAX_ENTERING_MS,
    delay = measureDelay(),
    gauges,
  }: PressureLimits,
): Pressure {
  app.decorateRequest('noteArriving', undefined)
  app.decorateRequest('noteArrival', undefined)
  const entering = createEntering()
  const arriving = createTally()
  const uploads = createUploads()
  const callers = createRecentCallers()
  const maxUploads = workers * UPLOADS_PER_WORKER
  /** However many one account has, some room is left for the others. */
  const isTooMany = (account: string): boolean => uploads.of(account) >= maxUploads - uploads.total
  const isUpload = ({ routeOptions }: FastifyRequest): boolean => routeOptions.config?.route?.bodyKind === 'upload'
  const strain = (): number => Math.max(delay.ms / maxDelayMs, entering.oldestMs() / maxEnteringMs)
  gauges?.add('uploads_entering', () => entering.size)
  gauges?.add('uploads_arriving', () => arriving.total)
  gauges?.add('uploads', () => uploads.total)

  app.addHook('onRequest', async (request) => {
    if (!isUpload(request)) return
    const account = callers.find(request)
    if (entering.of(account) >= maxAtDoor(strain()) || isTooMany(account))
      throw refusalOf('scanQueueFull', RETRY_SECONDS)
    entering.add(request, account)
    request.scope.hold(() => entering.remove(request))
    const ownerOf = ({ caller }: FastifyRequest): string => caller?.accountId ?? account
    request.noteArriving = () => {
      const owner = ownerOf(request)
      if (arriving.of(owner) >= MAX_ARRIVING) throw refusalOf('scanQueueFull', RETRY_SECONDS)
      return arriving.enter(owner)
    }
    // One that is still arriving costs a socket; however many someone holds open, the others are not refused for it.
    request.noteArrival = () => {
      const owner = ownerOf(request)
      if (isTooMany(owner)) throw refusalOf('scanQueueFull', RETRY_SECONDS)
      request.scope.hold(uploads.enter(owner, request.scope))
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
    get isReal() {
      return delay.ms > maxDelayMs || uploads.connected > 0 || entering.connected > 0
    },
    forgetGone: () => uploads.forgetGone() + entering.forgetGone(),
  }
}

/** How many of one account may wait for their credential to be looked at. */
export const maxAtDoor = (strain: number): number =>
  strain <= 1 ? Number.POSITIVE_INFINITY : Math.max(0, Math.floor((AT_DOOR * (FULL - strain)) / (FULL - 1)))

/** Requests whose credential is being looked at, the oldest first. */
function createEntering() {
  const requests = new Map<FastifyRequest, { readonly at: number; leave(): void }>()
  const tally = createTally()
  const remove = (request: FastifyRequest): void => {
    requests.get(request)?.leave()
    requests.delete(request)
  }
  const connected = (): FastifyRequest[] => [...requests.keys()].filter(({ scope }) => scope.isConnected)
  return {
    add: (request: FastifyRequest, account: string): void =>
      void requests.set(request, { at: elapsedMs(), leave: tally.enter(account) }),
    remove,
    of: tally.of,
    oldestMs(): number {
      const [oldest] = requests.values()
      return oldest ? elapsedMs() - oldest.at : 0
    },
    get size() {
      return tally.total
    },
    get connected() {
      return connected().length
    },
    forgetGone(): number {
      const gone = [...requests.keys()].filter(({ scope }) => !scope.isConnected)
      for (const request of gone) remove(request)
      return gone.length
    },
  }
}

/** Uploads at hand, each with the client that waits for it. */
function createUploads() {
  const tally = createTally()
  const scopes = new Map<() => void, Pick<RequestScope, 'isConnected'>>()
  const connected = (): number => [...scopes.values()].filter(({ isConnected }) => isConnected).length
  return {
    enter(account: string, scope: Pick<RequestScope, 'isConnected'>): () => void {
      const leaveTally = tally.enter(account)
      const leave = (): void => {
        scopes.delete(leave)
        leaveTally()
      }
      scopes.set(leave, scope)
      return leave
    },
    of: tally.of,
    get total() {
      return tally.total
    },
    get connected() {
      return connected()
    },
    forgetGone(): number {
      const gone = [...scopes].filter(([, { isConnected }]) => !isConnected)
      for (const [leave] of gone) leave()
      return gone.length
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
