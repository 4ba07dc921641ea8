import type { Declaration } from './declaration.ts'
import type { ContractSymbol, FileSymbol, Symbols, VariableSymbol } from './symbols.ts'

/** One body on the way to having all its names bound. */
export interface Binder {
  readonly symbols: Symbols
  readonly file: FileSymbol
  readonly home: ContractSymbol | null
  /** Local names and what they mean; only the first `count` are in scope. */
  readonly names: string[]
  readonly locals: Declaration[]
  count: number
  /** Parameters, results and locals of the function so far. */
  readonly variables: VariableSymbol[]
  readonly isHoisting: boolean
  depth: number
  nesting: number
}

/** The parser stops nesting long before this. */
export const maxStatementDepth = 1500
export const addName = (binder: Binder, name: string, declaration: Declaration) => {
  binder.names[binder.count] = name
  binder.locals[binder.count] = declaration
  binder.count++
}

export const findLocal = (binder: Binder, name: string): Declaration | undefined => {
  const { names } = binder
  // The length tells most names apart without looking at their letters.
  const { length } = name
  for (let i = binder.count - 1; i >= 0; i--) {
    const known = names[i]!
    if (known.length === length && known === name) return binder.locals[i]
  }
  return undefined
}
