import { useCallback, useRef } from 'react'

/** A function that stays the same from one drawing to the next and does what the newest one says: it makes no memoized part draw again. */
export function useLatest<A extends unknown[]>(act: (...given: A) => void): (...given: A) => void {
  const newest = useRef(act)
  newest.current = act
  return useCallback((...given: A) => newest.current(...given), [])
}
