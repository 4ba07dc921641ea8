/**
 * What certainly holds at the points of a flow: conditions of dominating branches and `require`s, and calls of guards.
 * Points between the same two guards share one answer, and each is built from the one before it.
 */

import {
  type BasicBlock,
  budget,
  type CallOp,
  type Flow,
  isBefore,
  isOfMissingFile,
  type Op,
  type OpOf,
} from '../ir/index.ts'
import { addFacts, type Fact, type Points } from './conditions.ts'
import { gatherUpTo, type Known } from './points.ts'
import { addRelation, type Relation, relationsIn } from './relations.ts'

const nothingKnown: Known = {
  base: null,
  condition: null,
  polarity: true,
  op: null,
  call: null,
  own: [],
  facts: [],
  source: null,
  relations: [],
}
const maxFacts = budget.work.guardFacts
/** Past the cap new facts are taken in this many at once, so that thousands of conditions in a row share their lists. */
const factsTakenIn = 40
/** Establishes something: a `require`, or a call of a known or unknown guard. */
type GuardOp = OpOf<'assume' | 'call'>

const none: GuardOp[] = []

class Guards implements Points {
  readonly flow: Flow
  phiDepth = 0
  readonly #guardOps: readonly (GuardOp[] | undefined)[]
  readonly #known: (Known[] | undefined)[] = []
  readonly #calls = new Map<Known, readonly CallOp[]>()

  constructor(flow: Flow) {
    this.flow = flow
    this.#guardOps = guardsByBlock(flow)
  }

  /** Operations of a block that establish something: `assume`, and calls of known or unknown guards. */
  #guardOpsOf(block: number): GuardOp[] {
    return this.#guardOps[block] ?? none
  }

  #guardCount(op: Op): number {
    const guards = this.#guardOpsOf(op.block)
    let low = 0
    let high = guards.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (isBefore(guards[middle]!, op)) low = middle + 1
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
      if (this.#guardOps === noGuards) return nothingKnown
      const end = this.#fillKnown(0, nothingKnown)
      return this.#known[0]![count] ?? end
    }
    const idom = this.flow.idom
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
    const node = this.flow.ir.blocks[block]!
    let known = dominator
    // A loop's head has its back edge besides; entering it still went through the first edge, which tells nothing.
    if (node.preds.length === 1) {
      const pred = this.flow.ir.blocks[node.preds[0]!]!
      if (pred.condition !== null && pred.succs.length === 2) {
        known = learn(known, pred.condition, pred.succs[0] === block, pred.condition)
      }
    } else if (node.preds.length === 2) {
      const test = this.flow.ir.blocks[this.flow.idom[block]!]!
      if (isRefusedBefore(this.flow, test, node))
        known = learn(known, test.condition!, test.succs[0] === block, test.condition!)
    }
    const guards = this.#guardOpsOf(block)
    const list = new Array<Known>(guards.length + 1)
    list[0] = known
    this.#known[block] = list
    for (let i = 0; i < guards.length; i++) {
      const guard = guards[i]!
      known = guard.kind === 'assume' ? learn(known, guard.args[0], true, guard) : learnCall(known, guard)
      list[i + 1] = known
    }
    return known
  }

  factsOf(known: Known): readonly Fact[] {
    if (known.facts !== null) return known.facts
    let at: Known = known
    let added = 0
    let conditions = 0
    for (; at.facts === null; at = at.base!) {
      if (at.condition === null) continue
      added += this.ownFacts(at).length
      conditions++
    }
    const { facts } = at
    if (added === 0 || (facts.length >= maxFacts && conditions < factsTakenIn)) {
      known.source = at.source ?? at
      known.facts = facts
    } else if (facts.length + added > maxFacts) known.facts = this.#newestFacts(facts, known, at)
    else known.facts = joinFacts(facts, known, at, added)
    return known.facts
  }

  /** Made once and shared by all points that it holds at. */
  ownFacts(known: Known): readonly Fact[] {
    if (known.own === null) {
      const own: Fact[] = []
      addFacts(this, known.condition!, known.polarity, known.op!, own)
      known.own = own
    }
    return known.own
  }

  /** Past the cap the oldest facts are forgotten: less is proven, nothing wrong is. */
  #newestFacts(before: readonly Fact[], last: Known, first: Known): readonly Fact[] {
    const chain: Known[] = []
    for (let at = last; at !== first; at = at.base!) if (at.condition !== null) chain.push(at)
    const facts = before.slice(-maxFacts)
    for (let i = Math.min(chain.length, maxFacts) - 1; i >= 0; i--) {
      const { condition, polarity, op } = chain[i]!
      addFacts(this, condition!, polarity, op!, facts)
    }
    return facts
  }

  /** What certainly holds when `op` runs: conditions of dominating branches and `require`s, taken apart at `&&`. */
  factsAt(op: Op): readonly Fact[] {
    return this.factsOf(this.#knownAt(op.block, this.#guardCount(op)))
  }

  /** Comparisons that hold when `op` runs; an equality gives both directions. */
  relationsAt(op: Op): readonly Relation[] {
    const known = this.#knownAt(op.block, this.#guardCount(op))
    const facts = this.factsOf(known)
    const source = known.source ?? known
    source.relations ??= relationsIn(facts)
    if (source === known || facts.length < maxFacts) return source.relations
    known.relations ??= this.#withNewest(known, source)
    return known.relations
  }

  /** Past the cap the last few conditions are not taken in yet: what was compared last is what matters most. */
  #withNewest(known: Known, source: Known): readonly Relation[] {
    const newest: Fact[] = []
    // A condition may be made of thousands: of those, the last ones.
    for (let at: Known = known; at !== source && newest.length < factsTakenIn; at = at.base!) {
      if (at.condition === null) continue
      const own = this.ownFacts(at)
      for (let i = Math.max(0, own.length - factsTakenIn); i < own.length; i++) newest.push(own[i]!)
    }
    return newest.length === 0 ? source.relations! : [...relationsIn(newest), ...source.relations!]
  }

  /** Conditions that hold at the end of a block. */
  factsAtEnd(block: number): readonly Fact[] {
    return this.factsOf(this.#knownAt(block, this.#guardOpsOf(block).length))
  }

  callsAt(op: Op): readonly CallOp[] {
    return gatherUpTo(this.pointAt(op), this.#calls, ({ call }) => (call === null ? [] : [call]))
  }

  pointAt(op: Op): Known {
    return this.#knownAt(op.block, this.#guardCount(op))
  }

  endOf(block: number): Known {
    return this.#knownAt(block, this.#guardOpsOf(block).length)
  }
}

const guardsOf = (flow: Flow): Guards => flow.answer(createGuards)

const createGuards = (flow: Flow): Guards => new Guards(flow)

/** What certainly holds when `op` runs: conditions of dominating branches and `require`s, taken apart at `&&`. */
export const guardsAt = (flow: Flow, op: Op): readonly Fact[] => guardsOf(flow).factsAt(op)

/** Conditions that hold at the end of a block. */
export const guardsAtEnd = (flow: Flow, block: number): readonly Fact[] => guardsOf(flow).factsAtEnd(block)

/** Comparisons that hold when `op` runs; an equality gives both directions. */
export const relationsAt = (flow: Flow, op: Op): readonly Relation[] => guardsOf(flow).relationsAt(op)

/** Calls before `op` on every path whose effect on the caller is known or cannot be seen: modifiers of missing files, stubs. */
export const guardCallsAt = (flow: Flow, op: Op): readonly CallOp[] => guardsOf(flow).callsAt(op)

/** What the last branch on the path to a phi's value compared: enough for a clamp, and cheap for a function of many branches. */
export const relationsOnEdge = (flow: Flow, { block }: Op, edge: number): readonly Relation[] => {
  const pred = flow.blocks[block]!.preds[edge]
  if (pred === undefined) return []
  const own = relationsOfBranch(flow, pred, block)
  if (own.length > 0) return own
  const { preds } = flow.blocks[pred]!
  return preds.length === 1 && preds[0]! < pred ? relationsOfBranch(flow, preds[0]!, pred) : own
}

const relationsOfBranch = (flow: Flow, from: number, to: number): readonly Relation[] => {
  const { condition, succs } = flow.blocks[from]!
  const relations: Relation[] = []
  if (condition?.kind === 'bin' && succs.length === 2) addRelation(relations, condition, succs[0] === to)
  return relations
}

/** What was compared on one of the ways that meet at a block, such as the one that gives a phi its value. */
export const relationsOnPath = (flow: Flow, block: number, edge: number): Relation[] => {
  const relations: Relation[] = []
  const pred = flow.blocks[block]!.preds[edge]
  if (pred === undefined) return relations
  for (const fact of guardsAtEnd(flow, pred))
    if (fact.condition.kind === 'bin') addRelation(relations, fact.condition, fact.polarity)
  const from = flow.blocks[pred]!
  if (from.condition !== null && from.condition.kind === 'bin' && from.succs.length === 2)
    addRelation(relations, from.condition, from.succs[0] === block)
  return relations
}

/** The point before `op`: all points between the same two guards are one, so that answers can be kept by it. */
export const pointAt = (flow: Flow, op: Op): Known => guardsOf(flow).pointAt(op)

/** The point at the end of a block. */
export const endOfBlock = (flow: Flow, block: number): Known => guardsOf(flow).endOf(block)

/** What a point adds to what held before it. */
export const factsAddedAt = (flow: Flow, point: Known): readonly Fact[] =>
  point.condition === null ? [] : guardsOf(flow).ownFacts(point)

/**
 * What the facts that hold at `op` give, in the order in which they were established. Each is evaluated once, however many points it
 * holds at: asking all of them again at each of many points would grow with the square.
 */
export const fromFactsAt = <T>(
  flow: Flow,
  op: Op,
  question: (flow: Flow, fact: Fact) => readonly T[],
): readonly T[] => {
  const known = flow.remember(fromFactsAt, question, () => new Map<Known, readonly T[]>())
  return gatherUpTo(pointAt(flow, op), known, (at) => factsAddedAt(flow, at).flatMap((fact) => question(flow, fact)))
}

/** Whether one of the facts that hold at `op` answers yes. As above each is evaluated once, and nothing is gathered. */
export const someFactAt = (flow: Flow, op: Op, question: (flow: Flow, fact: Fact) => boolean): boolean => {
  const known = flow.remember(someFactAt, question, () => new Map<Known, boolean>())
  const missing: Known[] = []
  let at: Known | null = pointAt(flow, op)
  for (; at !== null && !known.has(at); at = at.base) missing.push(at)
  let isEstablished = at !== null && known.get(at)!
  for (let i = missing.length - 1; i >= 0; i--) {
    const point = missing[i]!
    isEstablished ||= factsAddedAt(flow, point).some((fact) => question(flow, fact))
    known.set(point, isEstablished)
  }
  return isEstablished
}

/** What a condition that comes out this way says, taken apart. */
export const factsOf = (flow: Flow, condition: Op, polarity: boolean, op: Op): Fact[] => {
  const facts: Fact[] = []
  addFacts(guardsOf(flow), condition, polarity, op, facts)
  return facts
}

/**
 * `if (isWrong) Errors.wrong(a, b).raise();` with functions of a missing file, whose answer nobody takes: it can only be
 * there to revert.
 */
const isRefusedBefore = (flow: Flow, test: BasicBlock, after: BasicBlock): boolean => {
  const { preds, phis } = after
  if (test.condition === null || phis.length > 0 || (preds[0] !== test.id && preds[1] !== test.id)) return false
  const end = flow.ir.blocks[preds[0] === test.id ? preds[1]! : preds[0]!]!
  const last = end.ops[end.ops.length - 1]
  if (last === undefined || end.succs.length !== 1 || !isOfMissingFile(last) || flow.usersOf(last).length > 0)
    return false
  const start = flow.ir.blocks[test.succs[0] === after.id ? test.succs[1]! : test.succs[0]!]!
  if (start.preds.length !== 1 || !flow.blockDominates(start.id, end.id)) return false
  for (let b = start.id; b <= end.id; b++)
    if (!flow.ir.blocks[b]!.ops.every((op) => op === last || !hasEffect(op))) return false
  return true
}

/** Whether an operation stands where errors of a missing file are put together. */
export const isInRevertReason = (flow: Flow, { block }: Op): boolean => {
  const { preds, succs } = flow.ir.blocks[block]!
  if (preds.length !== 1 || succs.length !== 1) return false
  const after = flow.ir.blocks[succs[0]!]!
  return after.preds.length === 2 && isRefusedBefore(flow, flow.ir.blocks[preds[0]!]!, after)
}

const hasEffect = ({ kind, call }: Op): boolean =>
  kind === 'store' ||
  kind === 'emit' ||
  kind === 'opaque' ||
  (kind === 'call' && call.kind !== 'internal' && call.kind !== 'library')

/** What was known at `first` and what every point after it adds, up to `last`; written from the end, as the points are linked. */
const joinFacts = (before: readonly Fact[], last: Known, first: Known, added: number): readonly Fact[] => {
  if (before.length === 0 && last.own !== null && last.own.length === added) return last.own
  let count = before.length + added
  const facts = new Array<Fact>(count)
  for (let at = last; at !== first; at = at.base!) {
    if (at.condition === null) continue
    const own = at.own!
    for (let k = own.length - 1; k >= 0; k--) facts[--count] = own[k]!
  }
  for (let i = 0; i < before.length; i++) facts[i] = before[i]!
  return facts
}

const learn = (base: Known, condition: Op, polarity: boolean, op: Op): Known => ({
  base,
  condition,
  polarity,
  op,
  call: null,
  own: null,
  facts: null,
  source: null,
  relations: null,
})

const learnCall = (base: Known, call: CallOp): Known => ({
  base,
  condition: null,
  polarity: true,
  op: null,
  call,
  own: null,
  facts: null,
  source: null,
  relations: null,
})

const noGuards: readonly (GuardOp[] | undefined)[] = []

/** Blocks without a guard have no list. */
const guardsByBlock = (flow: Flow): readonly (GuardOp[] | undefined)[] => {
  const checks = flow.ops('assume')
  const calls = guardKinds.some((kind) => flow.hasCall(kind)) ? flow.ops('call') : []
  if (checks.length === 0 && calls.length === 0) return noGuards
  const lists = new Array<GuardOp[] | undefined>(flow.blocks.length)
  for (let i = 0; i < checks.length; i++) insert(lists, checks[i]!)
  for (let i = 0; i < calls.length; i++) if (isGuardCall(calls[i]!)) insert(lists, calls[i]!)
  return lists
}

/** At its place in the order of the program: the few calls come after all the checks. */
const insert = (lists: (GuardOp[] | undefined)[], op: GuardOp): void => {
  const list = lists[op.block]
  if (list === undefined) {
    lists[op.block] = [op]
    return
  }
  let at = list.length
  list.push(op)
  for (; at > 0 && isBefore(op, list[at - 1]!); at--) list[at] = list[at - 1]!
  list[at] = op
}

const guardKinds = ['internal', 'library', 'external'] as const

const isGuardCall = (op: CallOp): boolean => {
  const info = op.call
  if (info.kind === 'external') return canOnlyRefuse(op)
  if (info.kind !== 'internal' && info.kind !== 'library') return false
  if (op.operator === 'modifier') return true
  if (info.definition === null) return true
  return info.definition.effect !== null || !info.inlined
}

/** Another contract is called that returns nothing, and may change nothing or receives the selector or data of this call: its purpose is to revert. */
export const canOnlyRefuse = (op: CallOp): boolean => {
  const { kind, definition } = op.call
  if (kind !== 'external' || definition === null || definition.returns.length > 0) return false
  return definition.mutability === 'view' || definition.mutability === 'pure' || namesOwnCall(op)
}

/** `policy.run(msg.sig, msg.sender, msg.data)`: nobody needs to know the function and its arguments who does not decide on the call. */
export const namesOwnCall = ({ args }: Op, depth = 0): boolean =>
  args.some(
    (arg) =>
      (arg.kind === 'env' && (arg.operator === 'msg.sig' || arg.operator === 'msg.data')) ||
      (depth < budget.depth.senderMention && arg.kind !== 'call' && namesOwnCall(arg, depth + 1)),
  )
