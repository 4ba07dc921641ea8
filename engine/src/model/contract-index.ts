import type { ContractModel, FunctionModel } from './declaration.ts'

/** Which contracts inherit from one, and which stand behind an interface: listed once, however many questions there are. */
export class ContractIndex {
  readonly #contracts: readonly ContractModel[]
  readonly #order = new Map<ContractModel, number>()
  /** Those that have a function or a getter of this signature. */
  readonly #answering = new Map<string, ContractModel[]>()
  readonly #derived = new Map<ContractModel, ContractModel[]>()
  readonly #known = new Map<FunctionModel, Map<ContractModel, readonly ContractModel[]>>()

  constructor(contracts: readonly ContractModel[]) {
    this.#contracts = contracts
  }

  /**
   * Contracts that inherit the interface, or answer this question and at least half of the others: hand-written interfaces lag
   * behind. The question may be one that the interface takes over from another.
   */
  implementationsOf(fn: FunctionModel, named: ContractModel): readonly ContractModel[] {
    const ofFunction = this.#known.get(fn) ?? new Map<ContractModel, readonly ContractModel[]>()
    this.#known.set(fn, ofFunction)
    const known = ofFunction.get(named) ?? this.#find(fn, named)
    ofFunction.set(named, known)
    return known
  }

  /** In the order of all contracts, itself not among them. */
  derivedFrom(base: ContractModel): readonly ContractModel[] {
    this.#list()
    return this.#derived.get(base) ?? []
  }

  #find(fn: FunctionModel, named: ContractModel): readonly ContractModel[] {
    this.#list()
    const common = new Map<ContractModel, number>()
    for (const { signature } of named.functions)
      for (const contract of this.#answering.get(signature) ?? []) common.set(contract, (common.get(contract) ?? 0) + 1)
    const alike = (this.#answering.get(fn.signature) ?? []).filter(
      (contract) => (common.get(contract) ?? 0) * 2 >= named.functions.length,
    )
    const found = new Set([...this.derivedFrom(named).filter(isConcrete), ...alike])
    return [...found].sort((a, b) => this.#order.get(a)! - this.#order.get(b)!)
  }

  #list(): void {
    if (this.#order.size > 0) return
    this.#contracts.forEach((contract, number) => {
      this.#order.set(contract, number)
      for (const base of contract.linearization) if (base !== contract) addTo(this.#derived, base, contract)
      if (!isConcrete(contract)) return
      const getters = contract.allStateVariables.filter(({ visibility }) => visibility === 'public')
      const signatures = [
        ...contract.allFunctions.map(({ signature }) => signature),
        ...getters.map(({ name }) => `${name}()`),
      ]
      for (const signature of new Set(signatures)) addTo(this.#answering, signature, contract)
    })
  }
}

const isConcrete = ({ contractKind, isStub }: ContractModel): boolean => contractKind === 'contract' && !isStub

const addTo = <Key>(lists: Map<Key, ContractModel[]>, key: Key, contract: ContractModel): void => {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [contract])
  else list.push(contract)
}
