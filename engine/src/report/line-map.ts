import { lineMap, type Span } from '../syntax/index.ts'
import type { Place } from './finding.ts'

/** Turns offsets of one file, without its base, into 1-based lines and columns. */
export interface LineMap {
  readonly lineCount: number
  lineOf(offset: number): number
  /** Offset of a line's first character. */
  startOf(line: number): number
  place(span: Span): Place
}

export const createLineMap = (text: string): LineMap => {
  const map = lineMap(text)
  return {
    lineCount: map.lineCount,
    lineOf: map.line,
    startOf: map.lineStart,
    place: ({ start, end }) => {
      const from = map.place(start)
      const to = map.place(Math.max(start, end))
      return { line: from.line, column: from.column, endLine: to.line, endColumn: to.column }
    },
  }
}
