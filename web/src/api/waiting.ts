import { useSyncExternalStore } from 'react'

/** What the page waits for by itself, reported in one line under the header. */
let words: string | null = null
const listeners = new Set<() => void>()

export function setWaiting(next: string | null): void {
  words = next
  for (const listener of listeners) listener()
}

export const useWaiting = (): string | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => words,
  )
