import { withoutHidden } from './prompt-injection.ts'
import { splitLines, withoutComments } from './solidity-text.ts'

/** Finds the lines of code that a model quotes, with or without the comments on them. Each text is laid out once, so that a quote costs one pass over it at most. */
export interface QuoteFinder {
  readonly lineCount: number
  /** The line nearest to `near` that holds the quote and code; undefined when none does. */
  find(quote: string, near: number): number | undefined
  hasCode(line: number): boolean
}

const maxQuoteLines = 20
/** One brace is in every file: it proves nothing. */
const shortestQuote = 4

/** Without spaces, so that a quote may be set differently. */
const squeeze = (text: string): string => withoutHidden(text).replace(/\s+/g, '')

export function createQuoteFinder(source: string): QuoteFinder {
  const code = layOut(withoutComments(source))
  // Lines that are comments alone prove nothing.
  const texts = [layOut(source, code.lines), code] as const
  return {
    lineCount: splitLines(source).length,
    hasCode: (line) => code.lines.includes(line),
    find(quote, near) {
      const wanted = splitLines(quote)
        .slice(0, maxQuoteLines)
        .map((line) => squeeze(line.replace(/^\s*\d+\|/, '')))
        .filter((line) => line !== '')
      if (wanted.join('').length < shortestQuote) return undefined
      const found = texts.flatMap((text) => findNearest(text, wanted, near) ?? [])
      return found.sort((a, b) => Math.abs(a - near) - Math.abs(b - near))[0]
    },
  }
}

/** The lines that hold anything, squeezed, one after the other, each with its number and where it starts. */
interface Layout {
  readonly text: string
  readonly starts: readonly number[]
  readonly lines: LineNumbers
}

interface LineNumbers {
  at(index: number): number
  includes(line: number): boolean
}

function layOut(text: string, among?: LineNumbers): Layout {
  const starts: number[] = []
  const numbers: number[] = []
  const kept: string[] = []
  let at = 0
  for (const [index, line] of splitLines(text).entries()) {
    const squeezed = squeeze(line)
    if (squeezed === '' || among?.includes(index + 1) === false) continue
    starts.push(at)
    numbers.push(index + 1)
    kept.push(squeezed)
    at += squeezed.length + 1
  }
  const known = new Set(numbers)
  return {
    text: kept.join('\n'),
    starts,
    lines: { at: (index) => numbers[index] ?? 0, includes: (line) => known.has(line) },
  }
}

/** Lines of a quote follow each other, apart from empty ones that the quote leaves out. */
function findNearest({ text, starts, lines }: Layout, wanted: readonly string[], near: number): number | undefined {
  const [first = '', ...rest] = wanted
  let best: number | undefined
  for (let at = text.indexOf(first); at >= 0; ) {
    const index = lastStartingBy(starts, at)
    const end = starts[index + 1] ?? text.length + 1
    const isWhole = rest.every((line, step) => lineAt(text, starts, index + 1 + step).includes(line))
    const line = lines.at(index)
    if (isWhole && (best === undefined || Math.abs(line - near) < Math.abs(best - near))) best = line
    // Further on in the same line says no more; and from here on it only gets further away.
    if (best !== undefined && line > near && Math.abs(line - near) > Math.abs(best - near)) return best
    at = end > text.length ? -1 : text.indexOf(first, end)
  }
  return best
}

const lineAt = (text: string, starts: readonly number[], index: number): string => {
  const start = starts[index]
  return start === undefined ? '' : text.slice(start, (starts[index + 1] ?? text.length + 1) - 1)
}

function lastStartingBy(starts: readonly number[], at: number): number {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] ?? 0) <= at) low = middle
    else high = middle - 1
  }
  return low
}
