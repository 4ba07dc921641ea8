import type { FastifyInstance } from 'fastify'
import { type Gauges, heldBy } from '../core/gauges.ts'
import type { Log } from '../core/log.ts'
import type { Pressure } from './pressure.ts'

/**
 * Notices a service that turns uploads away while it has nothing to do. A count that nobody lowers looks from outside like a busy service, and
 * lasts until someone restarts it.
 */
export interface RefusalWatch {
  /** Says from now on what becomes of the uploads of this app, and looks at it now and then. */
  watch(app: FastifyInstance, pressure: Pick<Pressure, 'isReal' | 'forgetGone'>): void
  /** Since it began to refuse without a reason; `/ready` says no as long. */
  readonly isStuck: boolean
}

interface RefusalWatchDeps {
  readonly analysis: { readonly running: number; readonly waiting: number }
  readonly gauges: Pick<Gauges, 'read'>
  readonly log: Pick<Log, 'error' | 'warn'>
  readonly lookMs?: number | undefined
}

const LOOK_MS = 5_000
/** A single refusal may have been right a moment ago. */
const LOOKS = 3

export function createRefusalWatch({ analysis, gauges, log, lookMs = LOOK_MS }: RefusalWatchDeps): RefusalWatch {
  let refused = 0
  let served = 0
  let looks = 0
  let isStuck = false

  /** Nobody is served, someone is refused, and nothing explains it. */
  const isWrong = (pressure: Pick<Pressure, 'isReal'>): boolean =>
    refused > 0 && served === 0 && analysis.running + analysis.waiting === 0 && !pressure.isReal

  const look = (pressure: Pick<Pressure, 'isReal' | 'forgetGone'>): void => {
    looks = isWrong(pressure) ? looks + 1 : 0
    const wasStuck = isStuck
    isStuck = looks >= LOOKS
    if (isStuck) {
      const held = heldBy(gauges)
      const forgotten = pressure.forgetGone()
      log.error({ refused, held, forgotten }, 'uploads are refused although nothing is under way')
    } else if (wasStuck) log.warn({ served }, 'uploads are no longer refused without a reason')
    refused = 0
    served = 0
  }

  return {
    watch(app, pressure) {
      app.addHook('onResponse', async ({ routeOptions, refusal }, reply) => {
        if (routeOptions.config?.route?.bodyKind !== 'upload') return
        if (refusal === 'scanQueueFull') refused += 1
        else if (reply.statusCode < 400) served += 1
      })
      const timer = setInterval(() => look(pressure), lookMs).unref()
      app.addHook('onClose', async () => clearInterval(timer))
    },
    get isStuck() {
      return isStuck
    },
  }
}
