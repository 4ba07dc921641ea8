/**
 * The behavior of everything in a model, a partition at a time. What one contract does concerns others only where they share
 * code by inheritance; so a large scan is followed in partitions that are let go before the next begins. All that a partition
 * holds stays near at hand while seventy detectors look at it, and little is alive at once.
 *
 * First come the contracts that nobody inherits, each with all that it inherits: these partitions depend on no other. Then
 * come bases, libraries and free functions for the code that none of those before runs.
 */

import type { ContractModel, FunctionModel, Model, SourceFile } from '../model/index.ts'
import type { Span } from '../syntax/index.ts'
import { type Budget, defaultBudget } from './budget.ts'
import { Context, type Part, weightOf } from './context.ts'
import type { Flow } from './flow.ts'
import { groupBy } from './group-by.ts'

export interface FlowDiagnostic extends Span {
  readonly code: 'budget'
  readonly message: string
}

/**
 * Functions up to which a scan is one partition, as nearly every scan is. Counted in functions and not in characters: a
 * comment or a longer body must not move contracts from one partition to another.
 */
const wholeSize = 80
/** Functions after which a partition of a larger scan is full: what is analyzed again after a change is at least one. */
const partitionSize = 20
/** The same of libraries, which are small and call each other: those in other partitions are followed again. */
const librariesSize = 320

export class Behaviour {
  readonly model: Model
  readonly #budget: Budget
  readonly #wholeSize: number
  readonly #partitionSize: number
  readonly #librariesSize: number
  readonly #without: Pick<Part, 'without'>
  readonly #isWanted: (definition: ContractModel | FunctionModel) => boolean
  #parts: Iterator<Part> | null = null
  #isSplit = false
  #open: Context | null = null
  readonly #leftOut: (ContractModel | FunctionModel)[] = []
  readonly #cuts = new Map<string, FlowDiagnostic>()
  /** What ran in the partitions so far; bases, free functions and those of libraries are not followed once more by themselves. */
  readonly #covered = new Set<object>()

  constructor(
    model: Model,
    budget: Budget = defaultBudget,
    size?: number,
    without?: (contract: ContractModel) => boolean,
    /** Contracts that inherit from none of these and are inherited by none are read for meaning, not followed by themselves. */
    isWanted: (definition: ContractModel | FunctionModel) => boolean = () => true,
  ) {
    this.model = model
    this.#budget = budget
    this.#wholeSize = size ?? wholeSize
    this.#partitionSize = size ?? partitionSize
    this.#librariesSize = size ?? librariesSize
    this.#without = without === undefined ? {} : { without }
    this.#isWanted = isWanted
  }

  /** The next partition, or null after the last. The one before is gone then, unless someone holds on to it. */
  next(): Context | null {
    if (this.#open !== null) this.close(followedIn(this.#open))
    const part = this.nextPart()
    return part === null ? null : this.open(part)
  }

  /** What the next partition is about. */
  nextPart(): Part | null {
    this.#open = null
    this.#parts ??= this.#split()
    const { value, done } = this.#parts.next()
    return done ? null : value
  }

  open(part: Part): Context {
    this.model.forgetSlots()
    this.#open = new Context(this.model, this.#budget, part)
    return this.#open
  }

  /** What following a partition may take, in operations. */
  limitOf(part: Part): number {
    return weightOf(this.#budget, part)
  }

  /** Ends here: what was not followed to its end, the open partition included. */
  stop(): readonly (ContractModel | FunctionModel)[] {
    const left: (ContractModel | FunctionModel)[] = []
    let part: Part | null = this.#open?.part ?? this.nextPart()
    for (; part !== null; part = this.nextPart()) left.push(...ownOf(part), ...part.freeFunctions)
    return left
  }

  /** There is more than one partition. */
  get isSplit(): boolean {
    return this.#isSplit
  }

  *#split(): Generator<Part, undefined> {
    const { contracts, files, freeFunctions } = this.model
    const without = this.#without
    if (sizeOf(contracts) <= this.#wholeSize) {
      yield { contracts, files, freeFunctions, ...without }
      return
    }
    this.#isSplit = true
    const { derivedContracts, others } = splitByInheritance(
      contracts,
      this.#partitionSize,
      this.#wholeSize,
      this.#librariesSize,
      this.#isWanted,
    )
    const open = new Set(files)
    const filesOf = (group: readonly ContractModel[]): SourceFile[] =>
      group.flatMap(({ file }) => (open.delete(file) ? [file] : []))
    const partOf = (group: readonly ContractModel[]): Part => ({
      contracts: group,
      files: filesOf(group),
      freeFunctions: [],
      ...without,
    })
    for (const group of derivedContracts) yield { ...partOf(group), isForDerived: true }
    const covered = this.#covered
    for (const group of others) yield { ...partOf(group), covered }
    const rest = freeFunctions.filter((fn) => !covered.has(fn) && this.#isWanted(fn))
    if (rest.length > 0 || open.size > 0) yield { contracts: [], files: [...open], freeFunctions: rest }
  }

  /** Functions in which a budget cut something, and what was left out altogether, in the partitions so far. */
  get diagnostics(): readonly FlowDiagnostic[] {
    const byFile = groupBy(new Set(this.#leftOut), ({ file }) => file)
    return [...this.#cuts.values(), ...[...byFile.values()].map(noteLeftOut)]
  }

  /** Notes what a partition could not follow, and what ran in it. */
  close({ cuts, leftOut, covered }: Followed): void {
    // A base that two partitions follow is cut in both.
    for (const cut of cuts) this.#cuts.set(`${cut.start} ${cut.message}`, cut)
    this.#leftOut.push(...leftOut)
    if (this.#isSplit) for (const part of covered) this.#covered.add(part)
  }
}

/** What a scan keeps of a partition that it lets go. */
export interface Followed {
  readonly cuts: readonly FlowDiagnostic[]
  readonly leftOut: readonly (ContractModel | FunctionModel)[]
  /** Functions and modifiers that ran to their end. */
  readonly covered: readonly object[]
}

/** Contracts that are seen here for the last time: bases of derived contracts come again. */
export const ownOf = ({ contracts, isForDerived }: Part): readonly ContractModel[] =>
  isForDerived ? contracts.filter(({ isMostDerived }) => isMostDerived) : contracts

export const followedIn = (partition: Context): Followed => {
  const cuts: FlowDiagnostic[] = []
  const covered = new Set<object>()
  try {
    for (const flow of partition.functions) {
      if (flow.isPartial) noteCuts(flow, cuts)
      if (!flow.ir.isCutInside) for (const part of flow.ir.covered) covered.add(part)
    }
    return { cuts, leftOut: partition.leftOut, covered: [...covered] }
  } catch {
    // What cannot be followed at all has made every detector fail, and the report says so.
    return { cuts, leftOut: [], covered: [...covered] }
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

interface Split {
  readonly derivedContracts: readonly (readonly ContractModel[])[]
  readonly others: readonly (readonly ContractModel[])[]
}

/** Libraries come after bases, and both after all that may run them. */
const splitByInheritance = (
  contracts: readonly ContractModel[],
  size: number,
  most: number,
  ofLibraries: number,
  isWanted: (contract: ContractModel) => boolean,
): Split => {
  const isLibrary = ({ contractKind }: ContractModel): boolean => contractKind === 'library'
  const libraries = contracts.filter((each) => isLibrary(each) && isWanted(each))
  const bases = contracts.filter((each) => !isLibrary(each) && !each.isMostDerived && isWanted(each))
  const derivedContracts = contracts.filter(
    (each) => !isLibrary(each) && each.isMostDerived && each.linearization.some(isWanted),
  )
  const ranks = new Map(contracts.map((contract, rank) => [contract, rank]))
  const inOrder = (group: Iterable<ContractModel>): ContractModel[] =>
    [...group].filter((each) => ranks.has(each)).sort((a, b) => ranks.get(a)! - ranks.get(b)!)
  return {
    derivedContracts: packDerived(besideRelatives(derivedContracts, ranks), size, most).map(inOrder),
    others: [...pack(bases, size), ...pack(libraries, ofLibraries)].map(inOrder),
  }
}

/** Contracts derived from the same large base stand next to each other: what they share is followed once for each partition. */
const besideRelatives = (
  derivedContracts: readonly ContractModel[],
  ranks: ReadonlyMap<ContractModel, number>,
): readonly ContractModel[] => {
  const sizes = new Map<ContractModel, number>()
  for (const { linearization } of derivedContracts)
    for (const base of linearization) if (!sizes.has(base)) sizes.set(base, sizeOf([base]))
  const keys = new Map(
    derivedContracts.map((derived) => [derived, ranks.get(largestBaseOf(derived, sizes)) ?? ranks.get(derived)!]),
  )
  return [...derivedContracts].sort((a, b) => keys.get(a)! - keys.get(b)! || ranks.get(a)! - ranks.get(b)!)
}

const largestBaseOf = (derived: ContractModel, sizes: ReadonlyMap<ContractModel, number>): ContractModel => {
  let largest = derived
  for (const base of derived.linearization) {
    if (base === derived || base.contractKind === 'interface') continue
    if (largest === derived || sizes.get(base)! > sizes.get(largest)!) largest = base
  }
  return largest
}

const sizeOf = (contracts: readonly ContractModel[]): number =>
  contracts.reduce((sum, { functions }) => sum + functions.filter(({ isImplemented }) => isImplemented).length, 0)

/** A partition is full when it has this size. */
const pack = (contracts: readonly ContractModel[], size: number): ReadonlySet<ContractModel>[] => {
  const partitions: Set<ContractModel>[] = []
  let room = 0
  for (const contract of contracts) {
    if (room <= 0) {
      partitions.push(new Set())
      room = size
    }
    partitions.at(-1)!.add(contract)
    room -= sizeOf([contract])
  }
  return partitions
}

/**
 * Each with its bases; a partition is full when it has this size. Contracts whose bases are all there go on filling it up to `most`: in
 * another partition their bases would be followed once more.
 */
const packDerived = (contracts: readonly ContractModel[], size: number, most: number): ReadonlySet<ContractModel>[] => {
  const partitions: Set<ContractModel>[] = []
  let room = 0
  let roomBeside = 0
  for (const contract of contracts) {
    const bases = contract.linearization.filter((each) => each !== contract)
    const last = partitions.at(-1)
    const isBeside = last !== undefined && bases.length > 0 && bases.every((base) => last.has(base))
    if (last === undefined || (isBeside ? roomBeside : room) <= 0) {
      partitions.push(new Set())
      room = size
      roomBeside = most
    }
    const partition = partitions.at(-1)!
    const added = [contract, ...bases].filter((each) => !partition.has(each))
    for (const each of added) partition.add(each)
    room -= sizeOf(added)
    if (isBeside) roomBeside -= sizeOf(added)
  }
  return partitions
}
