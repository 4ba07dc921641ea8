import type { SourceFile } from '../model/index.ts'
import { firstPast, type Span } from '../syntax/index.ts'

/** Whether nothing but blanks stands between a definition and a comment for its documentation: `///`, or a block that begins with two stars. */
export const isDocumented = ({ text, base, comments }: SourceFile, { start }: Span): boolean => {
  const last = comments[firstPast(comments, ({ end }) => end > start) - 1]
  if (last === undefined || text.slice(last.end - base, start - base).trim() !== '') return false
  return /^\/(?:\/\/|\*\*)/.test(text.slice(last.start - base, last.start - base + 3))
}
