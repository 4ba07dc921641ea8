import type { Virtualizer } from '@tanstack/react-virtual'

/** Lines between a row and the border of what is shown, where it is shown in context. */
const context = 3

type List = Pick<
  Virtualizer<HTMLElement, Element>,
  'measurementsCache' | 'scrollElement' | 'scrollRect' | 'scrollOffset'
>

/**
 * Scrolls so that a row of known height is in sight: not at all where it is, else as little as needed, or to the middle.
 * By the sizes that the list keeps: to read them from the page would lay it out once more for each key.
 */
export function revealRow(view: List, index: number, at: 'edge' | 'middle'): void {
  // Together with everything else that a key changes.
  requestAnimationFrame(() => {
    const row = view.measurementsCache[index]
    const { scrollElement } = view
    if (!row || !scrollElement) return
    const shown = view.scrollRect?.height ?? 0
    const offset = view.scrollOffset ?? 0
    const margin = at === 'middle' ? context * row.size : 0
    if (row.start - margin >= offset && row.end + margin <= offset + shown) return
    const top =
      at === 'middle' ? row.start - (shown - row.size) / 2 : Math.min(row.start, Math.max(offset, row.end - shown))
    scrollElement.scrollTop = top
  })
}
