/** The behaviour of one function in one contract, and the questions that detectors ask about it. */

import {
  Answers,
  type BasicBlock,
  callBit,
  conditionBit,
  describeLocation,
  type FlowCallKind,
  type Ir,
  inCommonCaller,
  indexBit,
  inEntry,
  kindBit,
  type Location,
  type LoopMark,
  mayOverlap,
  type Op,
  OpIndex,
  type OpKind,
  Order,
  rolesPass,
  type Step,
  stepsTo,
  Users,
  zeros,
} from '../ir/index.ts'
import type { ContractModel, FunctionModel, Model, ModifierModel, Type, VariableModel } from '../model/index.ts'
import type { Assignment, Expression, Span } from '../syntax/index.ts'
import type { Fact } from './conditions.ts'
import type { ContractFlow } from './contract-flow.ts'
import { Dependencies } from './dependencies.ts'
import { isToldInError, Knowledge } from './guards.ts'
import { derivedInterval, intervalAt, ownInterval } from './intervals.ts'
import { findLock, type Lock } from './locks.ts'
import { describeLoop, type Loop } from './loops.ts'
import { canOverflow } from './overflow.ts'
import { type Interval, rangeOf } from './ranges.ts'
import type { Relation } from './relations.ts'
import { type ResultUse, resultUse } from './result-use.ts'
import type { SenderGuard } from './senders.ts'
import { findRecoveries, type Recovery } from './signatures.ts'
import { taintPass } from './taint.ts'
import { isListed, isUntrustedValue } from './trust.ts'
import { forgetLater, isUnsettled } from './unsettled.ts'
import { isUsedBy, moneyBit, usedBit, usesPass } from './uses.ts'

export type FlowKind = 'entry' | 'fallback' | 'receive' | 'constructor' | 'internal' | 'library' | 'free'

/** A write to state: by a store, or by a call that was not inlined. */
export interface Write extends Span {
  readonly op: Op
  readonly variable: VariableModel | null
  readonly location: Location | null
}

const maxIntervalDepth = 200

const none: Op[] = []
const inFlow: { readonly storage?: boolean; readonly keys?: boolean } = {}
const noLoops: readonly Loop[] = []
/** Intervals being worked out, in whatever flow. */
let openIntervals = 0

export class Flow {
  readonly model: Model
  /** The function itself; null for a construction without written constructor. */
  readonly fn: FunctionModel | null
  /** The contract in whose instance it runs; null for free functions. */
  readonly contract: ContractModel | null
  readonly kind: FlowKind
  readonly ir: Ir
  /** Facts about all functions of the contract together. */
  readonly whole: ContractFlow
  #index: OpIndex | null = null
  #order: Order | null = null
  #users: Users | null = null
  #roles: readonly number[] | null = null
  #knowledge: Knowledge | null = null
  #sends: Op[] | null = null
  #recoveries: readonly Recovery[] | null = null
  #summarised: readonly Op[] | null = null
  #taint: readonly number[] | null = null
  #uses: readonly number[] | null = null
  #loops: Loop[] | null = null
  #intervals: (Interval | undefined)[] | null = null
  #intervalDepth = 0
  #overflows: number[] | null = null
  #dependencies: Dependencies | null = null
  #answers: Answers<Flow> | null = null

  constructor(
    model: Model,
    fn: FunctionModel | null,
    contract: ContractModel | null,
    kind: FlowKind,
    ir: Ir,
    whole: ContractFlow,
  ) {
    this.model = model
    this.fn = fn
    this.contract = contract
    this.kind = kind
    this.ir = ir
    this.whole = whole
  }

  /** A question about this flow, worked out once. */
  answer<T>(question: (flow: Flow) => T): T {
    this.#answers ??= new Answers()
    return this.#answers.to(question, this)
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

  get #ops(): OpIndex {
    this.#index ??= new OpIndex(this.ir.blocks)
    return this.#index
  }

  /** A bit per kind of operation: see `kindBit`. */
  get kindBits(): number {
    return this.#ops.kinds
  }

  /** A bit per kind of call: see `callBit`. */
  get callBits(): number {
    return this.#ops.calls
  }

  /** Whether there is any operation of a kind: a cheap first question. Constants, parameters and environment values stand in no block and do not count. */
  has(kind: OpKind): boolean {
    return (this.#ops.kinds & kindBit(kind)) !== 0
  }

  hasCall(kind: FlowCallKind): boolean {
    return (this.#ops.calls & callBit(kind)) !== 0
  }

  /** All operations of one kind, in program order. */
  ops(kind: OpKind): readonly Op[] {
    return this.#ops.of(kind)
  }

  /** Calls of builtins by name: `keccak256`, `selfdestruct`, `blockhash`, `balance`, `ecrecover`, `abi.encodePacked`… */
  builtins(name: string): Op[] {
    let found = none
    const all = this.ops('builtin')
    for (let i = 0; i < all.length; i++) {
      const op = all[i]!
      if (op.operator !== name) continue
      if (found === none) found = [op]
      else found.push(op)
    }
    return found
  }

  /** Calls that leave the contract (also `send`, `transfer`, `new`), in program order; see `op.call`. */
  externalCalls(): readonly Op[] {
    return this.#ops.externalCalls
  }

  /** Calls that send ether along: `transfer`, `send`, `call{value:}`, payable external calls, `new` with value. */
  sends(): readonly Op[] {
    if (this.#sends === null) {
      let found = none
      const calls = this.#ops.externalCalls
      for (let i = 0; i < calls.length; i++) {
        const op = calls[i]!
        const value = op.call!.value
        if (value === null || (value.kind === 'const' && value.constant === 0n)) continue
        if (found === none) found = [op]
        else found.push(op)
      }
      this.#sends = found
    }
    return this.#sends
  }

  /** Writes to state variables, storage behind pointers and assembly slots. */
  stateStores(): readonly Op[] {
    return this.#ops.stateStores
  }

  /** Writes to memory objects. */
  memoryStores(): readonly Op[] {
    return this.#ops.memoryStores
  }

  stateLoads(): readonly Op[] {
    return this.#ops.stateLoads
  }

  /** Where the signer of a message is recovered. */
  recoveries(): readonly Recovery[] {
    this.#recoveries ??= findRecoveries(this)
    return this.#recoveries
  }

  /** Whether it writes state, itself or through a call that was not inlined. */
  writesState(): boolean {
    return this.stateStores().length > 0 || (this.#summarisedCalls().length > 0 && this.writes().length > 0)
  }

  /** Whether it may write state at all, itself or through a call that was not inlined. */
  mayWrite(): boolean {
    return this.stateStores().length > 0 || this.#summarisedCalls().length > 0
  }

  /** Calls inside the contract that were not inlined: what they do is known as a sum. */
  #summarisedCalls(): readonly Op[] {
    this.#summarised ??= summarisedIn(this.ops('call'))
    return this.#summarised
  }

  /** The type of a value; null where it has none that matters. */
  typeOf(op: Op): Type | null {
    if (op.decl !== null && op.decl.kind === 'variable') return op.decl.type
    if (op.kind === 'load') {
      const type = op.location!.type
      if (type !== null && (type.kind === 'int' || type.kind === 'bool' || type.kind === 'address')) return type
    }
    if (op.node === null || !isExpression(op.node)) return null
    return typeOfChanged(op) ?? this.model.typeOf(op.node)
  }

  // Order

  get #before(): Order {
    this.#order ??= new Order(this.ir)
    return this.#order
  }

  get idom(): readonly number[] {
    return this.#before.idom
  }

  get ipdom(): readonly number[] {
    return this.#before.ipdom
  }

  blockDominates(a: number, b: number): boolean {
    return this.#before.blockDominates(a, b)
  }

  /** Every way to `b` goes through `a` first. */
  dominates(a: Op, b: Op): boolean {
    return this.#before.dominates(a, b)
  }

  /** Every way from `a` that does not revert goes through `b`. */
  isFollowedBy(a: Op, b: Op): boolean {
    return this.#before.isFollowedBy(a, b)
  }

  /** `b` can run after `a` in one execution, also on a later round of a loop. */
  canFollow(a: Op, b: Op): boolean {
    return this.#before.canFollow(a, b)
  }

  /** State written after `op` can have run, in callees and modifiers too. */
  writesAfter(op: Op): Write[] {
    const writes: Write[] = []
    for (const store of this.stateStores()) if (this.canFollow(op, store)) writes.push(writeOf(store))
    this.#calleeWrites(writes, (call) => this.canFollow(op, call))
    return writes
  }

  /** State written before `op` may run. */
  writesBefore(op: Op): Write[] {
    const writes: Write[] = []
    for (const store of this.stateStores()) if (this.canFollow(store, op)) writes.push(writeOf(store))
    this.#calleeWrites(writes, (call) => this.canFollow(call, op))
    return writes
  }

  /** All state writes. */
  writes(): Write[] {
    const writes = this.stateStores().map(writeOf)
    this.#calleeWrites(writes, () => true)
    return writes
  }

  #calleeWrites(writes: Write[], include: (call: Op) => boolean): void {
    for (const call of this.#summarisedCalls()) {
      if (!include(call)) continue
      for (const variable of this.whole.summaryOf(call.call!.definition!).writes) {
        writes.push({ op: call, variable, location: null, start: call.start, end: call.end })
      }
    }
  }

  /** Reads of a place (or what may be the same place) that can run before `op`. */
  readsBefore(op: Op, location: Location | null, variable: VariableModel | null = null): Op[] {
    return this.stateLoads().filter(
      (load) =>
        this.canFollow(load, op) &&
        (location === null ? load.location!.variable === variable : mayOverlap(load.location!, location)),
    )
  }

  // Conditions

  get #holds(): Knowledge {
    this.#knowledge ??= new Knowledge(this)
    return this.#knowledge
  }

  /** What certainly holds when `op` runs: conditions of dominating branches and `require`s, taken apart at `&&`. */
  guardsAt(op: Op): readonly Fact[] {
    return this.#holds.factsAt(op)
  }

  /** Comparisons that hold when `op` runs; an equality gives both directions. */
  relationsAt(op: Op): readonly Relation[] {
    return this.#holds.relationsAt(op)
  }

  /** Conditions that hold at the end of a block. */
  guardsAtEnd(block: number): readonly Fact[] {
    return this.#holds.factsAtEnd(block)
  }

  /** Calls before `op` on every path whose effect on the caller is known or cannot be seen: modifiers of missing files, stubs. */
  guardCallsAt(op: Op): readonly Op[] {
    return this.#holds.callsAt(op)
  }

  /** All conditions on the way to `op` that test the sender: against state, roles, constants, another contract or a signature. */
  senderGuardsAt(op: Op): readonly SenderGuard[] {
    return this.#holds.sendersAt(op)
  }

  /** The condition that keeps strangers from reaching `op`; one that holds if there is one, else a broken one (see `whole.isBroken`). */
  senderGuardAt(op: Op): SenderGuard | null {
    const guards = this.senderGuardsAt(op)
    if (guards.length === 0) return null
    return guards.find((guard) => !this.whole.isBroken(guard)) ?? guards[0] ?? null
  }

  /** Only privileged callers can reach `op`: a sender guard whose state no outsider can set. */
  isProtected(op: Op): boolean {
    const guards = this.senderGuardsAt(op)
    for (let i = 0; i < guards.length; i++) if (!this.whole.isBroken(guards[i]!)) return true
    return false
  }

  /** An outsider may have chosen this address (a parameter, the sender, state that anybody can set, what such a contract answers), and nothing before `at` looks it up in a list that only the privileged keep. */
  isUntrusted(target: Op, at: Op): boolean {
    return isUntrustedValue(this, target, 0) && !isListed(this, target, at)
  }

  /** It only puts together what an error says, one that functions of a missing file raise. */
  isToldInError(op: Op): boolean {
    return isToldInError(this, op)
  }

  /** The lock held when `op` runs: state tested and set before it so that a second entry fails. */
  lockedAt(op: Op): Lock | null {
    return findLock(this, op)
  }

  // Data

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

  /** Whether the code reads an environment value such as `block.timestamp`: a cheap first question. */
  usesEnvironment(name: string): boolean {
    const names = this.ir.environments
    for (let i = 0; i < names.length; i++) if (names[i] === name) return true
    return false
  }

  /** Blocks that branch on this value itself. */
  branchesOn(op: Op): BasicBlock[] {
    if (!this.isCondition(op)) return []
    return this.ir.blocks.filter((block) => block.condition === op)
  }

  /** The value comes to a use: a condition, an index, state, a call, a result. */
  isUsed(op: Op): boolean {
    if (this.#uses === null) {
      if (isUsedBy(op, this.usersOf(op))) return true
      this.#uses = usesPass(this)
    }
    return (this.#uses[op.id]! & usedBit) !== 0
  }

  /** The value comes to state or to an amount of ether. */
  isAboutMoney(op: Op): boolean {
    this.#uses ??= usesPass(this)
    return (this.#uses[op.id]! & moneyBit) !== 0
  }

  /** A bit set of `Source`s that the value depends on (data flow only), also through state of the contract. */
  taint(op: Op): number {
    this.#taint ??= taintPass(this)
    return this.#taint[op.id] ?? 0
  }

  /**
   * Whether a value depends on one that satisfies the predicate: through operations, memory, arguments of calls and,
   * with `storage`, values that any function of the contract stores in the state it reads.
   */
  dependsOn(op: Op, predicate: (op: Op) => boolean, options: { storage?: boolean; keys?: boolean } = inFlow): boolean {
    return this.findDependency(op, predicate, options) !== undefined
  }

  findDependency(
    op: Op,
    predicate: (op: Op) => boolean,
    options: { storage?: boolean; keys?: boolean } = inFlow,
    limit = 2000,
  ): Op | undefined {
    this.#dependencies ??= new Dependencies(this)
    return this.#dependencies.find(op, predicate, options.storage ?? false, options.keys ?? false, limit)
  }

  /** Bounds of a value when `at` runs (default: always), from its type, constants and conditions. */
  interval(op: Op, at: Op | null = null): Interval {
    if (at !== null) return intervalAt(this, op, at)
    this.#intervals ??= new Array(this.ir.ops.length)
    const known = this.#intervals[op.id]
    if (known !== undefined) return known
    const own = this.#intervalDepth > maxIntervalDepth ? rangeOf(this.typeOf(op)) : ownInterval(this, op)
    if (own !== null) {
      this.#intervals[op.id] = own
      return own
    }
    return this.#deriveInterval(op, this.#intervals)
  }

  #deriveInterval(op: Op, intervals: (Interval | undefined)[]): Interval {
    // While it is worked out (a loop), its type's range stands for it.
    const range = rangeOf(this.typeOf(op))
    intervals[op.id] = range
    this.#intervalDepth++
    openIntervals++
    try {
      const interval = derivedInterval(this, op, range)
      intervals[op.id] = interval
      if (isUnsettled()) forgetLater({ forget: () => (intervals[op.id] = undefined) })
      return interval
    } finally {
      this.#intervalDepth--
      openIntervals--
    }
  }

  /** Whether an arithmetic operation can leave the range of its type without anything stopping it. */
  canOverflow(op: Op): boolean {
    // Asked from inside the working out of an interval, the answer may rest on bounds that are not final.
    if (openIntervals > 0) return canOverflow(this, op)
    this.#overflows ??= zeros(this.ir.ops.length)
    const known = this.#overflows[op.id]!
    if (known !== 0) return known === 2
    const can = canOverflow(this, op)
    this.#overflows[op.id] = can ? 2 : 1
    return can
  }

  /**
   * What becomes of a call's result (of the success flag for low-level calls): `unused` nowhere, `used` somewhere
   * (stored, passed on, returned), `checked` it decides a branch or a `require`.
   */
  resultUse(call: Op): ResultUse {
    return resultUse(this, call)
  }

  /** Loops in program order with what bounds them. */
  loops(): readonly Loop[] {
    if (this.ir.loops.length === 0) return noLoops
    this.#loops ??= this.ir.loops.map((mark) => describeLoop(this, mark))
    return this.#loops
  }

  /** The innermost loop around an operation. */
  loopAround(op: Op): Loop | undefined {
    if (this.ir.loops.length === 0) return undefined
    let found: Loop | undefined
    for (const loop of this.loops()) {
      if (op.block >= loop.mark.header && op.block <= loop.mark.last) {
        if (found === undefined || loop.mark.header >= found.mark.header) found = loop
      }
    }
    return found
  }

  /** The same without what bounds it, for those who work that out. */
  loopMarkAround(op: Op): LoopMark | null {
    let found: LoopMark | null = null
    const marks = this.ir.loops
    for (let i = 0; i < marks.length; i++) {
      const mark = marks[i]!
      if (op.block < mark.header || op.block > mark.last) continue
      if (found === null || mark.header >= found.header) found = mark
    }
    return found
  }

  bodyOf(mark: LoopMark): Op[] {
    const ops: Op[] = []
    for (let b = mark.header; b <= mark.last; b++) for (const op of this.ir.blocks[b]!.ops) ops.push(op)
    return ops
  }

  // Words

  /** The function or modifier in which an operation is written. */
  writtenIn(op: Op): FunctionModel | ModifierModel | null {
    return op.site === null ? this.fn : op.site.fn
  }

  /** How execution comes from the entry to `op`: one step per call or modifier on the way. */
  trace(op: Op): Step[] {
    return stepsTo(op)
  }

  /**
   * Where `op` stands in the innermost function that holds both operations: the operation itself, or the call or modifier
   * through which it came in. Two steps in the wrong order are reported there, not in a helper that is right by itself.
   */
  inCommonCaller(op: Op, other: Op): Span {
    return inCommonCaller(op, other)
  }

  /** Where `op` stands in the function that callers see: a helper that does what it is told is not to blame. */
  inEntry(op: Op): Span {
    return inEntry(op)
  }

  /** A place in words: `balances[msg.sender]`. */
  describe(location: Location): string {
    return describeLocation(this.model, location)
  }
}

const isSummarised = ({ call }: Op): boolean =>
  !call!.inlined && call!.definition !== null && (call!.kind === 'internal' || call!.kind === 'library')

const summarisedIn = (calls: readonly Op[]): readonly Op[] => {
  for (let i = 0; i < calls.length; i++) if (isSummarised(calls[i]!)) return calls.filter(isSummarised)
  return none
}

const writeOf = (store: Op): Write => ({
  op: store,
  variable: store.location!.variable,
  location: store.location,
  start: store.start,
  end: store.end,
})

/** Of `total += x` it is that of the place, which is known where the place is read. */
const typeOfChanged = ({ kind, node, args }: Op): Type | null => {
  if (kind !== 'bin' || (node as Expression).kind !== 'Assignment') return null
  const [old] = args
  if (old!.kind !== 'load' || old!.node !== (node as Assignment).target) return null
  const type = old!.location!.type
  return type !== null && type.kind === 'int' ? type : null
}

/** A switch, because it is asked of nearly every operation. */
const isExpression = (node: Span): node is Expression => {
  switch ((node as Expression).kind) {
    case 'Identifier':
    case 'Binary':
    case 'Member':
    case 'Call':
    case 'Index':
    case 'Literal':
    case 'Assignment':
    case 'Unary':
    case 'Conditional':
    case 'CallOptions':
    case 'Slice':
    case 'Tuple':
    case 'ArrayLiteral':
      return true
    default:
      return false
  }
}
