import type { Place } from './finding.ts'

/** Turns offsets of one file, without its base, into 1-based lines and columns. `\n`, `\r\n` and a lone `\r` end a line. */
export class LineMap {
  private readonly text: string
  /** Where each line begins that was looked for so far. */
  private readonly starts: number[] = [0]
  /** Every line was found. */
  private isComplete = false

  constructor(text: string) {
    this.text = text
    if (text.includes('\r')) this.readAllWithReturns()
  }

  get lineCount(): number {
    while (!this.isComplete) this.readLine()
    return this.starts.length
  }

  /** Offsets outside the text are clamped to it. */
  lineOf(offset: number): number {
    const { starts } = this
    const at = this.clamp(offset)
    while (!this.isComplete && starts[starts.length - 1]! <= at) this.readLine()
    // Most are requested in the order of the text, so that the last lines found are the ones wanted.
    let high = starts.length - 1
    if (starts[high]! <= at) return high + 1
    if (starts[high - 1]! <= at) return high
    let low = 0
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (starts[middle]! <= at) low = middle
      else high = middle - 1
    }
    return low + 1
  }

  /** Offset of a line's first character. */
  startOf(line: number): number {
    while (!this.isComplete && this.starts.length < line) this.readLine()
    return this.starts[Math.min(Math.max(line, 1), this.starts.length) - 1]!
  }

  place(start: number, end: number): Place {
    const line = this.lineOf(start)
    const from = this.starts[line - 1]!
    const last = Math.max(start, end)
    // Most spans end on the line they start on; the next one is known unless there is none.
    const endLine = line < this.starts.length && last >= this.starts[line]! ? this.lineOf(last) : line
    return {
      line,
      column: this.clamp(start) - from + 1,
      endLine,
      endColumn: this.clamp(last) - this.starts[endLine - 1]! + 1,
    }
  }

  private clamp(offset: number): number {
    return Math.min(Math.max(offset, 0), this.text.length)
  }

  private readLine(): void {
    const { text, starts } = this
    const end = text.indexOf('\n', starts[starts.length - 1]!)
    if (end < 0) this.isComplete = true
    else starts.push(end + 1)
  }

  private readAllWithReturns(): void {
    const { text, starts } = this
    for (let at = 0; at < text.length; at++) {
      const c = text.charCodeAt(at)
      if (c === 10 || (c === 13 && text.charCodeAt(at + 1) !== 10)) starts.push(at + 1)
    }
    this.isComplete = true
  }
}

export const createLineMap = (text: string): LineMap => new LineMap(text)
