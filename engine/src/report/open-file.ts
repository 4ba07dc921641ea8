import type { Span } from '../syntax/index.ts'
import type { FactsReader } from './file-facts.ts'
import type { LineMap } from './line-map.ts'
import type { ScannedFile } from './scanned-file.ts'
import type { Scope } from './scopes.ts'

/** A file with what it takes to say where something stands in it, and what it does and lacks. */
export interface OpenFile {
  readonly file: ScannedFile
  readonly lines: LineMap
  readonly scopeOf: (offset: number) => Scope
  readonly facts: FactsReader
}

export const isInside = (file: ScannedFile, span: Span): boolean =>
  span.start >= file.base && span.start <= file.base + file.text.length
