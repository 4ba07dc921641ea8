import { setTimeout as sleep } from 'node:timers/promises'

/** The one source of time; handed in, so that tests travel instead of sleeping. */
export interface Clock {
  now(): Date
}

export interface Duration {
  sign: 1 | -1
  years: number
  months: number
  days: number
  milliseconds: number
}

export interface TestClock extends Clock {
  /** Moves forward by an ISO 8601 duration (`P1D`, `PT10M`; `-PT5S` goes back). */
  travel(duration: string): void
  travelTo(moment: string | Date): void
}

const DURATION =
  /^([+-])?P(?!$)(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?!$)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/

/** Reads an ISO 8601 duration; `undefined` when the text is not one. */
export function parseDuration(text: string): Duration | undefined {
  const match = DURATION.exec(text)
  if (!match) return undefined
  const part = (index: number) => Number(match[index] ?? 0)
  return {
    sign: match[1] === '-' ? -1 : 1,
    years: part(2),
    months: part(3),
    days: part(4) * 7 + part(5),
    milliseconds: Math.round(((part(6) * 60 + part(7)) * 60 + part(8)) * 1000),
  }
}

/** Adds a duration by the calendar: a month from 31 January is the last day of February. */
export function addDuration(date: Date, { sign, years, months, days, milliseconds }: Duration): Date {
  const shifted = addMonths(date, sign * (years * 12 + months))
  return new Date(shifted.getTime() + sign * (days * 86_400_000 + milliseconds))
}

/** The same day `count` months later, clamped to the month's last day. */
export function addMonths(date: Date, count: number): Date {
  if (count === 0) return new Date(date)
  const shifted = new Date(date)
  shifted.setUTCDate(1)
  shifted.setUTCMonth(shifted.getUTCMonth() + count)
  const lastDay = new Date(Date.UTC(shifted.getUTCFullYear(), shifted.getUTCMonth() + 1, 0)).getUTCDate()
  shifted.setUTCDate(Math.min(date.getUTCDate(), lastDay))
  return shifted
}

/** The machine's clock, moved by `offset` when one is given. */
export const systemClock = (offset?: Duration): Clock => ({
  now: () => (offset ? addDuration(new Date(), offset) : new Date()),
})

/** A clock that stands still until a test moves it. */
export function testClock(start: string | Date = '2026-03-10T12:00:00.000Z'): TestClock {
  let current = new Date(start)
  return {
    now: () => new Date(current),
    travel(text) {
      const duration = parseDuration(text)
      if (!duration) throw new Error(`not an ISO 8601 duration: ${text}`)
      current = addDuration(current, duration)
    },
    travelTo(moment) {
      current = new Date(moment)
    },
  }
}

/** Lets time pass; handed in, so that tests need not wait. */
export const pause = (ms: number): Promise<void> => sleep(ms)

/** Milliseconds that only ever grow, also when the clock is set: for durations. */
export const elapsedMs = (): number => performance.now()

/** Whole seconds from `now` until `moment`, at least one: the value of `Retry-After`. */
export const secondsUntil = (now: Date, moment: Date): number =>
  Math.max(1, Math.ceil((moment.getTime() - now.getTime()) / 1000))

export const addSeconds = (date: Date, seconds: number): Date => new Date(date.getTime() + seconds * 1000)
export const addDays = (date: Date, days: number): Date => addSeconds(date, days * 86_400)
