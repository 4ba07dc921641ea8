import type { Judged } from '../advice/index.ts'
import type { BestPractices } from './best-practices.ts'
import type { Finding, Place, SuppressedFinding } from './finding.ts'

export interface ParseError extends Place {
  readonly message: string
  /** Only in a project. */
  readonly file?: string
}

export type DiagnosticCode =
  | 'detector-failed'
  | 'budget-exhausted'
  | 'not-reached'
  | 'import-missing'
  | 'base-missing'
  | 'suppression-unused'
  | 'suppression-without-reason'
  | 'suppression-unknown-rule'
  | 'result-bounded'
  | 'analysis-note'

/** What the analysis has to say about itself; never counted, never deducting. */
export interface Diagnostic {
  readonly code: DiagnosticCode
  readonly message: string
  readonly line: number | null
  /** Only in a project. */
  readonly file?: string
}

/** Everything one file's scan found, before it takes a wire shape. */
export interface Report {
  readonly path: string
  readonly findings: readonly Finding[]
  readonly advisories: readonly Finding[]
  readonly suppressed: readonly SuppressedFinding[]
  readonly parseErrors: readonly ParseError[]
  readonly diagnostics: readonly Diagnostic[]
  readonly completeness: 'full' | 'partial'
  /** Set when nothing in the file could be read as Solidity. */
  readonly unreadable: { readonly line: number; readonly reason: string } | null
  readonly bestPractices: BestPractices
  /** What the best practices were made of. */
  readonly judged?: readonly Judged[]
}
