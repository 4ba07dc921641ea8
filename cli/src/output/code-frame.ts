import type { Place } from '@assay/engine'
import type { Paint } from './paint.ts'
import { printableLine } from './printable.ts'

const around = 2
const maxMarkedLines = 6
const maxWidth = 160

/** Whether the frame of a place shows a line. */
export function isFramed(line: number, place: Place): boolean {
  const lastMarked = Math.min(place.endLine, place.line + maxMarkedLines - 1)
  return line >= place.line - around && line <= lastMarked + (place.endLine > lastMarked ? 0 : around)
}

/** The marked lines with a little context, numbered, with carets under the marked part. */
export function codeFrame(lines: readonly string[], place: Place, paint: Paint): string[] {
  const lastMarked = Math.min(place.endLine, place.line + maxMarkedLines - 1, lines.length)
  const isCut = place.endLine > lastMarked
  const last = isCut ? lastMarked : Math.min(lines.length, lastMarked + around)
  const numbers = trimBlank(lines, Math.max(1, place.line - around), lastMarked, last)
  const gutter = String(numbers.at(-1) ?? 1).length
  const frame: string[] = []
  for (const number of numbers) {
    const source = lines[number - 1] ?? ''
    const isMarked = number >= place.line && number <= lastMarked
    const label = `${isMarked ? '>' : ' '} ${String(number).padStart(gutter)} │`
    frame.push(`${paint(isMarked ? ['red', 'bold'] : 'dim', label)} ${cut(printableLine(source).text)}`.trimEnd())
    const carets = isMarked ? caretsUnder(source, number, place) : ''
    if (carets !== '')
      frame.push(
        `${paint('dim', `  ${' '.repeat(gutter)} │`)} ${carets.replace(/\^+/, (marks) => paint(['red', 'bold'], marks))}`,
      )
  }
  if (isCut) frame.push(paint('dim', `  ${' '.repeat(gutter)} │ … to line ${place.endLine}`))
  return frame
}

/** Line numbers to show; blank context lines at the edges say nothing. */
function trimBlank(lines: readonly string[], from: number, lastMarked: number, to: number): number[] {
  const isBlank = (number: number) => (lines[number - 1] ?? '').trim() === ''
  let first = from
  let last = to
  while (first < lastMarked && isBlank(first)) first++
  while (last > lastMarked && isBlank(last)) last--
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index)
}

function caretsUnder(source: string, number: number, place: Place): string {
  const { columnOf } = printableLine(source)
  const indent = source.length - source.trimStart().length + 1
  const from = columnOf(number === place.line ? place.column : indent)
  const to = columnOf(number === place.endLine ? place.endColumn : source.trimEnd().length + 1)
  if (from >= maxWidth || (to <= from && number !== place.line)) return ''
  return `${' '.repeat(from)}${'^'.repeat(Math.max(1, Math.min(to, maxWidth) - from))}`
}

const cut = (text: string): string => (text.length > maxWidth ? `${text.slice(0, maxWidth)}…` : text)
