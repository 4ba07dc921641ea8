import { endOfString } from './highlight.ts'

/** Lines that can be hidden under the one that opens their brace, both from 1; `end` has the closing brace and is hidden with the rest. */
export interface FoldRange {
  start: number
  end: number
  /** How many other ranges it is in: members of a contract are at 1. */
  depth: number
}

/** By the line that opens it; of several on one line the outermost. Braces in comments and strings do not count. */
export function foldRanges(lines: readonly string[], insideComment: Uint8Array): Map<number, FoldRange> {
  const ranges = new Map<number, FoldRange>()
  const open: number[] = []
  for (const [index, text] of lines.entries()) {
    const line = index + 1
    for (const brace of bracesOf(text, insideComment[index] === 1)) {
      if (brace === '{') open.push(line)
      else {
        const start = open.pop()
        if (start !== undefined && line - start > 1) ranges.set(start, { start, end: line, depth: open.length })
      }
    }
  }
  return ranges
}

function* bracesOf(line: string, insideComment: boolean): Generator<string> {
  let at = insideComment ? endOfComment(line, 0) : 0
  while (at < line.length) {
    const char = line[at] as string
    if (char === '/' && line[at + 1] === '/') return
    if (char === '/' && line[at + 1] === '*') at = endOfComment(line, at + 2)
    else if (char === '"' || char === "'") at = endOfString(line, at)
    else {
      if (char === '{' || char === '}') yield char
      at++
    }
  }
}

function endOfComment(line: string, from: number): number {
  const close = line.indexOf('*/', from)
  return close < 0 ? line.length : close + 2
}

/** The lines that are seen, in order, while the ranges that begin at `folded` are closed. */
export function visibleLines(
  count: number,
  ranges: ReadonlyMap<number, FoldRange>,
  folded: ReadonlySet<number>,
): number[] {
  const visible: number[] = []
  for (let line = 1; line <= count; line++) {
    visible.push(line)
    const range = folded.has(line) ? ranges.get(line) : undefined
    if (range) line = range.end
  }
  return visible
}

/** Every member of a contract but the one that has this line. */
export function membersToFold(ranges: ReadonlyMap<number, FoldRange>, line: number | undefined): Set<number> {
  const isHere = ({ start, end }: FoldRange) => line !== undefined && start <= line && line <= end
  return new Set([...ranges.values()].filter((range) => range.depth === 1 && !isHere(range)).map(({ start }) => start))
}

/** What has to be opened for a line to be seen. */
export const withoutFoldsOver = (
  folded: ReadonlySet<number>,
  ranges: ReadonlyMap<number, FoldRange>,
  line: number,
): ReadonlySet<number> => {
  const isOver = (start: number) => start < line && line <= (ranges.get(start)?.end ?? 0)
  return [...folded].some(isOver) ? new Set([...folded].filter((start) => !isOver(start))) : folded
}
