/** Whether this process is about to stop: it still answers, but says so to anyone who sends it requests. */
export interface Lifecycle {
  readonly isStopping: boolean
  /** Fires when that is announced: what never ends by itself ends now. */
  readonly stopping: AbortSignal
  /** From now on `/ready` says no, and each answer closes its connection. */
  announceStop(): void
}

export function createLifecycle(): Lifecycle {
  const stop = new AbortController()
  return {
    get isStopping() {
      return stop.signal.aborted
    },
    stopping: stop.signal,
    announceStop: () => stop.abort(),
  }
}
