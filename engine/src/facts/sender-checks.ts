/**
 * What is asked of the sender. A name proves nothing: a check is a condition that compares the sender with a constant, with state,
 * or with what another contract answers, that looks up state by the sender, or that verifies a signature. The first half reads
 * one condition, the second finds the conditions that guard an operation: before it, at the end of every path on from it,
 * around it, signer by signer in a loop, or only after a set-up has ended. Whether an outsider can pass is asked in `principals.ts`.
 */

import {
  bothOrders,
  budget,
  type CallOp,
  type ContractFlow,
  type Flow,
  isBefore,
  isEquality,
  type Location,
  type LoopMark,
  type Op,
  stripCasts,
} from '../ir/index.ts'
import { missingModifierEffect } from '../model/index.ts'
import type { Fact } from './conditions.ts'
import { dependsOn } from './dependencies.ts'
import { encodedCallOf } from './encoded-calls.ts'
import {
  endOfBlock,
  factsAddedAt,
  factsOf,
  fromFactsAt,
  guardsAt,
  guardsAtEnd,
  pointAt,
  relationsAt,
} from './guards.ts'
import { answerOnEachPath, isTruth, type Question } from './paths.ts'
import { gatherUpTo, type Known } from './points.ts'
import { recoveriesOf } from './signatures.ts'

export interface SenderGuard {
  /**
   * constant: a fixed address · state: the sender equals a state variable · keyed: state looked up by the sender ·
   * external: another contract decides · signature: a signer that state knows · known: a known library's guard ·
   * unknown: a modifier or function that is not among the files.
   */
  readonly against: 'constant' | 'state' | 'keyed' | 'external' | 'signature' | 'known' | 'unknown'
  /** The state it rests on. */
  readonly places: readonly Location[]
  /** What tests, and where. */
  readonly op: Op
}

const make = (against: SenderGuard['against'], places: Location[], { op }: Fact): SenderGuard => ({
  against,
  places,
  op,
})

/** Two alternatives, each a check: what both rest on. */
const joinGuards = (one: SenderGuard, other: SenderGuard): SenderGuard => ({
  ...one,
  places: [...one.places, ...other.places],
})

/** `tx.origin`, also converted: an account without code of its own. */
export const isOrigin = (value: Op): boolean => {
  const op = stripCasts(value)
  return op.kind === 'env' && op.operator === 'tx.origin'
}

/** `msg.sender` or `tx.origin`, also converted. */
export const isSender = (value: Op): boolean => {
  const op = stripCasts(value)
  return op.kind === 'env' && (op.operator === 'msg.sender' || op.operator === 'tx.origin')
}

/** The sender itself, also when a helper chooses between several expressions for it (`_msgSender()` of a forwarder). */
const meansSender = (flow: Flow, value: Op): boolean => flow.answerAbout(stripCasts(value), canBeSender)

const canBeSender = (_: Flow, value: Op): boolean => anyChoice(value, isSender, budget.depth.senderValue + 1)

/** Among the values that a phi or a select chooses from, so many choices deep; each is looked at once, by however many ways it comes. */
export const anyChoice = (
  value: Op,
  isMeant: (op: Op) => boolean,
  depth: number = budget.depth.senderValue,
): boolean => {
  const seen = new Set<Op>()
  let level: readonly Op[] = [value]
  for (let left = depth; level.length > 0; left--) {
    const next: Op[] = []
    for (const choice of level) {
      const op = stripCasts(choice)
      if (isMeant(op)) return true
      if (left === 0 || seen.has(op) || (op.kind !== 'phi' && op.kind !== 'select')) continue
      seen.add(op)
      next.push(...(op.kind === 'select' ? op.args.slice(1) : op.args))
    }
    level = next
  }
  return false
}

/** What one condition asks of the sender when it comes out like this. */
const guardFrom = (flow: Flow, fact: Fact): SenderGuard | null => answerOnEachPath(flow, fact, senderQuestion)

const senderGuardOf = (flow: Flow, fact: Fact): SenderGuard | null => {
  const { condition: op, polarity } = fact
  switch (op.kind) {
    case 'bin':
      return comparisonGuard(flow, op, fact)
    case 'load':
      return polarity ? keyedGuard(flow, op, fact) : null
    case 'call':
    case 'extract':
      return polarity ? calledGuard(flow, op, fact) : null
    default:
      return null
  }
}

const senderQuestion: Question<SenderGuard> = { evaluate: senderGuardOf, join: joinGuards }

const comparisonGuard = (flow: Flow, { operator, args }: Op, fact: Fact): SenderGuard | null => {
  const [left, right] = args as [Op, Op]
  const { polarity } = fact
  switch (operator) {
    case '==':
    case '!=': {
      const holds = (operator === '==') === polarity
      if (holds) return equalityGuard(flow, left, right, fact) ?? equalityGuard(flow, right, left, fact)
      return differsFromZero(flow, left, right, fact) ?? differsFromZero(flow, right, left, fact)
    }
    case '>':
    case '>=':
    case '<':
    case '<=': {
      const greater = (operator[0] === '>') === polarity
      return keyedGuard(flow, stripCasts(greater ? left : right), fact)
    }
    case '&':
      // Assembly asks for bits without comparing them with zero.
      return polarity ? keyedGuard(flow, fact.condition, fact) : null
    default:
      return null
  }
}

/** `who` is the sender (or a recovered signer) and equals `other`. */
const equalityGuard = (flow: Flow, who: Op, other: Op, fact: Fact): SenderGuard | null => {
  const subject = stripCasts(who)
  const object = unshifted(stripCasts(other))
  if (meansSender(flow, subject)) {
    if (object.kind === 'const' || object.kind === 'name') return make('constant', [], fact)
    if (object.kind === 'env' && object.operator === 'this') return make('constant', [], fact)
    if (object.kind === 'load') {
      const place = object.location.space === 'memory' ? copiedFrom(object.location) : object.location
      if (place !== null) return make('state', placesOf(place), fact)
    }
    if (object.kind === 'call' || object.kind === 'extract') return make('external', [], fact)
    const chosen = behindChoice(object)
    return chosen === null ? null : make(chosen.isAnswer ? 'external' : 'state', chosen.places, fact)
  }
  if (isRecovered(flow, subject) && object.kind !== 'param') {
    const state = object.kind === 'load' && object.location.space !== 'memory' ? placesOf(object.location) : []
    if (object.kind === 'load' || object.kind === 'const' || object.kind === 'call')
      return make('signature', state, fact)
  }
  // `roles[msg.sender] == ADMIN`
  if (subject.kind === 'load' && (object.kind === 'const' || object.kind === 'load')) {
    if (object.kind === 'const' && object.constant === 0n) return null
    return keyedGuard(flow, subject, fact)
  }
  // `rights[msg.sender] & MINT == MINT`
  if (isPart(subject) && object.kind === 'const' && object.constant !== 0n) return keyedGuard(flow, subject, fact)
  return null
}

/** Some bits of a number, which the code says. */
const isPart = ({ kind, operator, args }: Op): boolean =>
  kind === 'bin' && (operator === '&' || operator === '>>' || operator === '<<') && args.some(isWritten)

const isWritten = (value: Op): boolean => stripCasts(value).kind === 'const'

/** `address(uint160(owner) + OFFSET)`: the name that an account of another chain has on this one, which is as much its own. */
const unshifted = (op: Op): Op => {
  if (op.kind !== 'bin' || (op.operator !== '+' && op.operator !== '-')) return op
  const [left, right] = op.args.map(stripCasts) as [Op, Op]
  if (right.kind === 'const') return left
  return left.kind === 'const' ? right : op
}

/** The list in storage that one in memory is a copy of, as when a helper is handed all members. */
const copiedFrom = ({ base }: Location): Location | null => {
  const source = base === null ? null : stripCasts(base)
  return source?.kind === 'load' && source.location.space === 'state' ? source.location : null
}

/** `isLive ? settings.admin() : firstAdmin`: each of those it can be is on record, or named by a contract that the caller did not choose. */
const behindChoice = (op: Op): { readonly places: Location[]; readonly isAnswer: boolean } | null => {
  if (op.kind !== 'phi' && op.kind !== 'select') return null
  const places: Location[] = []
  let isAnswer = false
  for (const arg of op.kind === 'select' ? op.args.slice(1) : op.args) {
    const value = stripCasts(arg)
    if (value.kind === 'const') continue
    const senderGuards = queriedContract(value)
    isAnswer ||= senderGuards !== null
    const found =
      senderGuards ?? (value.kind === 'load' && value.location.space !== 'memory' ? placesOf(value.location) : null)
    if (found === null) return null
    places.push(...found)
  }
  return { places, isAnswer }
}

/** Where the one contract is on record that gave this answer without an argument, unless the code fixes it; of many, the caller may say which. */
const queriedContract = (value: Op): Location[] | null => {
  const answer = value.kind === 'extract' ? value.args[0] : value
  if (answer.kind !== 'call' || answer.call.kind !== 'external' || answer.args.length > 0) return null
  const target = answer.call.target === null ? null : stripCasts(answer.call.target)
  if (target?.kind === 'const') return []
  return target?.kind === 'load' && isOnePlace(target.location) ? placesOf(target.location) : null
}

/** Not one of many that are kept under keys. */
export const isOnePlace = ({ space, index, parent }: Location): boolean =>
  space !== 'memory' && index === null && (parent === null || isOnePlace(parent))

const differsFromZero = (flow: Flow, value: Op, zero: Op, fact: Fact): SenderGuard | null => {
  const nothing = stripCasts(zero)
  if (nothing.kind !== 'const' || nothing.constant !== 0n) return null
  return keyedGuard(flow, stripCasts(value), fact)
}

const isRecovered = (flow: Flow, value: Op): boolean => flow.answerAbout(stripCasts(value), canBeRecovered)

const canBeRecovered = (_: Flow, value: Op): boolean => anyChoice(value, isRecovery, budget.depth.recovered)

const isRecovery = (op: Op): boolean =>
  (op.kind === 'builtin' && op.operator === 'ecrecover') ||
  (op.kind === 'call' && op.call.definition?.effect === 'signature') ||
  (op.kind === 'extract' && isRecovery(op.args[0]))

/** State looked up by the sender (`isOwner[msg.sender]`, `roles[r].members[msg.sender]`) or by the signer of a message. */
const keyedGuard = (flow: Flow, op: Op, fact: Fact): SenderGuard | null => {
  // A sum of sums is asked about again by whatever adds to it.
  if (op.kind === 'bin' && !dependsOn(flow, op, flow.answer(createLookups), { isKept: true })) return null
  // Through operators, from left to right; each value once, however often it is used.
  const seen = new Set<Op>()
  const work = [op]
  for (let at = work.pop(); at !== undefined; at = work.pop()) {
    const value = stripCasts(at)
    if (seen.has(value)) continue
    seen.add(value)
    if (value.kind === 'bin') work.push(value.args[1], value.args[0])
    const guard = guardByKey(flow, value, fact)
    if (guard !== null) return guard
  }
  return null
}

/** What alone can make a guard of a value that is worked out from it. */
const createLookups =
  (flow: Flow) =>
  (value: Op): boolean => {
    if (value.kind === 'call' || value.kind === 'extract') return true
    if (value.kind !== 'load' || value.location.space === 'memory') return false
    for (let at: Location | null = value.location; at !== null; at = at.parent)
      if (at.index !== null && canName(flow, at.index)) return true
    return false
  }

const canName = (flow: Flow, key: Op): boolean =>
  isRecovered(flow, key) || mentionsSender(flow, key) || flow.answer(namesOfSender).has(stripCasts(key))

/** Parameters that are compared with the sender somewhere. */
const namesOfSender = (flow: Flow): ReadonlySet<Op> => {
  const names = new Set<Op>()
  for (const { operator, args } of flow.ops('bin')) {
    const sides = isEquality(operator) ? args.map(stripCasts) : []
    if (sides.some((side) => meansSender(flow, side)))
      for (const side of sides) if (side.kind === 'param') names.add(side)
  }
  return names
}

const guardByKey = (flow: Flow, value: Op, fact: Fact): SenderGuard | null => {
  if (value.kind === 'call' || value.kind === 'extract') return calledGuard(flow, value, fact)
  if (value.kind !== 'load' || value.location.space === 'memory') return null
  for (let at: Location | null = value.location; at !== null; at = at.parent) {
    if (at.index === null) continue
    if (isRecovered(flow, at.index)) return make('signature', placesOf(value.location), fact)
    if (mentionsSender(flow, at.index) || isNamedSender(flow, at.index, fact))
      return make('keyed', placesOf(value.location), fact)
  }
  return null
}

/** `require(account == msg.sender)`: the caller under another name. */
const isNamedSender = (flow: Flow, key: Op, { op }: Fact): boolean => {
  const name = stripCasts(key)
  if (!flow.answer(namesOfSender).has(name)) return false
  return guardsAt(flow, op).some(({ condition, polarity }) => {
    if (condition.kind !== 'bin' || condition.operator !== (polarity ? '==' : '!=')) return false
    const sides = condition.args.map(stripCasts)
    return sides.includes(name) && sides.some((side) => meansSender(flow, side))
  })
}

const mentionsSender = (flow: Flow, value: Op, depth = 0): boolean => {
  const op = stripCasts(value)
  if (meansSender(flow, op)) return true
  if (depth > budget.depth.senderMention || op.args.length === 0 || op.kind === 'call') return false
  return op.args.some((arg) => mentionsSender(flow, arg, depth + 1))
}

/** Another contract (or one not seen) is asked about the sender. */
const calledGuard = (flow: Flow, op: Op, fact: Fact): SenderGuard | null => {
  const call = op.kind === 'extract' ? op.args[0] : op
  if (call.kind === 'call' && isLeftOut(flow, call)) return { against: 'unknown', places: [], op: call }
  if (call.call === null || isAction(call) || !call.args.some((arg) => mentionsSender(flow, arg))) return null
  const target = call.call.target === null ? null : stripCasts(call.call.target)
  // Asking an address that the caller chose proves nothing.
  if (target !== null && (target.kind === 'param' || isSender(target))) return null
  return make('external', target !== null && target.kind === 'load' ? placesOf(target.location) : [], fact)
}

/** `roles.check(role, msg.sender)`: another contract that can do nothing but refuse is given who calls. Whom it refuses is another question. */
const refusalBy = (flow: Flow, call: CallOp): SenderGuard | null =>
  calledGuard(flow, call, { condition: call, polarity: true, op: call })

/** `require(token.transferFrom(msg.sender, …))`: something is done there, and anyone who can pay may have it done. */
const isAction = ({ call, args }: Op): boolean => {
  if (call?.kind === 'lowlevel') return actions.has(encodedCallOf(args[0])?.name ?? '')
  const definition = call?.kind === 'external' ? call.definition : null
  if (definition === null || definition === undefined) return actions.has(call?.name ?? '')
  return definition.mutability !== 'view' && definition.mutability !== 'pure' && definition.file.versions.isAtLeast(5)
}

/** What the token standards do, of a token whose file is missing. */
const actions = new Set(['transfer', 'transferFrom', 'burn', 'burnFrom', 'mint', 'approve'])

const placesOf = (location: Location): Location[] => (location.variable === null ? [] : [location])

/** The budget ran out before it was read: nobody knows whom it refuses. */
const isLeftOut = ({ isPartial }: Flow, { call: { definition, inlined, kind } }: CallOp): boolean =>
  isPartial && !inlined && kind === 'internal' && definition?.isImplemented === true && definition.effect === null

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

  /** What is asked before every end, however late: a revert undoes all that was done until then. */
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
      guard = guardFrom(this.#flow, fact)
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
   * How many rounds there are must not be for the caller to say. (Asked while it is worked out who can set which state, so
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

/**
 * Who passes to `op` once a set-up has ended: `require(!configured || dao.passed(msg.sender))`, where `configured` is set once and
 * never cleared. Until then anyone passes, as with an initializer; what was written by then is no later caller's choice.
 */
export const guardsAfterSetUp = (flow: Flow, op: Op): readonly SenderGuard[] => fromFactsAt(flow, op, guardAfterSetUp)

const guardAfterSetUp = (flow: Flow, fact: Fact): readonly SenderGuard[] => {
  const found = answerOnEachPath(flow, fact, setUpQuestion)
  return found?.isOpen === true && found.guard !== null ? [found.guard] : []
}

/** One alternative is open during the set-up; the check of the others, where they are not about a place that is still unset. */
interface SetUp {
  readonly isOpen: boolean
  readonly guard: SenderGuard | null
}

const setUpQuestion: Question<SetUp> = {
  evaluate: (flow, fact) => {
    if (isSetUpOpen(flow, fact)) return { isOpen: true, guard: null }
    if (isUnset(fact)) return { isOpen: false, guard: null }
    const guard = senderGuardOf(flow, fact)
    return guard === null ? null : { isOpen: false, guard }
  },
  join: (one, other) => ({
    isOpen: one.isOpen || other.isOpen,
    guard: one.guard === null || other.guard === null ? (one.guard ?? other.guard) : joinGuards(one.guard, other.guard),
  }),
  prefer: (one, other) => (one.guard === null ? one : other),
}

/** `!configured`: a flag that some function sets, and none ever puts back. */
const isSetUpOpen = (flow: Flow, { condition, polarity }: Fact): boolean => {
  if (polarity || condition.kind !== 'load' || !isOnePlace(condition.location)) return false
  const { variable, type } = condition.location
  if (variable === null || type?.kind !== 'bool') return false
  return flow.contractFlow.answerAt(condition.location, isOnlyRaised)
}

const isOnlyRaised = (contractFlow: ContractFlow, { variable }: Location): boolean => {
  const writers = contractFlow.writersOf(variable!).filter(({ flow: writer }) => !writer.isConstructor)
  return writers.length > 0 && writers.every(({ op }) => isTruth(stripCasts(op.args[0]), true))
}

/** `keeper == address(0)`: nobody is there yet. */
const isUnset = ({ condition, polarity }: Fact): boolean => {
  if (condition.kind !== 'bin' || condition.operator !== (polarity ? '==' : '!=')) return false
  return bothOrders(condition).some(
    ([kept, zero]) =>
      zero.kind === 'const' && zero.constant === 0n && kept.kind === 'load' && kept.location.space === 'state',
  )
}
