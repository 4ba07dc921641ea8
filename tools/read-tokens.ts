/**
 * A small lexer for TypeScript, enough to tell code from comments, strings and regular expressions. The compiler has no
 * programming interface in this version, and a search by pattern alone would trip over quoted and commented code.
 */
export interface Token {
  readonly kind: 'word' | 'string' | 'template' | 'mark'
  /** Of a string or template: what stands between its quotes. */
  readonly text: string
  readonly line: number
}

const wordStart = /[A-Za-z_$#\u0080-\uffff]/
const wordPart = /[\w$\u0080-\uffff]/
const digit = /[0-9]/

export function readTokens(source: string): Token[] {
  const tokens: Token[] = []
  // Depth of braces at which an open template continues after its `}`.
  const templates: number[] = []
  let braces = 0
  let line = 1
  let at = 0

  const push = (kind: Token['kind'], text: string, from: number) => {
    tokens.push({ kind, text, line })
    for (let index = from; index < at; index++) if (source[index] === '\n') line++
  }
  const readTemplate = (from: number) => {
    at++
    const start = at
    while (at < source.length && source[at] !== '`' && !source.startsWith('${', at)) at += source[at] === '\\' ? 2 : 1
    const text = source.slice(start, at)
    if (source[at] === '`') at++
    else {
      at += 2
      templates.push(braces++)
    }
    push('template', text, from)
  }

  while (at < source.length) {
    const from = at
    const character = source[at] ?? ''
    if (character === '\n') {
      line++
      at++
    } else if (/\s/.test(character)) at++
    else if (source.startsWith('//', at)) at = endOf(source, '\n', at)
    else if (source.startsWith('/*', at)) {
      at = Math.min(source.length, endOf(source, '*/', at + 2) + 2)
      line += countLines(source, from, at)
    } else if (character === '"' || character === "'") {
      at = endOfString(source, at)
      // An apostrophe in the text of a page opens nothing: strings end on their line.
      if (source[at - 1] === character && at - from > 1) push('string', source.slice(from + 1, at - 1), from)
      else at = from + 1
    } else if (character === '`') readTemplate(from)
    else if (character === '}' && templates.at(-1) === braces - 1) {
      templates.pop()
      braces--
      readTemplate(from)
    } else if (character === '/' && startsRegex(tokens.at(-1))) {
      at = endOfRegex(source, at)
      push('mark', 'regex', from)
    } else if (wordStart.test(character)) {
      while (at < source.length && wordPart.test(source[at] ?? '')) at++
      if (at === from) at++
      push('word', source.slice(from, at), from)
    } else if (digit.test(character)) {
      while (at < source.length && /[\w.]/.test(source[at] ?? '')) at++
      push('mark', 'number', from)
    } else {
      if (character === '{') braces++
      if (character === '}') braces--
      at++
      push('mark', character, from)
    }
  }
  return tokens
}

const endOf = (source: string, mark: string, from: number): number => {
  const at = source.indexOf(mark, from)
  return at < 0 ? source.length : at
}

const countLines = (source: string, from: number, to: number): number => source.slice(from, to).split('\n').length - 1

function endOfString(source: string, from: number): number {
  const quote = source[from]
  let at = from + 1
  while (at < source.length && source[at] !== quote && source[at] !== '\n') at += source[at] === '\\' ? 2 : 1
  return source[at] === quote ? at + 1 : at
}

function endOfRegex(source: string, from: number): number {
  let at = from + 1
  let isInClass = false
  while (at < source.length && source[at] !== '\n' && (source[at] !== '/' || isInClass)) {
    if (source[at] === '[') isInClass = true
    if (source[at] === ']') isInClass = false
    at += source[at] === '\\' ? 2 : 1
  }
  at++
  while (at < source.length && /[a-z]/.test(source[at] ?? '')) at++
  return Math.min(at, source.length)
}

/** After a value a slash divides; after anything else it opens a regular expression. */
function startsRegex(previous: Token | undefined): boolean {
  if (!previous) return true
  if (previous.kind === 'word')
    return /^(return|typeof|case|in|of|delete|void|throw|new|do|else|yield|await)$/.test(previous.text)
  return previous.kind === 'mark' && !/^([)\]}<]|number|regex)$/.test(previous.text)
}
