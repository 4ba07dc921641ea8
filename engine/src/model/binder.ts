import type { Declaration } from './declaration.ts'
import type { ContractSymbol, FileSymbol, Symbols, VariableSymbol } from './symbols.ts'

/** One body on the path to having all its names bound. */
export interface Binder {
  readonly symbols: Symbols
  readonly file: FileSymbol
  readonly home: ContractSymbol | null
  /** Local names and what they mean; only the first `count` are in scope. */
  readonly names: string[]
  readonly locals: Declaration[]
  count: number
  /** Where each name was added last: a body may have thousands. */
  readonly addedAt: Map<string, number>
  /** Parameters, results and locals of the function so far. */
  readonly variables: VariableSymbol[]
  readonly isHoisting: boolean
  depth: number
  nesting: number
}

/** The parser stops nesting long before this. */
export const maxStatementDepth = 1500
export const addName = (binder: Binder, name: string, declaration: Declaration) => {
  binder.addedAt.set(name, binder.count)
  binder.names[binder.count] = name
  binder.locals[binder.count] = declaration
  binder.count++
}

export const findLocal = (binder: Binder, name: string): Declaration | undefined => {
  const { names, count } = binder
  const last = binder.addedAt.get(name)
  if (last === undefined) return undefined
  if (last < count && names[last] === name) return binder.locals[last]
  // What was added last is out of scope; there may be one further out.
  const at = count === 0 ? -1 : names.lastIndexOf(name, count - 1)
  return at < 0 ? undefined : binder.locals[at]
}
