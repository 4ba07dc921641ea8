import { type RefObject, useLayoutEffect } from 'react'

const BELOW_PX = 16

/** Sets `--rest` on an element: the height from where it begins to the end of the window, so that what it holds is never below the fold. */
export function useRestOfWindow(element: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const target = element.current
    const above = target?.parentElement
    if (!target || !above) return
    const measure = () => {
      const top = target.getBoundingClientRect().top + window.scrollY
      target.style.setProperty('--rest', `calc(100dvh - ${Math.round(top) + BELOW_PX}px)`)
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(above)
    return () => observer.disconnect()
  }, [element])
}
