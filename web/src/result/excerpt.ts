import type { ViewPlace } from './scan-view.ts'

export interface Excerpt {
  text: string
  /** The number of its first line in the file. */
  firstLine: number
  /** The same place, counted from the excerpt's own first line and column. */
  within<P extends ViewPlace>(place: P): P
}

const SHOWN = 10
const BEFORE = 4

/** Ten lines around a place, without the indentation that all of them have: a phone has no room for it. */
export function excerptAround(source: string, { line }: ViewPlace): Excerpt {
  const lines = source.split(/\r\n|\r|\n/)
  const firstLine = Math.max(1, Math.min(line - BEFORE, lines.length - SHOWN + 1))
  const shown = lines.slice(firstLine - 1, firstLine - 1 + SHOWN)
  const indent = Math.min(...shown.filter((text) => text.trim() !== '').map(indentOf))
  const cut = Number.isFinite(indent) ? indent : 0
  const moved = (column: number | undefined) => (column === undefined ? undefined : Math.max(1, column - cut))
  return {
    text: shown.map((text) => text.slice(cut)).join('\n'),
    firstLine,
    within: (place) => ({
      ...place,
      line: place.line - firstLine + 1,
      endLine: place.endLine - firstLine + 1,
      column: moved(place.column),
      endColumn: moved(place.endColumn),
    }),
  }
}

const indentOf = (text: string): number => text.length - text.trimStart().length
