import type { SourceUnit, TopLevel } from './ast.ts'
import { Cursor } from './cursor.ts'
import { parseTopLevelInto } from './declarations.ts'
import { LateBlocks } from './late-blocks.ts'
import type { Comment, SyntaxDiagnostic } from './lexer.ts'
import { END } from './tokens.ts'

export interface ParseResult {
  readonly unit: SourceUnit
  /** In the order of their places; at most a hundred. */
  readonly errors: readonly SyntaxDiagnostic[]
  /** In the order of the text. */
  readonly comments: readonly Comment[]
}

export interface ParsedHeads extends ParseResult {
  readonly bodies: LateBlocks
}

/**
 * Reads any text as Solidity 0.4 to 0.8. Never throws: what cannot be read is covered by error nodes and named in
 * `errors`. Time and memory are linear in the length. `base` is added to every position.
 */
export const parse = (text: string, base = 0): ParseResult => {
  const cursor = new Cursor(text, base)
  const members: TopLevel[] = []
  while (cursor.kind !== END) parseTopLevelInto(cursor, members)
  return resultOf(cursor, members)
}

/**
 * As `parse`, but the bodies of functions are read when somebody looks into them. null: the text has faults that show
 * already; then only reading all of it in one go tells what belongs where.
 */
export const parseHeads = (text: string, base = 0): ParsedHeads | null => {
  const cursor = new Cursor(text, base, true)
  const bodies = new LateBlocks(cursor)
  cursor.late = bodies
  const members: TopLevel[] = []
  while (cursor.kind !== END && cursor.errors.length === 0) parseTopLevelInto(cursor, members)
  return cursor.errors.length > 0 ? null : { ...resultOf(cursor, members), bodies }
}

const resultOf = (cursor: Cursor, members: TopLevel[]): ParseResult => {
  const { errors, base, text } = cursor
  // Recovery leaves nodes behind that are not in the tree: then whoever asks has to walk.
  const found = errors.length === 0 ? cursor.found : null
  const unit: SourceUnit = {
    kind: 'SourceUnit',
    start: base,
    end: base + text.length,
    members,
    found,
    index: null,
  }
  if (errors.length > 1) errors.sort((a, b) => a.start - b.start || a.end - b.end)
  return { unit, errors, comments: cursor.tokens.comments }
}
