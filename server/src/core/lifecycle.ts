/** Whether this process is about to stop: it still answers, but says so to whoever sends it requests. */
export interface Lifecycle {
  readonly isStopping: boolean
  /** From now on `/ready` says no, and each answer closes its connection. */
  announceStop(): void
}

export function createLifecycle(): Lifecycle {
  let isStopping = false
  return {
    get isStopping() {
      return isStopping
    },
    announceStop() {
      isStopping = true
    },
  }
}
