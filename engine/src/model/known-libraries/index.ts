import { parse, type SourceUnit } from '../../syntax/index.ts'
import type { KnownEffect } from '../declaration.ts'

export interface StubSource {
  readonly path: string
  readonly text: string
  readonly base: number
  unit(): SourceUnit
}

export const findKnownFile = (_path: string): StubSource | undefined => undefined
export const findKnownName = (_name: string): StubSource | undefined => undefined
export const knownEffect = (_contract: string, _name: string): KnownEffect | null => null
void parse
