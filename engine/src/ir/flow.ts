/**
 * A function as it runs in one contract (`Flow`), and all functions of a contract together (`ContractFlow`). Both are handles:
 * they list operations and say in which order these can run. What follows from that is answered in `facts/`, whose answers are
 * kept here, so that they live as long as the flow and no longer.
 */

import type { ContractModel, FunctionModel, Model, ModifierModel, Type, VariableModel } from '../model/index.ts'
import { firstPast, type Span } from '../syntax/index.ts'
import type { Budget } from './budget.ts'
import { describeLocation } from './describe.ts'
import { groupBy } from './group-by.ts'
import type {
  BasicBlock,
  CallOp,
  FlowCallKind,
  Ir,
  LoadOp,
  Location,
  LoopMark,
  Op,
  OpKind,
  OpOf,
  StoreOp,
} from './ir.ts'
import { LargeComputations } from './large-computations.ts'
import { Lowering } from './lowering.ts'
import { Memo } from './memo.ts'
import { OpIndex } from './op-index.ts'
import { typeOf } from './op-types.ts'
import { isBefore, Order } from './order.ts'
import { mayOverlap, mayOverlapAcross } from './overlap.ts'
import { inCommonCaller, inEntry, type Step, stepsTo } from './sites.ts'
import { conditionBit, indexBit, rolesPass, Users } from './users.ts'

export type FlowKind = 'entry' | 'fallback' | 'receive' | 'constructor' | 'internal' | 'library' | 'free'

export class Flow {
  readonly model: Model
  /** The function itself; null for a construction without written constructor. */
  readonly fn: FunctionModel | null
  /** The contract in whose instance it runs; null for free functions. */
  readonly contract: ContractModel | null
  readonly kind: FlowKind
  readonly ir: Ir
  /** All functions of the contract together. */
  readonly contractFlow: ContractFlow
  readonly #memo = new Memo<Flow>()
  #index: OpIndex | null = null
  #order: Order | null = null
  #users: Users | null = null
  #roles: readonly number[] | null = null
  #sends: readonly CallOp[] | null = null

  constructor(
    model: Model,
    fn: FunctionModel | null,
    contract: ContractModel | null,
    kind: FlowKind,
    ir: Ir,
    contractFlow: ContractFlow,
  ) {
    this.model = model
    this.fn = fn
    this.contract = contract
    this.kind = kind
    this.ir = ir
    this.contractFlow = contractFlow
  }

  /** A question about this flow, worked out once. */
  answer<T>(question: (flow: Flow) => T): T {
    return this.#memo.of(question, this)
  }

  /** A question about one thing of it, worked out once; `meanwhile` answers those who ask the same before that. */
  remember<T>(question: unknown, key: unknown, find: () => T, meanwhile?: T): T {
    return this.#memo.about(question, key, find, meanwhile)
  }

  /** A question about one of its values, worked out once. */
  answerAbout<T>(value: Op, question: (flow: Flow, value: Op) => T): T {
    return this.#memo.about(question, value, () => question(this, value))
  }

  /** Outsiders can call it. */
  get isEntryPoint(): boolean {
    return this.kind === 'entry' || this.kind === 'fallback' || this.kind === 'receive'
  }

  get isConstructor(): boolean {
    return this.kind === 'constructor'
  }

  /** Can receive ether. */
  get isPayable(): boolean {
    return this.fn !== null && this.fn.mutability === 'payable'
  }

  get name(): string {
    return this.fn === null ? 'constructor' : this.fn.name || this.fn.role
  }

  get blocks(): readonly BasicBlock[] {
    return this.ir.blocks
  }

  get params(): readonly Op[] {
    return this.ir.params
  }

  /** A budget cut something: what is missing proves nothing. */
  get isPartial(): boolean {
    return this.ir.problems.length > 0
  }

  // Operations

  #ops(): OpIndex {
    this.#index ??= new OpIndex(this.ir)
    return this.#index
  }

  /** The kinds of operation that occur. */
  get kinds(): Iterable<OpKind> {
    return this.#ops().kinds
  }

  /** The kinds of call that occur. */
  get callKinds(): Iterable<FlowCallKind> {
    return this.#ops().calls
  }

  /** Whether there is any operation of a kind: a cheap first question. Constants, parameters and environment values stand in no block and do not count. */
  has(kind: OpKind): boolean {
    return this.#ops().has(kind)
  }

  hasCall(kind: FlowCallKind): boolean {
    return this.#ops().calls.has(kind)
  }

  /** All operations of one kind, in program order. */
  ops<Kind extends OpKind>(kind: Kind): readonly OpOf<Kind>[] {
    return this.#ops().of(kind)
  }

  /** Calls of builtins by name: `keccak256`, `selfdestruct`, `blockhash`, `balance`, `ecrecover`, `abi.encodePacked`… */
  builtins(name: string): readonly OpOf<'builtin'>[] {
    return this.ops('builtin').filter(({ operator }) => operator === name)
  }

  /** Calls that leave the contract (also `send`, `transfer`, `new`), in program order; see `op.call`. */
  externalCalls(): readonly CallOp[] {
    return this.#ops().externalCalls
  }

  /** Calls that send ether along: `transfer`, `send`, `call{value:}`, payable external calls, `new` with value. */
  sends(): readonly CallOp[] {
    this.#sends ??= this.#ops().externalCalls.filter(paysEther)
    return this.#sends
  }

  /** Writes to state variables, storage behind pointers and assembly slots. */
  stateStores(): readonly StoreOp[] {
    return this.#ops().stateStores
  }

  /** Writes to memory objects. */
  memoryStores(): readonly StoreOp[] {
    return this.#ops().memoryStores
  }

  /** Those that may write to a place in memory. */
  memoryStoresTo(place: Location): readonly StoreOp[] {
    const known = this.answer(createMemoryStores)
    let stores = known.get(place)
    if (stores === undefined) {
      const ofRoot = this.answer(memoryStoresByRoot).get(place.variable ?? place.base) ?? []
      stores = ofRoot.filter(({ location }) => mayOverlap(location, place))
      known.set(place, stores)
    }
    return stores
  }

  stateLoads(): readonly LoadOp[] {
    return this.#ops().stateLoads
  }

  /** Whether the code reads an environment value such as `block.timestamp`: a cheap first question. */
  usesEnvironment(name: string): boolean {
    return this.ir.environments.includes(name)
  }

  /** The type of a value; null where it has none that matters. */
  typeOf(op: Op): Type | null {
    return typeOf(this.model, op)
  }

  // Order

  #before(): Order {
    this.#order ??= new Order(this.ir)
    return this.#order
  }

  get idom(): readonly number[] {
    return this.#before().idom
  }

  get ipdom(): readonly number[] {
    return this.#before().ipdom
  }

  blockDominates(a: number, b: number): boolean {
    return this.#before().blockDominates(a, b)
  }

  /** The blocks that only a block leads to, itself first. */
  blocksUnder(block: number): Iterable<number> {
    return this.#before().blocksUnder(block)
  }

  /** Every way to `b` goes through `a` first. */
  dominates(a: Op, b: Op): boolean {
    return this.#before().dominates(a, b)
  }

  /** Every way from `a` that does not revert goes through `b`. */
  isFollowedBy(a: Op, b: Op): boolean {
    return this.#before().isFollowedBy(a, b)
  }

  /** `b` can run after `a` in one execution, also on a later round of a loop. */
  canFollow(a: Op, b: Op): boolean {
    return this.#before().canFollow(a, b)
  }

  /** Those of some operations, given in program order, that can run after `op`; what stands before it is not looked at unless a loop leads back. */
  *following<T extends Op>(op: Op, ops: readonly T[]): Generator<T, void> {
    const isPast = (other: T): boolean => other.block > op.block || (other.block === op.block && isBefore(op, other))
    for (let i = this.canFollow(op, op) ? 0 : firstPast(ops, isPast); i < ops.length; i++)
      if (this.canFollow(op, ops[i]!)) yield ops[i]!
  }

  /** The blocks, in program order, that never run in one execution with an operation. */
  blocksOnOtherPaths({ block }: Op): Iterable<number> {
    return this.#before().blocksOnOtherPaths(block)
  }

  /** The innermost loop around an operation. */
  loopMarkAround(op: Op): LoopMark | null {
    return this.answer(loopsByBlock)[op.block] ?? null
  }

  /** Those of some operations, given in program order, that stand in these blocks. */
  *within<T extends Op>({ header, last }: Pick<LoopMark, 'header' | 'last'>, ops: readonly T[]): Generator<T, void> {
    for (let i = firstPast(ops, ({ block }) => block >= header); i < ops.length && ops[i]!.block <= last; i++)
      yield ops[i]!
  }

  bodyOf(mark: LoopMark): Op[] {
    const ops: Op[] = []
    for (let b = mark.header; b <= mark.last; b++) for (const op of this.ir.blocks[b]!.ops) ops.push(op)
    return ops
  }

  // Uses

  /** Operations that use a value directly. */
  usersOf(op: Op): readonly Op[] {
    this.#users ??= new Users(this.ir)
    return this.#users.of(op)
  }

  /** The value decides a branch by itself. */
  isCondition(op: Op): boolean {
    this.#roles ??= rolesPass(this.ir)
    return (this.#roles[op.id]! & conditionBit) !== 0
  }

  /** The value chooses an element of an array or mapping. */
  isIndex(op: Op): boolean {
    this.#roles ??= rolesPass(this.ir)
    return (this.#roles[op.id]! & indexBit) !== 0
  }

  /** Blocks that branch on this value itself. */
  branchesOn(op: Op): readonly BasicBlock[] {
    return this.isCondition(op) ? this.answer(blocksByCondition).get(op)! : []
  }

  // Words

  /** The function or modifier in which an operation is written. */
  writtenIn(op: Op): FunctionModel | ModifierModel | null {
    return op.site === null ? this.fn : op.site.fn
  }

  /** How execution comes from the entry to `op`: one step per call or modifier on the path. */
  trace(op: Op): Step[] {
    return stepsTo(op, this.name)
  }

  /**
   * Where `op` stands in the innermost function that holds both operations: the operation itself, or the call or modifier
   * through which it came in. Two steps in the wrong order are reported there, not in a helper that is right by itself.
   */
  inCommonCaller(op: Op, other: Op): Span {
    return inCommonCaller(op, other)
  }

  /** Where `op` stands in the function that callers see: a helper that does what it is given is not to blame. */
  inEntry(op: Op): Span {
    return inEntry(op)
  }

  /** A place in words: `balances[msg.sender]`. */
  describe(location: Location): string {
    return describeLocation(this.model, location)
  }
}

const createMemoryStores = (): Map<Location, readonly StoreOp[]> => new Map()

/** Different roots never meet. */
const memoryStoresByRoot = (flow: Flow): ReadonlyMap<VariableModel | Op | null, readonly StoreOp[]> =>
  groupBy(flow.memoryStores(), ({ location }) => location.variable ?? location.base)

/** The innermost loop around each block. */
const loopsByBlock = ({ ir }: Flow): readonly (LoopMark | undefined)[] => {
  const byBlock: (LoopMark | undefined)[] = new Array(ir.blocks.length)
  for (const mark of ir.loops)
    for (let block = mark.header; block <= mark.last; block++) {
      const known = byBlock[block]
      if (known === undefined || mark.header >= known.header) byBlock[block] = mark
    }
  return byBlock
}

const blocksByCondition = ({ ir }: Flow): ReadonlyMap<Op, readonly BasicBlock[]> => {
  const byCondition = new Map<Op, BasicBlock[]>()
  for (const block of ir.blocks) {
    const known = block.condition === null ? undefined : byCondition.get(block.condition)
    if (known !== undefined) known.push(block)
    else if (block.condition !== null) byCondition.set(block.condition, [block])
  }
  return byCondition
}

/** A read or a write of state, and the flow it stands in. */
export interface Access<Kind extends 'load' | 'store' = 'load' | 'store'> {
  readonly flow: Flow
  readonly op: OpOf<Kind>
}

/** What all flows that can ask each other share: answers that are about none of them alone. */
export class SharedAnswers {
  readonly #memo = new Memo<SharedAnswers>()
  #computations: LargeComputations | null = null

  /** They are the same in every flow of a scan. */
  computations(model: Model, budget: Budget): LargeComputations {
    this.#computations ??= new LargeComputations(model, budget)
    return this.#computations
  }

  answer<T>(question: (shared: SharedAnswers) => T): T {
    return this.#memo.of(question, this)
  }

  /** A question about one thing of it, worked out once; `meanwhile` answers those who ask the same before that. */
  remember<T>(question: unknown, key: unknown, find: () => T, meanwhile?: T): T {
    return this.#memo.about(question, key, find, meanwhile)
  }
}

export class ContractFlow {
  readonly model: Model
  readonly shared: SharedAnswers
  readonly contract: ContractModel | null
  /** Constructor, entry points, then functions that none of them reaches; flows shared with another contract included. */
  flows: readonly Flow[] = []
  readonly #budget: Budget
  readonly #memo = new Memo<ContractFlow>()
  #writers: Map<VariableModel, Access<'store'>[]> | null = null
  #readers: Map<VariableModel, Access<'load'>[]> | null = null
  #entryPoints: readonly Flow[] | null = null

  constructor(model: Model, contract: ContractModel | null, budget: Budget, shared: SharedAnswers) {
    this.model = model
    this.shared = shared
    this.contract = contract
    this.#budget = budget
  }

  /** A question about the contract, worked out once. */
  answer<T>(question: (contractFlow: ContractFlow) => T): T {
    return this.#memo.of(question, this)
  }

  /** A question about one thing of it, worked out once; `meanwhile` answers those who ask the same before that. */
  remember<T>(question: unknown, key: unknown, find: () => T, meanwhile?: T): T {
    return this.#memo.about(question, key, find, meanwhile)
  }

  /** Flows that outsiders can start; the constructor is not among them. */
  get entryPoints(): readonly Flow[] {
    this.#entryPoints ??= this.flows.filter((flow) => flow.isEntryPoint)
    return this.#entryPoints
  }

  /** Every write to a state variable, in the constructor too. */
  writersOf(variable: VariableModel): readonly Access<'store'>[] {
    this.#writers ??= indexBy(this.flows, (flow) => flow.stateStores())
    return this.#writers.get(variable) ?? []
  }

  /** Those of them that may change a place; many functions read one mapping, and ask about the same writers. */
  writersTo(place: Location): readonly Access<'store'>[] {
    return this.answerAt(place, findWriters)
  }

  /**
   * A question about a place as far as other functions can tell it: worked out once for all places of one variable that the same fields and constant
   * keys lead to. The answer must not rest on the keys themselves, which are values of one function.
   */
  answerAt<T>(place: Location, question: (contractFlow: ContractFlow, place: Location) => T): T {
    const known = this.answer(createPlaceAnswers)
    const kind = known.kindOf(place)
    const memo = known.memoOf(question) as Map<Location, T>
    const answer = memo.get(kind)
    if (answer !== undefined || memo.has(kind)) return answer as T
    const found = question(this, place)
    memo.set(kind, found)
    return found
  }

  readersOf(variable: VariableModel): readonly Access<'load'>[] {
    this.#readers ??= indexBy(this.flows, (flow) => flow.stateLoads())
    return this.#readers.get(variable) ?? []
  }

  /** A function followed by itself, as it runs in `contract`: by default the one that declares it. */
  follow(fn: FunctionModel, contract: ContractModel | null = fn.contract): Flow {
    const ir = this.#lowering(this.#budget).function(fn, contract)
    return new Flow(this.model, fn, contract, 'internal', ir, this)
  }

  /** A function by itself, as it runs here, with little of what it calls: the rest stays calls. */
  followBriefly(fn: FunctionModel): Flow {
    const brief = { ...this.#budget, maxInlinedOps: this.#budget.maxBriefOps }
    const ir = this.#lowering(brief).function(fn, this.contract)
    return new Flow(this.model, fn, this.contract, 'internal', ir, this)
  }

  #lowering(budget: Budget): Lowering {
    return new Lowering(this.model, budget, this.shared.computations(this.model, this.#budget))
  }
}

const findWriters = (contractFlow: ContractFlow, place: Location): readonly Access<'store'>[] =>
  place.variable === null
    ? []
    : contractFlow.writersOf(place.variable).filter(({ op }) => mayOverlapAcross(op.location, place))

/** What is known of places that only their functions can tell apart. */
class PlaceAnswers {
  readonly #memos = new Map<unknown, Map<Location, unknown>>()
  readonly #kinds = new Map<Location, Location>()
  readonly #byVariable = new Map<VariableModel | null, Map<string, Location>>()

  memoOf(question: unknown): Map<Location, unknown> {
    let memo = this.#memos.get(question)
    if (memo === undefined) {
      memo = new Map()
      this.#memos.set(question, memo)
    }
    return memo
  }

  /** The first place that is like this one stands for all of them. */
  kindOf(place: Location): Location {
    let kind = this.#kinds.get(place)
    if (kind === undefined) {
      let names = this.#byVariable.get(place.variable)
      if (names === undefined) {
        names = new Map()
        this.#byVariable.set(place.variable, names)
      }
      const name = pathTo(place)
      kind = names.get(name) ?? place
      names.set(name, kind)
      this.#kinds.set(place, kind)
    }
    return kind
  }
}

const createPlaceAnswers = (): PlaceAnswers => new PlaceAnswers()

/** The fields and constant keys that lead to a place from its variable. */
const pathTo = (place: Location): string => {
  let text = place.space as string
  for (let at: Location | null = place; at !== null; at = at.parent)
    text += ` ${at.part} ${at.name} ${at.index?.kind === 'const' ? at.index.constant : ''}`
  return text
}

const indexBy = <Kind extends 'load' | 'store'>(
  flows: readonly Flow[],
  opsOf: (flow: Flow) => readonly OpOf<Kind>[],
): Map<VariableModel, Access<Kind>[]> => {
  const index = new Map<VariableModel, Access<Kind>[]>()
  for (const flow of flows) {
    for (const op of opsOf(flow)) {
      const variable = op.location.variable
      if (variable === null) continue
      const list = index.get(variable)
      if (list === undefined) index.set(variable, [{ flow, op }])
      else list.push({ flow, op })
    }
  }
  return index
}

const paysEther = ({ call }: CallOp): boolean => {
  const { value } = call
  return value !== null && !(value.kind === 'const' && value.constant === 0n)
}
