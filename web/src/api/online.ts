import { useSyncExternalStore } from 'react'

/** Whether the browser has a network; true where it cannot say. */
export const isOnline = (): boolean => globalThis.navigator?.onLine !== false

/** The same, and again whenever it changes. */
export const useOnline = (): boolean =>
  useSyncExternalStore((onChange) => {
    addEventListener('online', onChange)
    addEventListener('offline', onChange)
    return () => {
      removeEventListener('online', onChange)
      removeEventListener('offline', onChange)
    }
  }, isOnline)

/** A part of the application that does not come for want of a network fails in these words: a reload would lose the page. */
export const partOf = <T>(loading: Promise<T>, words: string): Promise<T> =>
  loading.catch((error: unknown) => {
    throw isOnline() ? error : new Error(words)
  })
