import type { Piece } from './highlight.ts'

export interface MarkedPiece extends Piece {
  marked: boolean
}

/** Cuts the pieces of a line so that columns `from` to `to` (0-based, end exclusive) are pieces of their own. */
export function markColumns(pieces: readonly Piece[], from: number, to: number): MarkedPiece[] {
  const cut: MarkedPiece[] = []
  let at = 0
  for (const { text, look } of pieces) {
    const end = at + text.length
    const bounds = [at, clamp(from, at, end), clamp(to, at, end), end]
    for (let index = 0; index < 3; index++) {
      const start = bounds[index] ?? end
      const stop = bounds[index + 1] ?? end
      if (stop > start) cut.push({ text: text.slice(start - at, stop - at), look, marked: index === 1 })
    }
    at = end
  }
  return cut
}

const clamp = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most)

export interface Range {
  line: number
  column?: number | undefined
  endLine: number
  endColumn?: number | undefined
}

/** The columns of one line that a range covers (0-based, end exclusive); null where it covers none. */
export function columnsOn(range: Range, line: number, text: string): { from: number; to: number } | null {
  if (line < range.line || line > range.endLine) return null
  const indent = text.length - text.trimStart().length
  const from = line === range.line ? Math.max((range.column ?? 1) - 1, 0) : indent
  const to = line === range.endLine && range.endColumn !== undefined ? range.endColumn - 1 : text.length
  return from < to ? { from, to } : null
}
