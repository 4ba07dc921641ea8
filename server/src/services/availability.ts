import type { Clock } from '../core/clock.ts'
import { createAvailableMinuteStore } from '../stores/available-minutes.ts'
import type { Db } from '../stores/database.ts'

export interface AvailabilityDeps {
  readonly db: Db
  readonly clock: Clock
}

/** The share of minutes in which the service could serve; null where nothing was measured yet. */
export interface Availability {
  readonly measuredSince: string | null
  readonly lastDay: number | null
  readonly last30Days: number | null
  readonly last90Days: number | null
}

const MINUTE_MS = 60_000
const DAY_MINUTES = 24 * 60
/** The longest reported span, plus a day. */
export const KEEP_MINUTES = 91 * DAY_MINUTES
const BEAT_MS = 20_000

const minuteOf = (clock: Clock): number => Math.floor(clock.now().getTime() / MINUTE_MS)

/** A minute in which the database took this note was one in which the service could serve. */
export async function noteAvailable({ db, clock }: AvailabilityDeps): Promise<void> {
  await createAvailableMinuteStore(db).add(minuteOf(clock))
}

/** Notes it from now on; a minute that nobody notes counts as one of failure. */
export function startNotingAvailability(deps: AvailabilityDeps, onError: (error: unknown) => void): { stop(): void } {
  const note = (): void => void noteAvailable(deps).catch(onError)
  note()
  const timer = setInterval(note, BEAT_MS).unref()
  return { stop: () => clearInterval(timer) }
}

/** Whole minutes only: the present one may still be noted. */
export async function measureAvailability({ db, clock }: AvailabilityDeps): Promise<Availability> {
  const store = createAvailableMinuteStore(db)
  const now = minuteOf(clock)
  const first = await store.findFirst()
  const share = async (days: number): Promise<number | null> => {
    if (first === undefined) return null
    const from = Math.max(first, now - days * DAY_MINUTES)
    return now > from ? (await store.count(from, now)) / (now - from) : null
  }
  return {
    measuredSince: first === undefined ? null : new Date(first * MINUTE_MS).toISOString(),
    lastDay: await share(1),
    last30Days: await share(30),
    last90Days: await share(90),
  }
}
