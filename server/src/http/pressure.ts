import type { FastifyInstance } from 'fastify'
import { elapsedMs } from '../core/clock.ts'
import { refusalOf } from '../core/errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** To be called when an upload has arrived. */
    noteArrival: (() => void) | undefined
  }
}

/** How late the serving thread is, and how many uploads it has at hand that have arrived. */
export interface Pressure {
  readonly uploads: number
  readonly delayMs: number
}

/** Beyond either an upload is refused before anything of it is read: what is accepted shall be answered soon. */
const MAX_DELAY_MS = 150
const UPLOADS_PER_WORKER = 50
const RETRY_SECONDS = 2

/** Sheds uploads under pressure, before a credential is looked at: refusing must cost next to nothing. */
export function shedUploads(
  app: FastifyInstance,
  { workers, maxDelayMs = MAX_DELAY_MS }: { readonly workers: number; readonly maxDelayMs?: number | undefined },
): Pressure {
  app.decorateRequest('noteArrival', undefined)
  const delay = measureDelay()
  const maxUploads = workers * UPLOADS_PER_WORKER
  let uploads = 0
  app.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.config?.route?.bodyKind !== 'upload') return
    if (uploads >= maxUploads || delay.ms > maxDelayMs) throw refusalOf('scanQueueFull', RETRY_SECONDS)
    // One that is still arriving costs a socket; however many somebody holds open, the others are not refused for it.
    request.noteArrival = () => {
      uploads += 1
      reply.raw.once('close', () => {
        uploads -= 1
      })
    }
  })
  app.addHook('onClose', async () => delay.stop())
  return {
    get uploads() {
      return uploads
    },
    get delayMs() {
      return delay.ms
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
function measureDelay() {
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
