/** Tells those who wait in this process that a scan changed; what other processes change they learn by looking. */
export interface ScanWatch {
  notify(scanId: string): void
  /** Listens until the returned function is called. */
  listen(scanId: string, listener: () => void): () => void
  /** How many scans are listened for. */
  readonly size: number
}

export function createScanWatch(): ScanWatch {
  const listeners = new Map<string, Set<() => void>>()
  return {
    notify(scanId) {
      for (const listener of [...(listeners.get(scanId) ?? [])]) listener()
    },
    listen(scanId, listener) {
      const those = listeners.get(scanId) ?? new Set()
      listeners.set(scanId, those.add(listener))
      return () => {
        those.delete(listener)
        if (those.size === 0 && listeners.get(scanId) === those) listeners.delete(scanId)
      }
    },
    get size() {
      return listeners.size
    },
  }
}
