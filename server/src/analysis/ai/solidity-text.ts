/**
 * A Solidity file cut into what a compiler reads and what only people read. One pass from left to right, no
 * backtracking: an unterminated comment or string simply reaches to the end of the file or line.
 */
export interface Segment {
  readonly kind: 'code' | 'comment' | 'string'
  readonly start: number
  readonly end: number
}

export function segmentSolidity(text: string): Segment[] {
  const segments: Segment[] = []
  let codeStart = 0
  let at = 0
  const cut = (kind: 'comment' | 'string', end: number): void => {
    if (at > codeStart) segments.push({ kind: 'code', start: codeStart, end: at })
    segments.push({ kind, start: at, end })
    at = end
    codeStart = end
  }
  const opening = /\/\/|\/\*|["']/g
  for (let match = opening.exec(text); match; match = opening.exec(text)) {
    at = match.index
    const [mark] = match
    if (mark === '//') cut('comment', endOfLine(text, at))
    else if (mark === '/*') cut('comment', endOfBlock(text, at))
    else cut('string', endOfString(text, at, mark))
    opening.lastIndex = at
  }
  at = text.length
  if (at > codeStart) segments.push({ kind: 'code', start: codeStart, end: at })
  return segments
}

function endOfLine(text: string, from: number): number {
  let at = from
  while (at < text.length && text[at] !== '\n' && text[at] !== '\r') at++
  return at
}

function endOfBlock(text: string, from: number): number {
  const close = text.indexOf('*/', from + 2)
  return close < 0 ? text.length : close + 2
}

function endOfString(text: string, from: number, quote: string): number {
  let at = from + 1
  while (at < text.length && text[at] !== quote && text[at] !== '\n' && text[at] !== '\r') {
    at += text[at] === '\\' ? 2 : 1
  }
  return Math.min(text[at] === quote ? at + 1 : at, text.length)
}

/** The same lines without their comments: what a compiler reads. */
export const withoutComments = (text: string): string =>
  segmentSolidity(text)
    .map(({ kind, start, end }) => {
      const segment = text.slice(start, end)
      return kind === 'comment' ? ` ${segment.replace(/[^\r\n]/g, '')}` : segment
    })
    .join('')

export const splitLines = (text: string): string[] => text.split(/\r\n|\n|\r/)

/** 1-based line of each position that is requested, in rising order. */
export function createLineCounter(text: string): (offset: number) => number {
  let line = 1
  let at = 0
  return (offset) => {
    for (; at < offset; at++) {
      if (text[at] === '\n' || (text[at] === '\r' && text[at + 1] !== '\n')) line++
    }
    return line
  }
}

export interface LineRange {
  readonly start: number
  readonly end: number
}

/** First and last line of every function, modifier and constructor with a body. */
export function findFunctions(text: string): LineRange[] {
  const ranges: LineRange[] = []
  const lineOf = createLineCounter(text)
  const blanked = segmentSolidity(text)
    .map(({ kind, start, end }) => (kind === 'code' ? text.slice(start, end) : ' '.repeat(end - start)))
    .join('')
  const marks = /\b(?:function|modifier|constructor|receive|fallback)\b|[{};]/g
  let startsAt: number | undefined
  let depth = 0
  for (let match = marks.exec(blanked); match; match = marks.exec(blanked)) {
    const [mark] = match
    if (mark === '{') depth += startsAt === undefined ? 0 : 1
    else if (mark === '}' && depth > 0) {
      depth--
      if (depth === 0 && startsAt !== undefined) {
        ranges.push({ start: lineOf(startsAt), end: lineOf(match.index) })
        startsAt = undefined
      }
    } else if (depth > 0) continue
    // A declaration without a body, or the end of what is around it.
    else if (mark === ';' || mark === '}') startsAt = undefined
    else startsAt ??= match.index
  }
  return ranges
}
