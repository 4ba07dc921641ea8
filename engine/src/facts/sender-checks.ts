/**
 * The conditions on the sender that guard an operation: before it, at the end of every path on from it, around it, or signer by
 * signer in a loop. `sender-conditions.ts` reads one condition; whether an outsider can pass is decided in `principals.ts`.
 */

import {
  type CallOp,
  type ContractFlow,
  type Flow,
  isBefore,
  type Location,
  type LoopMark,
  type Op,
  stripCasts,
} from '../ir/index.ts'
import { missingModifierEffect, type VariableModel } from '../model/index.ts'
import { isCleared } from './cleared.ts'
import type { Fact } from './conditions.ts'
import { dependsOn } from './dependencies.ts'
import { endOfBlock, factsAddedAt, factsOf, guardsAt, guardsAtEnd, pointAt, relationsAt } from './guards.ts'
import { gatherUpTo, type Known } from './points.ts'
import { guardFrom, isLeftOut, isOnePlace, joinGuards, refusalBy, type SenderGuard } from './sender-conditions.ts'
import { recoveriesOf } from './signatures.ts'

const noSenders: readonly SenderGuard[] = []

/** Functions that end in more places ask about the caller where they begin. */
const fewEnds = 8

/** What the conditions of one flow say about the sender; each fact and each point is looked at once. */
class Senders {
  readonly #flow: Flow
  readonly #byFact = new Map<Fact, SenderGuard | null>()
  readonly #ofFacts = new Map<Known, readonly SenderGuard[]>()
  readonly #ofCalls = new Map<Known, readonly SenderGuard[]>()
  readonly #ofBoth = new Map<Known, readonly SenderGuard[]>()
  readonly #around: (readonly SenderGuard[] | undefined)[] = []
  #ends: readonly SenderGuard[] | null = null

  constructor(flow: Flow) {
    this.#flow = flow
  }

  at(op: Op): readonly SenderGuard[] {
    const flow = this.#flow
    const point = this.#atPoint(pointAt(flow, op))
    let senders = point
    if (senders.length === 0 && flow.usesEnvironment('msg.sender')) {
      if (op.block !== 0) senders = this.#aroundBlock(op.block)
      if (senders.length === 0) senders = this.#atEnds()
    }
    if (flow.ir.loops.length === 0 || recoveriesOf(flow).length === 0) return senders
    const signed = this.#signedInLoops(op)
    return signed.length === 0 ? senders : [...senders, ...signed]
  }

  /** What is checked before every end, however late: a revert undoes all that was done until then. */
  #atEnds(): readonly SenderGuard[] {
    this.#ends ??= this.#findEnds()
    return this.#ends
  }

  #findEnds(): readonly SenderGuard[] {
    const { exits } = this.#flow.ir
    if (exits.length === 0 || exits.length > fewEnds) return noSenders
    let common: readonly SenderGuard[] | null = null
    for (const exit of exits) {
      const senderGuards: readonly SenderGuard[] = this.#in(guardsAtEnd(this.#flow, exit))
      common =
        common === null ? senderGuards : common.filter((guard) => senderGuards.some((other) => other.op === guard.op))
      if (common.length === 0) return noSenders
    }
    return common!.filter(
      (guard) => checksIdentity(guard) && !guard.places.some((place) => this.#isWrittenBefore(guard.op, place)),
    )
  }

  /** `owner = msg.sender; require(msg.sender == owner)`: it compares the caller with what the caller just wrote. */
  #isWrittenBefore(op: Op, { variable }: Location): boolean {
    return this.#flow.stateStores().some((store) => store.location.variable === variable && isBefore(store, op))
  }

  #atPoint(point: Known): readonly SenderGuard[] {
    const facts = gatherUpTo(point, this.#ofFacts, (at) => this.#in(factsAddedAt(this.#flow, at)))
    const calls = gatherUpTo(point, this.#ofCalls, ({ call }) => this.#ofCall(call))
    if (facts.length === 0 || calls.length === 0) return facts.length === 0 ? calls : facts
    let both = this.#ofBoth.get(point)
    if (both === undefined) {
      both = [...facts, ...calls]
      this.#ofBoth.set(point, both)
    }
    return both
  }

  #in(facts: readonly Fact[]): readonly SenderGuard[] {
    let guards: SenderGuard[] | null = null
    for (const fact of facts) {
      const guard = this.#ofFact(fact)
      if (guard === null) continue
      guards ??= []
      guards.push(guard)
    }
    return guards ?? noSenders
  }

  #ofCall(call: CallOp | null): readonly SenderGuard[] {
    const guard = call === null || isReceiver(this.#flow, call) ? null : guardCall(this.#flow, call)
    return guard === null ? noSenders : [guard]
  }

  #ofFact(fact: Fact): SenderGuard | null {
    let guard = this.#byFact.get(fact)
    if (guard === undefined) {
      guard = guardFrom(this.#flow, fact) ?? guardOfCall(this.#flow, fact)
      this.#byFact.set(fact, guard)
    }
    return guard
  }

  /** `if (msg.sender != owner) refuse();`: either the sender is the one, or has to get past whatever stands inside. */
  #aroundBlock(block: number): readonly SenderGuard[] {
    const known = this.#around[block]
    if (known !== undefined) return known
    const up = this.#flow.idom[block]!
    let guards = up === block || up === -1 ? noSenders : this.#past(up, block)
    if (guards.length === 0) guards = this.#onEachPath(block)
    if (guards.length === 0 && up !== block && up > 0) guards = this.#aroundBlock(up)
    this.#around[block] = guards
    return guards
  }

  /** Of the two ways from a fork to where they meet again, one leads straight there and the other through more. */
  #past(from: number, to: number): readonly SenderGuard[] {
    const flow = this.#flow
    const { preds } = flow.blocks[to]!
    const fork = flow.blocks[from]!
    if (preds.length !== 2 || fork.condition === null || !preds.includes(from)) return noSenders
    const facts = factsOf(flow, fork.condition, fork.succs[0] === to, fork.condition)
    if (this.#in(facts).length === 0) return noSenders
    const inside = preds[0] === from ? preds[1]! : preds[0]!
    const point = endOfBlock(flow, inside)
    const guards = this.#atPoint(point).filter(
      // Whatever gives an answer is there for its answer.
      ({ against, op }) => against !== 'unknown' || flow.usersOf(op).length === 0,
    )
    return guards.length > 0 ? guards : this.#aroundBlock(inside)
  }

  /** `if (started) require(msg.sender == address(this)); else require(msg.sender == admin);`: the paths join, and each checks. */
  #onEachPath(block: number): readonly SenderGuard[] {
    const { preds } = this.#flow.blocks[block]!
    if (preds.length !== 2 || preds.some((pred) => pred >= block)) return noSenders
    const senderGuards = preds.map((pred) => this.#atPoint(endOfBlock(this.#flow, pred)).find(checksIdentity))
    const [first, second] = senderGuards
    if (first === undefined || second === undefined) return noSenders
    return [joinGuards(first, second)]
  }

  /**
   * Signatures of several, checked one by one in a loop before `op`: every round requires one more signer that state knows.
   * How many rounds there are must not be for the caller to say. (Evaluated while it is worked out who can set which state, so
   * nothing here may ask that in turn.)
   */
  #signedInLoops(op: Op): SenderGuard[] {
    const flow = this.#flow
    const guards: SenderGuard[] = []
    for (const mark of flow.ir.loops) {
      if (op.block <= mark.last || !flow.blockDominates(mark.header, op.block)) continue
      guards.push(...this.#countedSigners(op, mark))
      const end = endOf(flow, mark)
      if (end === null || (isCallersNumber(end) && !isHeldAgainstState(flow, end, op))) continue
      for (const guard of this.#in(factsInside(flow, mark))) if (guard.against === 'signature') guards.push(guard)
      for (const check of flow.ops('assume')) {
        if (check.block < mark.header || check.block > mark.last || !flow.blockDominates(check.block, mark.last))
          continue
        for (const guard of this.#in(factsOf(flow, check.args[0], true, check)))
          if (guard.against === 'signature') guards.push(guard)
      }
    }
    return guards
  }

  /** `if (isOwner[signer]) count++` in a loop, and `op` demands so many: the count is made of signers that state knows. */
  #countedSigners(op: Op, { header, last }: LoopMark): SenderGuard[] {
    const flow = this.#flow
    const isInside = ({ block }: Op): boolean => block >= header && block <= last
    for (const { greater, smaller } of relationsAt(flow, op)) {
      const count = stripCasts(greater)
      if (count.kind !== 'phi' || count.block !== header || isCallersNumber(stripCasts(smaller))) continue
      const rounds = flow.ops('bin').filter((sum) => sum.operator === '+' && isInside(sum) && sum.args.includes(count))
      const signed = rounds.map((sum) =>
        this.#in(guardsAt(flow, sum).filter((fact) => isInside(fact.op))).filter(
          ({ against }) => against === 'signature',
        ),
      )
      if (signed.length > 0 && signed.every((guards) => guards.length > 0)) return signed.flat()
    }
    return []
  }
}

/** Who, and not how much: what is left of an amount is tested after it was taken, too. */
const checksIdentity = ({ against, places }: SenderGuard): boolean =>
  against !== 'keyed' || places.every(({ type }) => type?.kind === 'bool')

/**
 * `require(isRelaying)`, a flag that is up only while a function runs which sets it, takes it down before it ends, and calls others only
 * after a check of its sender: that check stands for this one.
 */
const guardOfCall = (flow: Flow, { condition, polarity, op }: Fact): SenderGuard | null => {
  if (!polarity || condition.kind !== 'load' || !isOnePlace(condition.location)) return null
  const { variable, type } = condition.location
  if (variable === null || type?.kind !== 'bool') return null
  const { contractFlow } = flow
  const guard = contractFlow.remember(guardOfCall, variable, () => guardWhileUp(contractFlow, variable), null)
  return guard === null ? null : { ...guard, op }
}

const guardWhileUp = (contractFlow: ContractFlow, variable: VariableModel): SenderGuard | null => {
  const guards: SenderGuard[] = []
  const writes = contractFlow.writersOf(variable)
  for (const { flow, op: up } of writes) {
    if (isCleared(up)) continue
    const down = writes.find((write) => write.flow === flow && isCleared(write.op) && flow.isFollowedBy(up, write.op))
    if (down === undefined || flow.isPartial || stripCasts(up.args[0]).kind !== 'const') return null
    for (const call of flow.ops('call')) {
      if (call.call.inlined || call.call.isStatic || !flow.canFollow(up, call) || isBefore(down.op, call)) continue
      const guard = senderGuardsAt(flow, call).find(checksIdentity)
      if (guard === undefined) return null
      guards.push(guard)
    }
  }
  return guards.length === 0 ? null : guards.reduce(joinGuards)
}

const createSenders = (flow: Flow): Senders => new Senders(flow)

/** All conditions on the path to `op` that test the sender: against state, roles, constants, another contract or a signature. */
export const senderGuardsAt = (flow: Flow, op: Op): readonly SenderGuard[] => flow.answer(createSenders).at(op)

/** What every round of a loop has found to hold when it ends: `if (!isOwner[signer]) revert()`. */
const factsInside = (flow: Flow, { header, last }: LoopMark): Fact[] =>
  guardsAtEnd(flow, last).filter(({ op }) => op.block >= header && op.block <= last)

/** What the counter of a loop is compared with. */
const endOf = (flow: Flow, { test, header }: LoopMark): Op | null => {
  const condition = test === -1 ? null : flow.blocks[test]!.condition
  if (condition?.kind !== 'bin') return null
  const [left, right] = condition.args.map(stripCasts) as [Op, Op]
  const isCounter = (value: Op): boolean => value.kind === 'phi' && value.block === header
  return isCounter(left) ? right : isCounter(right) ? left : null
}

const isCallersNumber = (end: Op): boolean =>
  end.kind !== 'const' && (end.kind !== 'load' || end.location.space !== 'state')

/** `require(signatures.length >= threshold)` */
const isHeldAgainstState = (flow: Flow, count: Op, op: Op): boolean =>
  guardsAt(flow, op).some(({ condition }) => {
    if (condition.kind !== 'bin') return false
    const isCount = (value: Op): boolean =>
      value === count || (value.kind === 'load' && count.kind === 'load' && value.location === count.location)
    return dependsOn(flow, condition, isCount) && dependsOn(flow, condition, isState)
  })

const isState = (value: Op): boolean => value.kind === 'load' && value.location.space === 'state'

const guardCall = (flow: Flow, call: CallOp): SenderGuard | null => {
  if (call.call.kind === 'external') return refusalBy(flow, call)
  const decl = call.decl
  const effect = decl !== null && decl.kind === 'modifier' ? decl.effect : (call.call.definition?.effect ?? null)
  const known = effect === 'guard'
  const isUnknownModifier =
    call.operator === 'modifier' && decl === null && missingModifierEffect(call.call.name) === null
  // Also a hook that the deriving contract has to write.
  const isUnknownCheck =
    call.operator !== 'modifier' && (call.call.definition?.isImplemented !== true || isLeftOut(flow, call))
  if (!known && !isUnknownModifier && !isUnknownCheck) return null
  return {
    against: known ? 'known' : 'unknown',
    places: [],
    op: call,
  }
}

/** `IRegistry(at).note()` with a name that nothing here declares: a conversion, or at most a function that finds the callee. */
const isReceiver = (flow: Flow, call: CallOp): boolean =>
  call.operator !== 'modifier' && call.call.definition === null && flow.answer(calledValues).has(call)

const calledValues = (flow: Flow): ReadonlySet<Op> =>
  new Set(flow.externalCalls().flatMap(({ call }) => (call.target === null ? [] : [stripCasts(call.target)])))
