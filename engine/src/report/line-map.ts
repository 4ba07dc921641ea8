import { lineMap } from '../syntax/index.ts'
import type { Place } from './finding.ts'

/** Turns offsets of one file, without its base, into 1-based lines and columns. */
export interface LineMap {
  readonly lineCount: number
  lineOf(offset: number): number
  /** Offset of a line's first character. */
  startOf(line: number): number
  place(start: number, end: number): Place
}

export const createLineMap = (text: string): LineMap => {
  const map = lineMap(text)
  const { line: lineOf, lineStart: startOf, lineCount } = map
  const clamp = (offset: number): number => Math.min(Math.max(offset, 0), text.length)
  return {
    lineCount,
    lineOf,
    startOf,
    place: (start, end) => {
      const line = lineOf(start)
      const from = startOf(line)
      const last = Math.max(start, end)
      // Most spans end on the line they start on.
      const endLine = line < lineCount && last >= startOf(line + 1) ? lineOf(last) : line
      return {
        line,
        column: clamp(start) - from + 1,
        endLine,
        endColumn: clamp(last) - (endLine === line ? from : startOf(endLine)) + 1,
      }
    },
  }
}
