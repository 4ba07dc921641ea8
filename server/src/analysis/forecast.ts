/** How long tasks held their places of late on this machine, and what waiting behind some of them means in time. */
export interface Forecast {
  /** Takes in how long a task held its place: until it ended, or moved to a slow place. */
  note(heldMs: number): void
  /** How long one waits that so many come before. */
  waitMs(ahead: number): number
}

/** Before anything has been seen. */
const FIRST_GUESS_MS = 50
/** About the last five count: a machine that others load is slower within a moment, and faster again. */
const SMOOTHING = 0.2

export function createForecast(places: number): Forecast {
  let meanMs = FIRST_GUESS_MS
  return {
    note(heldMs) {
      meanMs += SMOOTHING * (heldMs - meanMs)
    },
    waitMs: (ahead) => (ahead * meanMs) / places,
  }
}
