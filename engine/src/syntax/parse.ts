import type { SourceUnit, TopLevel } from './ast.ts'
import { Cursor } from './cursor.ts'
import { parseTopLevelInto } from './declarations.ts'
import { type FoundNodes, joinFound } from './found-nodes.ts'
import { type Comment, lex, type SyntaxDiagnostic } from './lexer.ts'
import { END } from './tokens.ts'

export interface ParseResult {
  readonly unit: SourceUnit
  /** In the order of their places; at most a hundred. */
  readonly errors: readonly SyntaxDiagnostic[]
  /** In the order of the text. */
  readonly comments: readonly Comment[]
}

/**
 * Reads any text as Solidity 0.4 to 0.8. Never throws: what cannot be read is covered by error nodes and named in
 * `errors`. Time and memory are linear in the length. `base` is added to every position.
 *
 * `bodies` says where the bodies of functions and modifiers begin and end in this very text, and that it has no errors: then
 * each of them is read when someone needs it. The tree is the same.
 */
export const parse = (text: string, base = 0, bodies: readonly number[] | null = null): ParseResult => {
  const cursor = new Cursor(text, base, bodies)
  const members: TopLevel[] = []
  while (cursor.kind !== END) parseTopLevelInto(cursor, members)
  return resultOf(cursor, members)
}

const resultOf = (cursor: Cursor, members: TopLevel[]): ParseResult => {
  const { errors, base, text, reads } = cursor
  // Recovery leaves nodes behind that are not in the tree: then anyone who asks has to walk.
  let found: FoundNodes | null = errors.length === 0 ? cursor.found : null
  let late = cursor.lateBodies
  let comments = late === null ? cursor.tokens.comments : null
  const unit: SourceUnit = {
    kind: 'SourceUnit',
    start: base,
    end: base + text.length,
    members,
    get found() {
      reads.note(this)
      if (found !== null && late !== null) found = joinFound(found, late)
      late = null
      return found
    },
    index: null,
    reads,
  }
  if (errors.length > 1) errors.sort((a, b) => a.start - b.start || a.end - b.end)
  return {
    unit,
    errors,
    get comments() {
      comments ??= lex(text, base).comments
      return comments
    },
  }
}
