/**
 * The behaviour of everything in a model, a partition at a time. What one contract does concerns others only where they share
 * code by inheritance; so a large scan is followed in partitions that are let go before the next begins. All that a partition
 * holds stays near at hand while seventy detectors look at it, and little is alive at once.
 */

import type { ContractModel, FunctionModel, Model } from '../model/index.ts'
import type { Span } from '../syntax/index.ts'
import { type Budget, defaultBudget } from './budget.ts'
import { Context, type Part } from './context.ts'
import type { Flow } from './flow.ts'
import { groupBy } from './group-by.ts'

export interface FlowDiagnostic extends Span {
  readonly code: 'budget'
  readonly message: string
}

/** Characters of source after which a partition is full. Nearly every scan is one partition. */
const partitionLength = 32_000

export class Behaviour {
  readonly model: Model
  readonly #budget: Budget
  readonly #partitionLength: number
  readonly #without: Pick<Part, 'without'>
  readonly #isWanted: (definition: ContractModel | FunctionModel) => boolean
  #groups: readonly (readonly ContractModel[])[] | null = null
  #next = 0
  #open: Context | null = null
  readonly #leftOut: (ContractModel | FunctionModel)[] = []
  readonly #cuts: FlowDiagnostic[] = []
  /** What ran in the partitions so far; free functions and those of libraries are not followed once more by themselves. */
  #covered: Set<object> | null = null

  constructor(
    model: Model,
    budget: Budget = defaultBudget,
    length: number = partitionLength,
    without?: (contract: ContractModel) => boolean,
    /** Contracts that inherit from none of these and are inherited by none are read for meaning, not followed by themselves. */
    isWanted: (definition: ContractModel | FunctionModel) => boolean = () => true,
  ) {
    this.model = model
    this.#budget = budget
    this.#partitionLength = length
    this.#without = without === undefined ? {} : { without }
    this.#isWanted = isWanted
  }

  /** The next partition, or null after the last. The one before is gone then, unless someone holds on to it. */
  next(): Context | null {
    if (this.#open !== null) this.#close(this.#open)
    this.#open = null
    const part = this.#nextPart()
    this.#open = part === null ? null : new Context(this.model, this.#budget, part)
    return this.#open
  }

  /** Ends here: what was not followed to its end, the open partition included. */
  stop(): readonly (ContractModel | FunctionModel)[] {
    const left: (ContractModel | FunctionModel)[] = []
    let part: Part | null = this.#open?.part ?? this.#nextPart()
    this.#open = null
    for (; part !== null; part = this.#nextPart()) left.push(...part.contracts, ...part.freeFunctions)
    return left
  }

  /** There is more than one partition. */
  get isSplit(): boolean {
    return this.#groups !== null && this.#groups.length > 1
  }

  #nextPart(): Part | null {
    const { contracts, freeFunctions, files } = this.model
    this.#groups ??= splitByInheritance(contracts, this.#partitionLength, this.#isWanted)
    const groups = this.#groups
    const at = this.#next++
    if (groups.length === 1) return at === 0 ? { contracts: groups[0]!, files, freeFunctions, ...this.#without } : null
    if (at < groups.length) {
      const group = groups[at]!
      return {
        contracts: group,
        files: at === 0 ? files : [],
        freeFunctions: [],
        ...this.#without,
        ...(this.#covered === null ? {} : { covered: this.#covered }),
      }
    }
    if (at > groups.length) return null
    const rest = freeFunctions.filter((fn) => !this.#covered?.has(fn) && this.#isWanted(fn))
    return rest.length === 0 ? null : { contracts: [], files: [], freeFunctions: rest }
  }

  /** Functions in which a budget cut something, and what was left out altogether, in the partitions so far. */
  get diagnostics(): readonly FlowDiagnostic[] {
    const byFile = groupBy(this.#leftOut, ({ file }) => file)
    return [...this.#cuts, ...[...byFile.values()].map(noteLeftOut)]
  }

  /** Notes what a partition could not follow. */
  #close(partition: Context): void {
    try {
      for (const flow of partition.functions) if (flow.isPartial) noteCuts(flow, this.#cuts)
      for (const contract of partition.leftOut) this.#leftOut.push(contract)
      if (this.isSplit) {
        this.#covered ??= new Set()
        addCovered(partition, this.#covered)
      }
    } catch {
      // What cannot be followed at all has made every detector fail, and the report says so.
    }
  }
}

const noteCuts = ({ fn, contract, ir }: Flow, cuts: FlowDiagnostic[]): void => {
  const at = fn?.node ?? contract?.node
  if (at === undefined) return
  for (const message of new Set(ir.problems)) cuts.push({ code: 'budget', message, start: at.start, end: at.end })
}

/** Said once for each file, at the first that is left out. */
const noteLeftOut = (leftOut: readonly (ContractModel | FunctionModel)[]): FlowDiagnostic => {
  const { start, end } = leftOut
    .map(({ node }) => node)
    .reduce((first, node) => (node.start < first.start ? node : first))
  const contracts = leftOut.filter(({ kind }) => kind === 'contract').length
  const what = contracts > 0 ? `${contracts} contracts` : `${leftOut.length} functions`
  const message = `There is more code than one scan follows: the behaviour of ${what} was not analysed.`
  return { code: 'budget', message, start, end }
}

const addCovered = (partition: Context, covered: Set<object>): void => {
  for (const flow of partition.functions)
    if (!flow.ir.isCutInside) for (const part of flow.ir.covered) covered.add(part)
}

/** Contracts that inherit from each other, directly or not, are together; libraries come after all that may run them. */
const splitByInheritance = (
  contracts: readonly ContractModel[],
  length: number,
  isWanted: (contract: ContractModel) => boolean,
): readonly (readonly ContractModel[])[] => {
  let sum = 0
  for (const { node } of contracts) sum += node.end - node.start
  if (sum <= length) return [contracts]
  const isLibrary = ({ contractKind }: ContractModel): boolean => contractKind === 'library'
  const families = familiesOf([...contracts.filter((each) => !isLibrary(each)), ...contracts.filter(isLibrary)])
  const partitions: ContractModel[][] = [[]]
  let room = length
  for (const family of families) {
    if (!family.some(isWanted)) continue
    if (room <= 0) {
      partitions.push([])
      room = length
    }
    const partition = partitions.at(-1)!
    for (const contract of family) {
      partition.push(contract)
      room -= contract.node.end - contract.node.start
    }
  }
  return partitions
}

/** In the order of their first members. */
const familiesOf = (contracts: readonly ContractModel[]): Iterable<ContractModel[]> => {
  const roots = new Map<ContractModel, ContractModel>()
  const rootOf = (contract: ContractModel): ContractModel => {
    let root = contract
    for (let next = roots.get(root); next !== undefined; next = roots.get(root)) root = next
    // Shortens the way for those who ask later.
    for (let at = contract; at !== root; ) {
      const next = roots.get(at)!
      roots.set(at, root)
      at = next
    }
    return root
  }
  for (const contract of contracts) {
    // Where a line of bases is too long its derived contract is ordered alone.
    if (contract.linearization.length === 1) continue
    for (const { contract: base } of contract.bases) {
      if (base === null) continue
      const [one, other] = [rootOf(contract), rootOf(base)]
      if (one !== other) roots.set(one, other)
    }
  }
  const families = new Map<ContractModel, ContractModel[]>()
  for (const contract of contracts) {
    const root = rootOf(contract)
    const family = families.get(root)
    if (family === undefined) families.set(root, [contract])
    else family.push(contract)
  }
  return families.values()
}
