import type { Comment, SourceUnit, Span } from '../syntax/index.ts'

/** One file of a scan as the report sees it; spans of the tree are offsets plus `base`. */
export interface ScannedFile {
  readonly path: string
  readonly text: string
  readonly base: number
  readonly unit: SourceUnit
  readonly errors: readonly SyntaxProblem[]
  readonly comments: readonly Comment[]
}

/** Text that the parser could not read. */
export interface SyntaxProblem extends Span {
  readonly message: string
}
