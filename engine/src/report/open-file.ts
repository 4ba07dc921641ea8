import type { Span } from '../syntax/index.ts'
import type { LineMap } from './line-map.ts'
import type { ScannedFile } from './scanned-file.ts'
import type { Scope } from './scopes.ts'

/** A file with what it takes to say where something stands in it. */
export interface OpenFile {
  readonly file: ScannedFile
  readonly lines: LineMap
  readonly scopeOf: (offset: number) => Scope
}

export const isInside = (file: ScannedFile, span: Span): boolean =>
  span.start >= file.base && span.start <= file.base + file.text.length
