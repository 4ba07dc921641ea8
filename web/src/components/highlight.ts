/**
 * Colours for Solidity, line by line. Only two things cross a line's end: a block comment, whose state at each line's
 * start is found in one pass over the text; so any window of a very long file can be coloured by itself.
 */

export interface Piece {
  text: string
  look: 'plain' | 'keyword' | 'type' | 'string' | 'number' | 'comment'
}

const keywords = new Set(
  (
    'abstract anonymous as assembly break case catch constant constructor continue contract default delete do else emit ' +
    'enum error event external fallback false for from function if immutable import indexed interface internal is let ' +
    'library memory modifier new override payable pragma private public pure receive return returns revert require assert ' +
    'storage calldata struct switch this throw transient true try type unchecked using var view virtual while super'
  ).split(' '),
)
const typeName = /^(u?int\d*|bytes\d*|address|bool|string|mapping|byte|u?fixed[\dx]*)$/
const token =
  /\/\/.*|\/\*[\s\S]*?(?:\*\/|$)|"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|0x[\da-fA-F_]+|\d[\d_.eE]*|[A-Za-z_$][\w$]*|[^\w"'/$]+|./g

/** For each line, whether it begins inside a block comment. */
export function commentStates(lines: readonly string[]): Uint8Array {
  const states = new Uint8Array(lines.length)
  let inside = false
  for (let index = 0; index < lines.length; index++) {
    states[index] = inside ? 1 : 0
    inside = endsInsideComment(lines[index] ?? '', inside)
  }
  return states
}

function endsInsideComment(line: string, inside: boolean): boolean {
  let at = 0
  let open = inside
  while (at < line.length) {
    if (open) {
      const close = line.indexOf('*/', at)
      if (close < 0) return true
      open = false
      at = close + 2
      continue
    }
    const char = line[at]
    if (char === '/' && line[at + 1] === '/') return false
    if (char === '/' && line[at + 1] === '*') {
      open = true
      at += 2
    } else if (char === '"' || char === "'") {
      at = endOfString(line, at)
    } else at++
  }
  return open
}

export function endOfString(line: string, start: number): number {
  const quote = line[start]
  let at = start + 1
  while (at < line.length && line[at] !== quote) at += line[at] === '\\' ? 2 : 1
  return at + 1
}

export function highlightLine(line: string, insideComment: boolean): Piece[] {
  const pieces: Piece[] = []
  let rest = line
  if (insideComment) {
    const close = line.indexOf('*/')
    if (close < 0) return [{ text: line, look: 'comment' }]
    pieces.push({ text: line.slice(0, close + 2), look: 'comment' })
    rest = line.slice(close + 2)
  }
  for (const [text] of rest.matchAll(token)) pieces.push({ text, look: lookOf(text) })
  return pieces
}

function lookOf(text: string): Piece['look'] {
  if (text.startsWith('//') || text.startsWith('/*')) return 'comment'
  const first = text[0] ?? ''
  if (first === '"' || first === "'") return 'string'
  if (first >= '0' && first <= '9') return 'number'
  if (keywords.has(text)) return 'keyword'
  return typeName.test(text) ? 'type' : 'plain'
}
