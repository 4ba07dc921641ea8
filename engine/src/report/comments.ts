import type { LineMap } from './line-map.ts'
import { skipComment, skipString } from './normalise.ts'

export interface Comment {
  readonly start: number
  readonly end: number
  readonly line: number
  readonly endLine: number
  /** Without delimiters. */
  readonly body: string
  /** Nothing but blanks and other comments before it on its line. */
  readonly ownLine: boolean
}

const bodyOf = (text: string): string =>
  text.startsWith('//') ? text.slice(2) : text.slice(2, text.endsWith('*/') && text.length >= 4 ? -2 : undefined)

/** Every comment of a file, strings respected. */
export const readComments = (text: string, lines: LineMap): Comment[] => {
  const comments: Comment[] = []
  let codeOnLine = false
  let i = 0
  while (i < text.length) {
    const char = text[i]
    if (char === '\n' || char === '\r') {
      codeOnLine = false
      i += 1
    } else if (char === '"' || char === "'") {
      codeOnLine = true
      i = skipString(text, i)
    } else if (char === '/' && (text[i + 1] === '/' || text[i + 1] === '*')) {
      const end = skipComment(text, i)
      const line = lines.lineOf(i)
      const endLine = lines.lineOf(end)
      comments.push({ start: i, end, line, endLine, body: bodyOf(text.slice(i, end)), ownLine: !codeOnLine })
      if (endLine > line) codeOnLine = false
      i = end
    } else {
      if (char !== ' ' && char !== '\t') codeOnLine = true
      i += 1
    }
  }
  return comments
}
