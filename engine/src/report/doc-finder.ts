import { firstPast, type Span } from '../syntax/index.ts'
import type { ScannedFile } from './scanned-file.ts'

/** A comment further above than this belongs to something else. */
const maxGap = 200

const isBlank = (code: number): boolean => code <= 32 || code === 0xa0 || code === 0xfeff

/** Finds NatSpec right above places. Fastest when they are asked for in the order of the text. */
export class DocFinder {
  private readonly file: ScannedFile
  /** Index of the first comment that was not seen to end before a place. */
  private next = 0

  constructor(file: ScannedFile) {
    this.file = file
  }

  isDocumented({ start }: Span): boolean {
    const { text, base, comments } = this.file
    if (this.next > 0 && comments[this.next - 1]!.end > start) this.next = firstPast(comments, ({ end }) => end > start)
    while (this.next < comments.length && comments[this.next]!.end <= start) this.next += 1
    const isNear = this.next > 0 && comments[this.next - 1]!.end >= start - maxGap
    return isNear && isDocAbove(text, start - base)
  }
}

const isDocAbove = (text: string, start: number): boolean => {
  let end = start
  const from = Math.max(0, start - maxGap)
  while (end > from && text.charCodeAt(end - 1) <= 32) end -= 1
  if (text.charCodeAt(end - 1) === 47 && text.charCodeAt(end - 2) === 42)
    return text.lastIndexOf('/**', end) >= text.lastIndexOf('*/', end - 3)
  return isDocLine(text, end)
}

/** Whether the line that goes on until `end` begins with three slashes. */
const isDocLine = (text: string, end: number): boolean => {
  let first = end
  for (let i = end - 1; i >= 0; i--) {
    const code = text.charCodeAt(i)
    if (code === 10) break
    if (!isBlank(code)) first = i
  }
  return text.charCodeAt(first) === 47 && text.charCodeAt(first + 1) === 47 && text.charCodeAt(first + 2) === 47
}
