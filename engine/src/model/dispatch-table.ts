import type { ContractSymbol, FunctionSymbol } from './symbols.ts'

/**
 * Which function runs in an instance of a contract: of those that override each other the most derived one that is
 * written out. They are found by name; what decides between functions of one name is worked out only where two meet.
 */
export class DispatchTable {
  readonly winners: FunctionSymbol[] = []
  /** Where the winners of each name stand. */
  readonly #byName = new Map<string, number[]>()

  constructor(linearization: readonly ContractSymbol[]) {
    for (const { functions } of linearization)
      for (const fn of functions) if (fn.role !== 'constructor' && fn.visibility !== 'private') this.#add(fn)
  }

  #add(fn: FunctionSymbol): void {
    const at = this.#find(fn)
    if (at === undefined) {
      const same = this.#byName.get(nameOf(fn))
      if (same === undefined) this.#byName.set(nameOf(fn), [this.winners.length])
      else same.push(this.winners.length)
      this.winners.push(fn)
    } else if (!this.winners[at]!.isImplemented && fn.isImplemented) this.winners[at] = fn
  }

  #find(fn: FunctionSymbol): number | undefined {
    return this.#byName.get(nameOf(fn))?.find((at) => {
      const known = this.winners[at]!
      return known === fn || known.overrideKey === fn.overrideKey
    })
  }

  /** The function that a call of `fn` runs. */
  winnerOf(fn: FunctionSymbol): FunctionSymbol | undefined {
    const at = this.#find(fn)
    return at === undefined ? undefined : this.winners[at]
  }
}

/** Functions without name are distinguished by what they are for. */
const nameOf = (fn: FunctionSymbol): string => (fn.name === '' ? fn.role : fn.name)
