import type { Span } from '../syntax/index.ts'
import type { Place } from './finding.ts'

/** Turns offsets of one file into 1-based lines and columns. `\r\n`, `\n` and a lone `\r` end a line, as in editors. */
export interface LineMap {
  readonly lineCount: number
  /** Offsets within the file, without its base. */
  lineOf(offset: number): number
  place(span: Span): Place
  /** The text of a line without its ending. */
  textOf(line: number): string
}

const lineStarts = (text: string): number[] => {
  const starts = [0]
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 10) starts.push(i + 1)
    else if (code === 13 && text.charCodeAt(i + 1) !== 10) starts.push(i + 1)
  }
  return starts
}

export const createLineMap = (text: string): LineMap => {
  const starts = lineStarts(text)
  const clamp = (offset: number): number => Math.max(0, Math.min(offset, text.length))
  const indexOf = (offset: number): number => {
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return low
  }
  return {
    lineCount: starts.length,
    lineOf: (offset) => indexOf(clamp(offset)) + 1,
    place: ({ start, end }) => {
      const from = clamp(start)
      const to = Math.max(from, clamp(end))
      const line = indexOf(from)
      const endLine = indexOf(to)
      return {
        line: line + 1,
        column: from - (starts[line] ?? 0) + 1,
        endLine: endLine + 1,
        endColumn: to - (starts[endLine] ?? 0) + 1,
      }
    },
    textOf: (line) => {
      const start = starts[line - 1]
      if (start === undefined) return ''
      return text.slice(start, starts[line] ?? text.length).replace(/[\r\n]+$/, '')
    },
  }
}
