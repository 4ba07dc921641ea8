import type { ContractModel, FunctionModel, Model, SourceFile } from '../model/index.ts'
import { type Budget, defaultBudget } from './budget.ts'
import { ContractFlow, type Flow, SharedAnswers } from './flow.ts'
import { followContract, followFreeFunctions, Weight } from './follow-contract.ts'
import type { FlowCallKind, OpKind, OpOf } from './ir.ts'
import { Lowering } from './lowering.ts'
import { Covered, FlowCache } from './made-flows.ts'

/** What of a model a context is about. */
export interface Part {
  readonly contracts: readonly ContractModel[]
  /** Those that no part before has shown. */
  readonly files: readonly SourceFile[]
  readonly freeFunctions: readonly FunctionModel[]
  /** Contracts that are not followed by themselves. */
  readonly without?: (contract: ContractModel) => boolean
  /** About contracts that nobody inherits: their bases are here as parts of them and not by themselves. */
  readonly isForDerived?: true
  /** Functions that ran in other parts of the same scan. */
  readonly covered?: ReadonlySet<object>
}

/** What a contract takes beside its flows, in operations. */
const contractWeight = 30

/** An operation, and the flow it stands in. */
interface Found<Kind extends OpKind> {
  readonly flow: Flow
  readonly op: OpOf<Kind>
}

/** What a claim needs to find in a flow before it can be true of it. */
export type Need = (flow: Flow) => boolean

/** What detectors get: the model, and the behavior of a part of it or of all, made on demand and remembered. */
export class Context {
  readonly model: Model
  readonly #budget: Budget
  readonly part: Part
  readonly #shared: SharedAnswers
  #contracts: ContractFlow[] | null = null
  #leftOut: readonly (ContractModel | FunctionModel)[] = []
  #weight = 0
  #functions: Flow[] | null = null
  #entryPoints: Flow[] | null = null
  #kinds: ReadonlySet<OpKind> | null = null
  #calls: ReadonlySet<FlowCallKind> | null = null
  #byFunction: Map<FunctionModel, Flow> | null = null
  #elsewhere: ContractFlow | null = null
  #byKind: Map<OpKind, readonly Found<OpKind>[]> | null = null
  #narrowed: Map<Need, Context> | null = null
  /** The context of which this one shows a part of the flows. */
  readonly #all: Context | null

  constructor(model: Model, budget: Budget = defaultBudget, part: Part = allOf(model), all: Context | null = null) {
    this.model = model
    this.#budget = budget
    this.part = part
    this.#all = all
    this.#shared = all === null ? new SharedAnswers() : all.#shared
  }

  /** The same with those flows alone that hold all that is needed, and with contracts that have such flows. */
  having(needs: readonly Need[]): Context {
    let narrowed: Context = this
    for (const need of needs) {
      if (narrowed.isEmpty) break
      narrowed = narrowed.#having(need)
    }
    return narrowed
  }

  /** Made once for each need. */
  #having(need: Need): Context {
    this.#narrowed ??= new Map()
    let narrowed = this.#narrowed.get(need)
    if (narrowed === undefined) {
      narrowed = new Context(this.model, this.#budget, this.part, this)
      narrowed.#functions = this.functions.filter(need)
      // All flows of a contract are among the functions, as long as nothing was left out of these.
      const isNowhere = this.#all === null && narrowed.#functions.length === 0
      narrowed.#contracts = isNowhere ? [] : this.contracts.filter(({ flows }) => flows.some(need))
      this.#narrowed.set(need, narrowed)
    }
    return narrowed
  }

  /** There is nothing to ask about. */
  get isEmpty(): boolean {
    return this.functions.length === 0 && this.contracts.length === 0
  }

  /** Contracts that nobody inherits, contracts with functions that no such contract runs; libraries and free functions that none of these runs. */
  get contracts(): readonly ContractFlow[] {
    if (this.#contracts === null) this.#build()
    return this.#contracts!
  }

  /** Every distinct behavior once: a function of a base that two contracts share is here once. */
  get functions(): readonly Flow[] {
    if (this.#functions === null) this.#build()
    return this.#functions!
  }

  /** Those of `functions` that outsiders can call; no constructors. */
  get entryPoints(): readonly Flow[] {
    this.#entryPoints ??= this.functions.filter((flow) => flow.isEntryPoint)
    return this.#entryPoints
  }

  /** Whether any flow of `functions` has an operation of this kind. Ask this first: most detectors need one that is rare. */
  has(kind: OpKind): boolean {
    this.#kinds ??= unionOf(this.functions, ({ kinds }) => kinds)
    return this.#kinds.has(kind)
  }

  /** Whether any flow makes a call of this kind. */
  hasCall(kind: FlowCallKind): boolean {
    this.#calls ??= unionOf(this.functions, ({ callKinds }) => callKinds)
    return this.#calls.has(kind)
  }

  /** All operations of a kind in `functions`, with their flow. */
  opsOfKind<Kind extends OpKind>(kind: Kind): readonly Found<Kind>[] {
    if (!this.has(kind)) return []
    this.#byKind ??= new Map()
    let found = this.#byKind.get(kind) as readonly Found<Kind>[] | undefined
    if (found === undefined) {
      found = this.functions.flatMap((flow) => flow.ops(kind).map((op) => ({ flow, op })))
      this.#byKind.set(kind, found)
    }
    return found
  }

  /** Contracts and free functions that the weight budget left no room for. */
  get leftOut(): readonly (ContractModel | FunctionModel)[] {
    if (this.#contracts === null) this.#build()
    return this.#leftOut
  }

  /** What following it took, in operations; infinite where there was not enough room for all. */
  get weight(): number {
    if (this.#contracts === null) this.#build()
    return this.#weight
  }

  /**
   * What a function of the scan does, as others see it who call it from outside. One of another part is followed by itself:
   * what it demands and answers is known then, what its contract's state may hold is not.
   */
  flowOf(fn: FunctionModel): Flow | undefined {
    if (this.#all !== null) return this.#all.flowOf(fn)
    this.#byFunction ??= indexByFunction(this.functions)
    const known = this.#byFunction.get(fn)
    if (known !== undefined || fn.isStub || !fn.isImplemented) return known
    if (fn.contract === null || this.part.contracts.includes(fn.contract)) return undefined
    this.#elsewhere ??= new ContractFlow(this.model, null, this.#budget, this.#shared)
    const flow = this.#elsewhere.follow(fn)
    this.#byFunction.set(fn, flow)
    return flow
  }

  #build(): void {
    const { contracts, functions, leftOut, weight } = followWithin(this.model, this.#budget, this.part, this.#shared)
    this.#contracts = contracts
    this.#functions = functions
    this.#leftOut = leftOut
    this.#weight = weight
  }
}

interface FollowedPart {
  readonly contracts: ContractFlow[]
  readonly functions: Flow[]
  /** Not followed, or not to their end. */
  readonly leftOut: readonly (ContractModel | FunctionModel)[]
  readonly weight: number
}

/**
 * Past what a part may weigh every function is followed with little of what it calls, and if that is too much still, contracts that bring
 * little code have precedence: what is left out depends on what there is, not on what comes first.
 */
const followWithin = (model: Model, budget: Budget, part: Part, shared: SharedAnswers): FollowedPart => {
  const all = followPart(model, budget, part, shared)
  if (all.leftOut.length === 0) return all
  const brief = { ...budget, maxInlinedOps: budget.maxBriefOps }
  const inBrief = followPart(model, brief, part, shared)
  if (inBrief.leftOut.length === 0) return { ...inBrief, weight: Number.POSITIVE_INFINITY }
  return followPart(model, brief, { ...part, contracts: smallestFirst(part) }, shared)
}

const followPart = (model: Model, budget: Budget, part: Part, shared: SharedAnswers): FollowedPart => {
  const weight = new Weight(weightOf(budget, part))
  const lowering = new Lowering(model, budget, shared.computations(model, budget))
  const by = { model, budget, cache: new FlowCache(), lowering, shared, weight }
  const contracts: ContractFlow[] = []
  const functions: Flow[] = []
  const leftOut: (ContractModel | FunctionModel)[] = []
  const add = (contract: ContractModel | null, free: readonly FunctionModel[]): void => {
    const { refused } = weight
    if (weight.hasRoom()) {
      weight.add(contractWeight)
      const contractFlow = contract === null ? followFreeFunctions(by, free) : followContract(by, contract, free)
      contracts.push(contractFlow)
      // One that is shared was made for another contract, and is there already.
      for (const flow of contractFlow.flows) if (flow.contractFlow === contractFlow) functions.push(flow)
    }
    if (weight.refused > refused) leftOut.push(...(contract === null ? free : [contract]))
  }
  const later: ContractModel[] = []
  const libraries: ContractModel[] = []
  const represented = new Set<ContractModel>()
  for (const contract of part.contracts) {
    if (contract.contractKind === 'interface' || part.without?.(contract)) continue
    if (contract.contractKind === 'library') libraries.push(contract)
    else if (!contract.isMostDerived) {
      if (!part.isForDerived) later.push(contract)
    } else {
      const last = lastToAdd(contract)
      if (last === contract || !represented.has(last)) add(contract, [])
      represented.add(last)
    }
  }
  const covered = new Covered(functions)
  const isCovered = (fn: FunctionModel): boolean => part.covered?.has(fn) === true || covered.includes(fn)
  // Bases whose code nothing above runs: overridden functions, constructors never reached.
  for (const contract of later) {
    const missing = contract.functions.some((fn) => fn.isImplemented && fn.role !== 'constructor' && !isCovered(fn))
    if (missing) add(contract, [])
  }
  // What storage, accounts and numbers a library works on is its host's affair: it is judged there, and alone only without one.
  const hosted = new Covered(functions, { strict: true })
  const isHosted = (fn: FunctionModel): boolean => part.covered?.has(fn) === true || hosted.includes(fn)
  for (const library of libraries) {
    const alone = library.functions.filter((fn) => fn.isImplemented && !isHosted(fn))
    if (alone.length > 0) add(library, alone)
  }
  if (part.freeFunctions.length > 0) {
    const alone = part.freeFunctions.filter((fn) => fn.isImplemented && !covered.includes(fn))
    if (alone.length > 0) add(null, alone)
  }
  return { contracts, functions, leftOut, weight: weight.sum }
}

/** The contract itself, or the base of which it is nothing but another name: `contract Mock is Vault {}` does what `Vault` does. */
const lastToAdd = (contract: ContractModel): ContractModel => {
  let at = contract
  while (at.bases.length === 1 && at.node.members.length === 0 && at.bases[0]!.node.args === null) {
    const base = at.bases[0]!.contract
    if (base === null || at.linearization.length === 1) break
    at = base
  }
  return at
}

const lengthOf = ({ node }: ContractModel): number => node.end - node.start

export const weightOf = ({ leastWeight, weightPerCharacter }: Budget, { contracts, freeFunctions }: Part): number => {
  let length = 0
  for (const contract of contracts) length += lengthOf(contract)
  for (const { node } of freeFunctions) length += node.end - node.start
  return Math.max(leastWeight, weightPerCharacter * length)
}

/** By the length of all that a contract is made of, its bases included. */
const smallestFirst = ({ contracts }: Part): readonly ContractModel[] => {
  const lengths = new Map(
    contracts.map((contract) => [contract, contract.linearization.reduce((sum, base) => sum + lengthOf(base), 0)]),
  )
  return [...contracts].sort((a, b) => lengths.get(a)! - lengths.get(b)!)
}

const allOf = ({ contracts, files, freeFunctions }: Model): Part => ({ contracts, files, freeFunctions })

const unionOf = <T>(flows: readonly Flow[], of: (flow: Flow) => Iterable<T>): ReadonlySet<T> => {
  const all = new Set<T>()
  for (const flow of flows) for (const each of of(flow)) all.add(each)
  return all
}

const indexByFunction = (flows: readonly Flow[]): Map<FunctionModel, Flow> => {
  const index = new Map<FunctionModel, Flow>()
  for (const flow of flows) if (flow.fn !== null && !index.has(flow.fn)) index.set(flow.fn, flow)
  return index
}
