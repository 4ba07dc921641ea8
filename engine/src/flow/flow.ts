/** The behaviour of one function in one contract, and the questions that detectors ask about it. */
import type { ContractModel, FunctionModel, Model, ModifierModel, Type, VariableModel } from '../model/index.ts'
import type { Expression, Span } from '../syntax/index.ts'
import type { ContractFlow } from './contract-flow.ts'
import { immediateDominators, immediatePostDominators } from './dominators.ts'
import { type Fact, factsOf, stripCasts } from './facts.ts'
import {
  canOverflow,
  derivedInterval,
  type Interval,
  intervalAt,
  ownInterval,
  type Relation,
  rangeOf,
  relationsIn,
} from './intervals.ts'
import type { BasicBlock, FlowCallKind, Ir, Location, LoopMark, Op, OpKind, Site } from './ir.ts'
import { findLock, type Lock } from './locks.ts'
import { describeLoop, type Loop } from './loops.ts'
import { mayOverlap, rootOf } from './lowering.ts'
import { callBit, kindBit, OpIndex } from './op-index.ts'
import { type SenderGuard, senderGuardsOf, signedInLoops } from './sender-guards.ts'
import { findRecoveries, type Recovery } from './signatures.ts'
import { taintPass } from './taint.ts'
import { findTokenCalls, type TokenCall } from './token-calls.ts'
import { isListed, isUntrustedValue } from './trust.ts'
import { moneyBit, usedBit, usesPass } from './uses.ts'
import { zeros } from './zeros.ts'

export type FlowKind = 'entry' | 'fallback' | 'receive' | 'constructor' | 'internal' | 'library' | 'free'

/** A write to state: by a store, or by a call that was not inlined. */
export interface Write extends Span {
  readonly op: Op
  readonly variable: VariableModel | null
  readonly location: Location | null
}

export interface Step {
  readonly at: Span
  readonly message: string
}

/** What holds at one point of the program: what held before it, and one condition more. Facts are made when asked for. */
interface Known {
  readonly base: Known | null
  readonly condition: Op | null
  readonly polarity: boolean
  readonly op: Op | null
  readonly calls: readonly Op[]
  /** What its own condition says, without what held before. */
  own: readonly Fact[] | null
  facts: readonly Fact[] | null
  /** Whose facts these are, where a point adds none of its own. */
  source: Known | null
  senders: readonly SenderGuard[] | null
  relations: readonly Relation[] | null
}

const nothingKnown: Known = {
  base: null,
  condition: null,
  polarity: true,
  op: null,
  calls: [],
  own: [],
  facts: [],
  source: null,
  senders: [],
  relations: [],
}
const maxFacts = 300
/** Past the cap new facts are taken in this many at once, so that thousands of conditions in a row share their lists. */
const factsTakenIn = 40
const maxIntervalDepth = 200

const none: Op[] = []
const inFlow: { readonly storage?: boolean; readonly keys?: boolean } = {}
const noSenders: readonly SenderGuard[] = []
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
  #idom: Int32Array | null = null
  #ipdom: Int32Array | null = null
  #reach: (Uint8Array | undefined)[] = []
  #users: Op[][] | null = null
  #roles: number[] | null = null
  #guardOps: readonly (Op[] | undefined)[] | null = null
  readonly #known: (Known[] | undefined)[] = []
  #sends: Op[] | null = null
  #tokenCalls: readonly TokenCall[] | null = null
  #recoveries: readonly Recovery[] | null = null
  #summarised: readonly Op[] | null = null
  #taint: readonly number[] | null = null
  #uses: readonly number[] | null = null
  #loops: Loop[] | null = null
  #intervals: (Interval | undefined)[] | null = null
  #intervalDepth = 0
  #overflows: number[] | null = null
  #marks: number[] | null = null
  #answers: Map<(flow: Flow) => unknown, unknown> | null = null
  #mark = 0

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

  /** A question about this flow, worked out once. Kept here and not in a WeakMap, which outlives the scan. */
  answer<T>(question: (flow: Flow) => T): T {
    this.#answers ??= new Map()
    let known = this.#answers.get(question) as T | undefined
    if (known === undefined) {
      known = question(this)
      this.#answers.set(question, known)
    }
    return known
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

  /** The standard token calls, each place once: see `tokenCallOf`. */
  tokenCalls(): readonly TokenCall[] {
    this.#tokenCalls ??= findTokenCalls(this.ops('call'))
    return this.#tokenCalls
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
    this.#summarised ??= this.ops('call').filter(isSummarised)
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
    return this.model.typeOf(op.node)
  }

  // Order

  get idom(): Int32Array {
    this.#idom ??= immediateDominators(this.ir.blocks)
    return this.#idom
  }

  get ipdom(): Int32Array {
    this.#ipdom ??= immediatePostDominators(this.ir.blocks, this.ir.exits)
    return this.#ipdom
  }

  blockDominates(a: number, b: number): boolean {
    const idom = this.idom
    let x = b
    while (x > a) x = idom[x]!
    return x === a
  }

  /** Every way to `b` goes through `a` first. */
  dominates(a: Op, b: Op): boolean {
    if (a.block === b.block) return a.id <= b.id
    return this.blockDominates(a.block, b.block)
  }

  /** Every way from `a` that does not revert goes through `b`. */
  isFollowedBy(a: Op, b: Op): boolean {
    if (a.block === b.block) return a.id <= b.id
    const post = this.ipdom
    let x = a.block
    while (x !== -1 && x < b.block) x = post[x]!
    return x === b.block
  }

  #reachable(block: number): Uint8Array {
    const known = this.#reach[block]
    if (known !== undefined) return known
    const seen = new Uint8Array(this.ir.blocks.length)
    const work = [...this.ir.blocks[block]!.succs]
    while (work.length > 0) {
      const next = work.pop()!
      if (seen[next] === 1) continue
      seen[next] = 1
      for (const succ of this.ir.blocks[next]!.succs) work.push(succ)
    }
    this.#reach[block] = seen
    return seen
  }

  /** `b` can run after `a` in one execution, also on a later round of a loop. */
  canFollow(a: Op, b: Op): boolean {
    if (a.block === b.block && b.id > a.id) return true
    // Without a loop nothing leads back.
    if (b.block <= a.block && this.ir.loops.length === 0) return false
    if (b.block > a.block && this.blockDominates(a.block, b.block)) return true
    return this.#reachable(a.block)[b.block] === 1
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

  /** Operations of a block that establish something: `assume`, and calls of known or unknown guards. */
  #guardOpsOf(block: number): Op[] {
    this.#guardOps ??= guardsByBlock(this)
    return this.#guardOps[block] ?? none
  }

  #guardCount(op: Op): number {
    const guards = this.#guardOpsOf(op.block)
    let low = 0
    let high = guards.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (guards[middle]!.id < op.id) low = middle + 1
      else high = middle
    }
    return low
  }

  /**
   * What is known in a block after its first `count` guards. Points between the same two guards share one answer, and each
   * is built from the one before it: the block's dominator, then guard after guard.
   */
  #knownAt(block: number, count: number): Known {
    let known = this.#known[block]?.[count]
    if (known !== undefined) return known
    if (block === 0) {
      const end = this.#fillKnown(0, nothingKnown)
      return this.#known[0]![count] ?? end
    }
    const idom = this.idom
    const missing: number[] = []
    let base: Known | undefined
    for (let b = block; base === undefined; ) {
      missing.push(b)
      const up = idom[b]!
      if (up === b || up === -1) base = nothingKnown
      else {
        base = this.#known[up]?.[this.#guardOpsOf(up).length]
        b = up
      }
    }
    for (let i = missing.length - 1; i >= 0; i--) base = this.#fillKnown(missing[i]!, base)
    known = this.#known[block]![count]
    return known ?? base
  }

  #fillKnown(block: number, dominator: Known): Known {
    const node = this.ir.blocks[block]!
    let known = dominator
    // A loop's head has its back edge besides; entering it still went through the first edge, which tells nothing.
    if (node.preds.length === 1) {
      const pred = this.ir.blocks[node.preds[0]!]!
      if (pred.condition !== null && pred.succs.length === 2) {
        known = learn(known, pred.condition, pred.succs[0] === block, pred.condition)
      }
    }
    const list: Known[] = [known]
    this.#known[block] = list
    for (const guard of this.#guardOpsOf(block)) {
      known = guard.kind === 'assume' ? learn(known, guard.args[0]!, true, guard) : learnCall(known, guard)
      list.push(known)
    }
    return known
  }

  #factsOf(known: Known): readonly Fact[] {
    if (known.facts !== null) return known.facts
    const chain: Known[] = []
    let at: Known = known
    while (at.facts === null) {
      if (at.condition !== null) chain.push(at)
      at = at.base!
    }
    let total = at.facts.length
    for (let i = 0; i < chain.length; i++) total += this.#ownFacts(chain[i]!).length
    if (total === at.facts.length || (at.facts.length >= maxFacts && chain.length < factsTakenIn)) {
      known.source = at.source ?? at
      known.facts = at.facts
    } else known.facts = total <= maxFacts ? joinFacts(at.facts, chain, total) : this.#newestFacts(at.facts, chain)
    return known.facts
  }

  /** Made once and shared by all points that it holds at. */
  #ownFacts(known: Known): readonly Fact[] {
    if (known.own === null) {
      const own: Fact[] = []
      factsOf(this, known.condition!, known.polarity, known.op!, own)
      known.own = own
    }
    return known.own
  }

  /** Past the cap the oldest facts are forgotten: less is proven, nothing wrong is. */
  #newestFacts(before: readonly Fact[], chain: readonly Known[]): readonly Fact[] {
    const facts = before.slice(-maxFacts)
    for (let i = Math.min(chain.length, maxFacts) - 1; i >= 0; i--) {
      const { condition, polarity, op } = chain[i]!
      factsOf(this, condition!, polarity, op!, facts)
    }
    return facts
  }

  /** What certainly holds when `op` runs: conditions of dominating branches and `require`s, taken apart at `&&`. */
  guardsAt(op: Op): readonly Fact[] {
    return this.#factsOf(this.#knownAt(op.block, this.#guardCount(op)))
  }

  /** Comparisons that hold when `op` runs; an equality gives both directions. */
  relationsAt(op: Op): readonly Relation[] {
    const known = this.#knownAt(op.block, this.#guardCount(op))
    const facts = this.#factsOf(known)
    const source = known.source ?? known
    source.relations ??= relationsIn(facts)
    return source.relations
  }

  /** Conditions that hold at the end of a block. */
  guardsAtEnd(block: number): readonly Fact[] {
    return this.#factsOf(this.#knownAt(block, this.#guardOpsOf(block).length))
  }

  /** Calls before `op` on every path whose effect on the caller is known or cannot be seen: modifiers of missing files, stubs. */
  guardCallsAt(op: Op): readonly Op[] {
    return this.#knownAt(op.block, this.#guardCount(op)).calls
  }

  /** All conditions on the way to `op` that test the sender: against state, roles, constants, another contract or a signature. */
  senderGuardsAt(op: Op): readonly SenderGuard[] {
    const known = this.#knownAt(op.block, this.#guardCount(op))
    if (known.senders === null) {
      const facts = this.#factsOf(known)
      known.senders =
        facts.length === 0 && known.calls.length === 0 ? noSenders : senderGuardsOf(this, facts, known.calls)
    }
    if (this.ir.loops.length === 0 || this.recoveries().length === 0) return known.senders
    const signed = signedInLoops(this, op)
    return signed.length === 0 ? known.senders : [...known.senders, ...signed]
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

  /** The lock held when `op` runs: state tested and set before it so that a second entry fails. */
  lockedAt(op: Op): Lock | null {
    return findLock(this, op)
  }

  // Data

  /** Operations that use a value directly. */
  usersOf(op: Op): readonly Op[] {
    if (this.#users === null) {
      const users: Op[][] = new Array(this.ir.ops.length)
      const { blocks } = this.ir
      for (let b = 0; b < blocks.length; b++) {
        const { phis, ops } = blocks[b]!
        for (let i = 0; i < phis.length; i++) addUsers(users, phis[i]!)
        for (let i = 0; i < ops.length; i++) addUsers(users, ops[i]!)
      }
      this.#users = users
    }
    return this.#users[op.id] ?? none
  }

  #rolesOf(): number[] {
    if (this.#roles === null) {
      const roles = zeros(this.ir.ops.length)
      const { blocks, locations } = this.ir
      for (let b = 0; b < blocks.length; b++) {
        const { condition } = blocks[b]!
        if (condition !== null) roles[condition.id]! |= 1
      }
      for (let i = 0; i < locations.length; i++) {
        const { index } = locations[i]!
        if (index !== null) roles[index.id]! |= 2
      }
      this.#roles = roles
    }
    return this.#roles
  }

  /** The value decides a branch by itself. */
  isCondition(op: Op): boolean {
    return (this.#rolesOf()[op.id]! & 1) !== 0
  }

  /** The value chooses an element of an array or mapping. */
  isIndex(op: Op): boolean {
    return (this.#rolesOf()[op.id]! & 2) !== 0
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
    this.#uses ??= usesPass(this)
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
    if (options.storage) return this.#findThroughStorage(op, predicate, options.keys ?? false, limit)
    if (isSource(op)) return predicate(op) ? op : undefined
    // Marks instead of a set: this is asked often. A predicate that asks again may wipe marks; the limit ends it anyway.
    this.#marks ??= zeros(this.ir.ops.length)
    const marks = this.#marks
    const mine = ++this.#mark
    const work: Op[] = [op]
    for (let visited = 0; work.length > 0 && visited < limit; ) {
      const at = work.pop()!
      if (marks[at.id] === mine) continue
      marks[at.id] = mine
      visited++
      if (predicate(at)) return at
      this.#pushSources(at, options.keys ?? false, work)
    }
    return undefined
  }

  /** What a value is made of, inside this flow. */
  #pushSources(at: Op, keys: boolean, work: Op[]): void {
    const { args } = at
    for (let i = 0; i < args.length; i++) work.push(args[i]!)
    if (at.call !== null && at.call.target !== null) work.push(at.call.target)
    if (at.kind !== 'load') return
    const place = at.location!
    if (keys) for (let p: Location | null = place; p !== null; p = p.parent) if (p.index !== null) work.push(p.index)
    if (place.space !== 'memory') return
    if (place.base !== null) work.push(place.base)
    for (const store of this.memoryStores()) if (mayOverlap(store.location!, place)) work.push(store.args[0]!)
  }

  #findThroughStorage(op: Op, predicate: (op: Op) => boolean, keys: boolean, limit: number): Op | undefined {
    const seen = new Set<Op>()
    const work: { op: Op; flow: Flow; hops: number }[] = [{ op, flow: this, hops: 0 }]
    while (work.length > 0 && seen.size < limit) {
      const { op: at, flow, hops } = work.pop()!
      if (seen.has(at)) continue
      seen.add(at)
      if (predicate(at)) return at
      const inner: Op[] = []
      flow.#pushSources(at, keys, inner)
      for (const source of inner) work.push({ op: source, flow, hops })
      const place = at.kind === 'load' ? at.location! : null
      if (place === null || place.space === 'memory' || place.variable === null || hops >= 3) continue
      for (const write of this.whole.writersOf(place.variable)) {
        if (!mayOverlapAcross(write.op.location!, place)) continue
        work.push({ op: write.op.args[0]!, flow: write.flow, hops: hops + 1 })
      }
    }
    return undefined
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
  resultUse(call: Op): 'unused' | 'used' | 'checked' {
    let use: 'unused' | 'used' = 'unused'
    const seen = new Set<Op>()
    const work: Op[] = [call]
    while (work.length > 0) {
      const value = work.pop()!
      if (seen.has(value)) continue
      seen.add(value)
      if (this.isCondition(value)) return 'checked'
      for (const user of this.usersOf(value)) {
        switch (user.kind) {
          case 'extract':
            // Only the first result of a low-level call says whether it worked.
            if (value !== call || user.constant === 0n || user.operator === 'success' || call.call?.kind === 'external')
              work.push(user)
            break
          case 'assume':
            return 'checked'
          case 'un':
          case 'bin':
          case 'cast':
          case 'phi':
          case 'select':
          case 'tuple':
          case 'make':
            work.push(user)
            break
          case 'call':
            // Of an inlined call the value goes on under the name of the parameter.
            if (!user.call!.inlined) use = 'used'
            break
          case 'return':
          case 'store':
          case 'emit':
          case 'builtin':
          case 'revert':
            use = 'used'
            break
        }
      }
    }
    return use
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
    const steps: Step[] = []
    for (let site: Site | null = op.site; site !== null; site = site.parent) {
      if (site.call === null) continue
      steps.push({
        at: { start: site.call.start, end: site.call.end },
        message: `\`${site.fn.name || 'constructor'}\` is called here.`,
      })
    }
    return steps.reverse()
  }

  /**
   * Where `op` stands in the innermost function that holds both operations: the operation itself, or the call or modifier
   * through which it came in. Two steps in the wrong order are reported there, not in a helper that is right by itself.
   */
  inCommonCaller(op: Op, other: Op): Span {
    const around = new Set<Site | null>([null])
    for (let site: Site | null = other.site; site !== null; site = site.parent) around.add(site)
    let at: Span = { start: op.start, end: op.end }
    for (let site: Site | null = op.site; !around.has(site); site = site!.parent)
      at = { start: site!.at.start, end: site!.at.end }
    return at
  }

  /** Where `op` stands in the function that callers see: a helper that does what it is told is not to blame. */
  inEntry(op: Op): Span {
    let at: Span = { start: op.start, end: op.end }
    for (let site = op.site; site !== null; site = site.parent) at = { start: site.at.start, end: site.at.end }
    return at
  }

  /** A place in words: `balances[msg.sender]`. */
  describe(location: Location): string {
    return describeLocation(this.model, location)
  }
}

/** The latest comes first in the chain. */
const joinFacts = (before: readonly Fact[], chain: readonly Known[], total: number): readonly Fact[] => {
  const [only] = chain
  if (chain.length === 1 && before.length === 0) return only!.own!
  const facts = new Array<Fact>(total)
  let count = 0
  for (let i = 0; i < before.length; i++) facts[count++] = before[i]!
  for (let i = chain.length - 1; i >= 0; i--) {
    const own = chain[i]!.own!
    for (let k = 0; k < own.length; k++) facts[count++] = own[k]!
  }
  return facts
}

const learn = (base: Known, condition: Op, polarity: boolean, op: Op): Known => ({
  base,
  condition,
  polarity,
  op,
  calls: base.calls,
  own: null,
  facts: null,
  source: null,
  senders: null,
  relations: null,
})

const learnCall = (base: Known, call: Op): Known => ({
  base,
  condition: null,
  polarity: true,
  op: null,
  calls: [...base.calls, call],
  own: null,
  facts: null,
  source: null,
  senders: null,
  relations: null,
})

const noGuards: readonly (Op[] | undefined)[] = []

/** Blocks without a guard have no list. */
const guardsByBlock = (flow: Flow): readonly (Op[] | undefined)[] => {
  const checks = flow.ops('assume')
  const calls = flow.hasCall('internal') || flow.hasCall('library') ? flow.ops('call') : none
  if (checks.length === 0 && calls.length === 0) return noGuards
  const lists: (Op[] | undefined)[] = []
  for (let b = 0; b < flow.blocks.length; b++) lists.push(undefined)
  for (let i = 0; i < checks.length; i++) pushTo(lists, checks[i]!)
  let isMixed = false
  for (let i = 0; i < calls.length; i++) {
    if (!isGuardCall(calls[i]!)) continue
    isMixed ||= lists[calls[i]!.block] !== undefined
    pushTo(lists, calls[i]!)
  }
  if (isMixed) for (const list of lists) if (list !== undefined && list.length > 1) list.sort((a, b) => a.id - b.id)
  return lists
}

const pushTo = (lists: (Op[] | undefined)[], op: Op): void => {
  const list = lists[op.block]
  if (list === undefined) lists[op.block] = [op]
  else list.push(op)
}

const addUsers = (users: Op[][], user: Op): void => {
  const { args, call } = user
  for (let i = 0; i < args.length; i++) addUser(users, args[i]!, user)
  if (call === null) return
  if (call.target !== null) addUser(users, call.target, user)
  if (call.value !== null) addUser(users, call.value, user)
  if (call.gas !== null) addUser(users, call.gas, user)
}

const addUser = (users: Op[][], value: Op, user: Op): void => {
  const list = users[value.id]
  if (list === undefined) users[value.id] = [user]
  else if (list[list.length - 1] !== user) list.push(user)
  if (value.kind === 'tuple') for (const part of value.args) addUser(users, part, user)
}

/** Made of nothing else: constants, parameters, environment values. */
const isSource = ({ kind, args, call }: Op): boolean => args.length === 0 && call === null && kind !== 'load'

const isGuardCall = (op: Op): boolean => {
  const info = op.call!
  if (info.kind !== 'internal' && info.kind !== 'library') return false
  if (op.operator === 'modifier') return true
  if (info.definition === null) return true
  return info.definition.effect !== null || !info.inlined
}

const isSummarised = ({ call }: Op): boolean =>
  !call!.inlined && call!.definition !== null && (call!.kind === 'internal' || call!.kind === 'library')

const writeOf = (store: Op): Write => ({
  op: store,
  variable: store.location!.variable,
  location: store.location,
  start: store.start,
  end: store.end,
})

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

/** Like `mayOverlap`, for places of two flows: keys are compared only when both are constants. */
export const mayOverlapAcross = (a: Location, b: Location): boolean => {
  if (a.variable !== b.variable) return false
  let x: Location | null = a
  let y: Location | null = b
  while (x !== null && y !== null && x.depth > y.depth) x = x.parent
  while (x !== null && y !== null && y.depth > x.depth) y = y.parent
  while (x !== null && y !== null && x !== y) {
    if (x.part === 'field' && y.part === 'field' && x.name !== y.name) return false
    if (x.part !== y.part && x.part !== 'any' && y.part !== 'any') return false
    if (x.part === 'index' && y.part === 'index' && x.index!.kind === 'const' && y.index!.kind === 'const') {
      if (x.index!.constant !== null && y.index!.constant !== null && x.index!.constant !== y.index!.constant)
        return false
    }
    x = x.parent
    y = y.parent
  }
  return true
}

const describeLocation = (model: Model, location: Location): string => {
  const parts: string[] = []
  for (let at: Location | null = location; at !== null; at = at.parent) {
    if (at.part === 'root')
      parts.push(at.variable?.name ?? (at.base?.operator || (at.space === 'slot' ? 'storage slot' : 'memory')))
    else if (at.part === 'field') parts.push(`.${at.name}`)
    else if (at.part === 'length') parts.push('.length')
    else if (at.part === 'any') parts.push('[…]')
    else parts.push(`[${describeValue(model, at.index!)}]`)
  }
  return parts.reverse().join('')
}

/** A value in a few words, as near to the source as can be. */
export const describeValue = (model: Model, value: Op): string => {
  const op = stripCasts(value)
  if (op.kind === 'const') return op.constant === null ? op.operator : op.constant.toString()
  if (op.kind === 'param' || op.kind === 'env' || op.kind === 'phi') return op.operator || '…'
  if (op.node !== null) {
    const file = model.fileAt(op.node.start)
    if (file !== undefined && op.node.end - op.node.start <= 40) {
      return file.text.slice(op.node.start - file.base, op.node.end - file.base).replace(/\s+/g, ' ')
    }
  }
  return '…'
}

export { rootOf }
