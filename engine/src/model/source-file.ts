import type { Comment, ImportDirective, SourceUnit, SyntaxDiagnostic } from '../syntax/index.ts'
import type { CompilerVersions } from './compiler-versions.ts'
import type { Declaration } from './declaration.ts'

/** One file of the scan. Its spans are global: `base` is the offset of its first character. */
export interface SourceFile {
  readonly path: string
  readonly text: string
  readonly base: number
  readonly unit: SourceUnit
  /** What could not be read. */
  readonly errors: readonly SyntaxDiagnostic[]
  readonly comments: readonly Comment[]
  readonly versions: CompilerVersions
  readonly imports: readonly ImportModel[]
  /** Our own short description of a known library, not text of the scan: nothing in it is ever reported. */
  readonly isStub: boolean
  /** Names declared in this file or imported into it. */
  readonly scope: ReadonlyMap<string, readonly Declaration[]>
}

export interface ImportModel {
  readonly node: ImportDirective
  /** null: neither among the given files nor a known library. */
  readonly target: SourceFile | null
}
