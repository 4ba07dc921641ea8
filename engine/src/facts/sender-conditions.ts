/**
 * What one condition says about the sender. A name proves nothing: a check compares the sender with a constant, with state, or with
 * what another contract answers, looks up state by the sender, or verifies a signature.
 */

import {
  alternativesOf,
  bothOrders,
  budget,
  type CallOp,
  type ContractFlow,
  type Flow,
  isEquality,
  type Location,
  type Op,
  rootOf,
  stripCasts,
} from '../ir/index.ts'
import { isCleared } from './cleared.ts'
import type { Fact } from './conditions.ts'
import { dependsOn } from './dependencies.ts'
import { encodedCallOf } from './encoded-calls.ts'
import { guardsAt, namesOwnCall } from './guards.ts'
import { answerOnEachPath, type Question } from './paths.ts'

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
export const joinGuards = (one: SenderGuard, other: SenderGuard): SenderGuard => ({
  ...one,
  places: [...one.places, ...other.places],
})

/** `tx.origin`, also converted: an account without code of its own. */
export const isOrigin = (value: Op): boolean => {
  const op = stripCasts(value)
  return op.kind === 'env' && op.operator === 'tx.origin'
}

/** `msg.sender == tx.origin`, and not its contrary, which lets contracts alone in. */
export const isFromOrigin = (_: Flow, { condition, polarity }: Fact): boolean => {
  if (condition.kind !== 'bin' || condition.operator !== (polarity ? '==' : '!=')) return false
  const [one, other] = condition.args.map(stripCasts) as [Op, Op]
  return isSender(one) && isSender(other) && isOrigin(one) !== isOrigin(other)
}

/** `msg.sender` or `tx.origin`, also converted, or the account that a forwarder names for them. */
export const isSender = (value: Op): boolean => {
  const op = stripCasts(value)
  if (op.kind === 'env') return op.operator === 'msg.sender' || op.operator === 'tx.origin'
  return (op.kind === 'phi' || op.kind === 'select') && isForwarded(alternativesOf(op))
}

/** `msg.sender == forwarder ? address(bytes20(msg.data[msg.data.length - 20:])) : msg.sender`: for whom the call was made stands behind its arguments. */
const isForwarded = (choices: readonly Op[]): boolean => {
  const others = choices.filter((choice) => stripCasts(choice).kind !== 'env' || !isSender(choice))
  return others.length < choices.length && others.every((other) => readsCallData(other))
}

const readsCallData = ({ kind, operator, args }: Op, depth = 0): boolean =>
  (kind === 'env' && operator === 'msg.data') ||
  (kind === 'builtin' && operator === 'calldataload') ||
  (depth < budget.depth.senderValue && args.some((arg) => readsCallData(arg, depth + 1)))

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
      next.push(...alternativesOf(op))
    }
    level = next
  }
  return false
}

/** What one condition asks of the sender when it comes out like this. */
export const guardFrom = (flow: Flow, fact: Fact): SenderGuard | null => {
  const found = answerOnEachPath(flow, fact, senderQuestion)
  return found === null || isUnsetGuard(found) ? null : found
}

/** `require(b <= a)` of a function that works out a number, as in SafeMath: it guards the computation, not the caller. */
const isOfComputation = ({ site }: Op): boolean =>
  site?.fn?.kind === 'function' &&
  site.fn.mutability === 'pure' &&
  site.fn.returns.length > 0 &&
  site.fn.returns.every(({ type }) => type.kind === 'int')

export const senderGuardOf = (flow: Flow, fact: Fact): SenderGuard | null => {
  const { condition: op, polarity } = fact
  if (isOfComputation(op)) return null
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

/** `owner == address(0)`, one alternative of several: nobody is there yet. By itself it asks nothing of the sender. */
interface Unset extends SenderGuard {
  readonly isUnset: true
}

const isUnsetGuard = (guard: SenderGuard): guard is Unset => 'isUnset' in guard

const senderQuestion: Question<SenderGuard> = {
  evaluate: (flow, fact) => senderGuardOf(flow, fact) ?? unsetBy(flow, fact),
  // `msg.sender == owner || owner == address(0)` asks for the owner as soon as there is one.
  join: (one, other) => {
    if (isUnsetGuard(one)) return restsOn(other, one) ? other : one
    if (isUnsetGuard(other)) return restsOn(one, other) ? one : other
    return joinGuards(one, other)
  },
  prefer: (one, other) => (isUnsetGuard(one) ? other : one),
}

/** The other alternative compares the sender with the very account, or asks the very contract, that is not there yet. */
const restsOn = (guard: SenderGuard, { places: [unset] }: Unset): boolean =>
  (guard.against === 'state' || guard.against === 'external') && guard.places.some((place) => place === unset)

const unsetBy = (flow: Flow, fact: Fact): Unset | null => {
  const { condition, polarity } = fact
  if (condition.kind !== 'bin' || condition.operator !== (polarity ? '==' : '!=')) return null
  for (const [kept, zero] of bothOrders(condition)) {
    if (zero.kind !== 'const' || zero.constant !== 0n || kept.kind !== 'load') continue
    const { location } = kept
    if (location.space !== 'state' || location.variable === null || !isOnePlace(location)) continue
    if (flow.contractFlow.answerAt(location, staysSet)) return { ...make('state', [location], fact), isUnset: true }
  }
  return null
}

/**
 * A constructor sets it, or more than one function: where there is only one, that one is the set-up, which anyone may call. Where a function
 * clears it, as `renounceOwnership` does, anyone passes from then on.
 */
const staysSet = (contractFlow: ContractFlow, { variable }: Location): boolean => {
  const writers = contractFlow.writersOf(variable!)
  const setters = new Set(writers.map(({ flow }) => flow))
  const isSet = setters.size > 1 || [...setters].some(({ isConstructor }) => isConstructor)
  return isSet && !writers.some(({ flow, op }) => !flow.isConstructor && isCleared(op))
}

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
  if (meansSender(flow, unshifted(subject))) {
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
  if (isRecovered(flow, subject) && !isArgument(object)) {
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

/** What comes in with the call, also as a part of a struct or list: anyone can sign for themselves. */
const isArgument = (op: Op): boolean =>
  op.kind === 'param' || (op.kind === 'load' && rootOf(op.location).base?.kind === 'param')

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
  for (const arg of alternativesOf(op)) {
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

/** Where the one contract is on record that gave this answer, unless the code fixes it; of many, or about many, the caller may say which. */
const queriedContract = (value: Op): Location[] | null => {
  const answer = value.kind === 'extract' ? value.args[0] : value
  if (answer.kind !== 'call' || answer.call.kind !== 'external' || !answer.args.every(isTheOne)) return null
  const target = answer.call.target === null ? null : stripCasts(answer.call.target)
  if (target?.kind === 'const') return []
  return target?.kind === 'load' && isOnePlace(target.location) ? placesOf(target.location) : null
}

/** `registry.ownerOf(ownId)`: the record in question is fixed in state, not the caller's choice. */
const isTheOne = (arg: Op): boolean => {
  const value = stripCasts(arg)
  if (value.kind === 'load') return isOnePlace(value.location)
  return value.kind === 'const' || (value.kind === 'env' && value.operator === 'this')
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
  // A sum of sums is read again by whatever adds to it.
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

const mentionsSender = (flow: Flow, value: Op): boolean => mentions(value, (op) => meansSender(flow, op))

/** A value, or a part that it was put together from. */
const mentions = (value: Op, isMeant: (op: Op) => boolean, depth = 0): boolean => {
  const op = stripCasts(value)
  if (isMeant(op)) return true
  if (depth > budget.depth.senderMention || op.kind === 'call') return false
  return op.args.some((arg) => mentions(arg, isMeant, depth + 1))
}

/** Another contract (or one whose source is missing) is called with the sender. */
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
export const refusalBy = (flow: Flow, call: CallOp): SenderGuard | null =>
  calledGuard(flow, call, { condition: call, polarity: true, op: call })

/** `require(token.transferFrom(msg.sender, …))`: something is done there, and anyone who can pay may have it done. */
const isAction = (op: Op): boolean => {
  const { call, args } = op
  if (call?.kind === 'lowlevel') return actions.has(encodedCallOf(args[0])?.name ?? '')
  if (actions.has(call?.name ?? '')) return true
  const definition = call?.kind === 'external' ? call.definition : null
  if (definition === null || definition === undefined || namesOwnCall(op)) return false
  // Before 0.5.0 a question may lack its `view`.
  return definition.mutability !== 'view' && definition.mutability !== 'pure' && definition.file.versions.isAtLeast(5)
}

/** What the token standards do: also where the file is missing, or admits compilers that know no `view`, as `IERC20` of OpenZeppelin does. */
const actions = new Set(['transfer', 'transferFrom', 'burn', 'burnFrom', 'mint', 'approve'])

const placesOf = (location: Location): Location[] => (location.variable === null ? [] : [location])

/** The budget ran out before it was read: nobody knows whom it refuses. */
export const isLeftOut = ({ isPartial }: Flow, { call: { definition, inlined, kind } }: CallOp): boolean =>
  isPartial && !inlined && kind === 'internal' && definition?.isImplemented === true && definition.effect === null
