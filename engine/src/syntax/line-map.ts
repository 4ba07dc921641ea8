export interface Place {
  /** 1-based. */
  readonly line: number
  /** 1-based, in UTF-16 units. */
  readonly column: number
}

export interface LineMap {
  readonly lineCount: number
  /** Line and column of a position; positions outside the text are clamped to it. */
  place(offset: number): Place
  line(offset: number): number
  /** Where a 1-based line begins. */
  lineStart(line: number): number
}

/** `\n`, `\r\n` and a lone `\r` each end a line. `base` is the position of the first character. */
export const lineMap = (text: string, base = 0): LineMap => {
  const starts = findLineStarts(text)
  const line = (offset: number): number => {
    const at = Math.min(Math.max(offset - base, 0), text.length)
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (starts[middle]! <= at) low = middle
      else high = middle - 1
    }
    return low + 1
  }
  return {
    lineCount: starts.length,
    line,
    place: (offset) => {
      const found = line(offset)
      const at = Math.min(Math.max(offset - base, 0), text.length)
      return { line: found, column: at - starts[found - 1]! + 1 }
    },
    lineStart: (wanted) => base + starts[Math.min(Math.max(wanted, 1), starts.length) - 1]!,
  }
}

const findLineStarts = (text: string): readonly number[] => {
  const starts = [0]
  if (!text.includes('\r')) {
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
    return starts
  }
  for (let at = 0; at < text.length; at++) {
    const c = text.charCodeAt(at)
    if (c === 10 || (c === 13 && text.charCodeAt(at + 1) !== 10)) starts.push(at + 1)
  }
  return starts
}
