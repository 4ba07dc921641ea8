import type { Virtualizer } from '@tanstack/react-virtual'

/** Lines between a row and the border of what is shown, where it is shown in context. */
const context = 3

type List = Pick<Virtualizer<HTMLElement, Element>, 'measurementsCache' | 'scrollElement'>

/**
 * Scrolls so that a row of known height is in sight: not at all where it is, else as little as needed, or to the middle.
 * In the next frame, together with everything else that a key changes: to read the page at once would lay it out once more.
 */
export function revealRow(view: List, index: number, at: 'edge' | 'middle'): void {
  requestAnimationFrame(() => {
    const row = view.measurementsCache[index]
    const { scrollElement } = view
    if (!row || !scrollElement) return
    const { clientHeight: shown, scrollTop: offset } = scrollElement
    const margin = at === 'middle' ? context * row.size : 0
    if (row.start - margin >= offset && row.end + margin <= offset + shown) return
    const top =
      at === 'middle' ? row.start - (shown - row.size) / 2 : Math.min(row.start, Math.max(offset, row.end - shown))
    scrollElement.scrollTop = top
  })
}
