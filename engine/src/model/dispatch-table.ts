import type { ContractSymbol, FunctionSymbol } from './symbols.ts'

/**
 * Which function runs in an instance of a contract: of those that override each other the most derived one that is
 * written out. They are found by name; what decides between functions of one name is worked out only where two meet.
 */
export class DispatchTable {
  readonly winners: FunctionSymbol[] = []
  /** The first winner of each name, and for each winner the next one of its name. */
  #first: Map<string, number> | null = null
  readonly #next: number[] = []

  /** A contract without bases: what it declares is what it runs, unless two of a name meet. */
  readonly #alone: ContractSymbol | null

  constructor(linearization: readonly ContractSymbol[]) {
    this.#alone = linearization.length === 1 ? linearization[0]! : null
    for (let c = 0; c < linearization.length; c++) {
      const { functions } = linearization[c]!
      for (let i = 0; i < functions.length; i++) {
        const fn = functions[i]!
        if (fn.role !== 'constructor' && fn.visibility !== 'private') this.#add(fn)
      }
    }
  }

  #add(fn: FunctionSymbol): void {
    if (this.#isOnly(fn)) {
      this.winners.push(fn)
      this.#next.push(-1)
      return
    }
    const name = nameOf(fn)
    this.#first ??= new Map()
    const first = this.#first.get(name)
    const at = this.#find(fn, first)
    if (at >= 0) {
      if (!this.winners[at]!.isImplemented && fn.isImplemented) this.winners[at] = fn
      return
    }
    // The newest stands first: the order among functions of one name plays no part.
    this.#next.push(first ?? -1)
    this.#first.set(name, this.winners.length)
    this.winners.push(fn)
  }

  #find(fn: FunctionSymbol, first: number | undefined): number {
    let at = first ?? -1
    while (at >= 0) {
      const known = this.winners[at]!
      if (known === fn || known.overrideKey === fn.overrideKey) return at
      at = this.#next[at]!
    }
    return -1
  }

  #isOnly(fn: FunctionSymbol): boolean {
    return this.#alone !== null && fn.contract === this.#alone && this.#alone.own.get(fn.name)?.length === 1
  }

  /** The function that a call of `fn` runs. */
  winnerOf(fn: FunctionSymbol): FunctionSymbol | undefined {
    if (this.#isOnly(fn)) return fn
    const at = this.#find(fn, this.#first?.get(nameOf(fn)))
    return at < 0 ? undefined : this.winners[at]
  }
}

/** Functions without name are told apart by what they are for. */
const nameOf = (fn: FunctionSymbol): string => (fn.name === '' ? fn.role : fn.name)
