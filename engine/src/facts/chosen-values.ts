/** The principal that chose an address, as `principals.ts` ranks them: the deployer and roles are trusted, outsiders are not. */

import {
  type BinaryOp,
  budget,
  type CallOp,
  type ContractFlow,
  type Flow,
  fieldPath,
  isBefore,
  isSameSlot,
  type LoadOp,
  type Location,
  mayOverlapAcross,
  type Op,
  type StoreOp,
  sameValue,
  stripCasts,
} from '../ir/index.ts'
import { isCleared } from './cleared.ts'
import type { Fact } from './conditions.ts'
import { dependsOn } from './dependencies.ts'
import { guardsAt, relationsAt, someFactAt } from './guards.ts'
import { contentOf } from './memory-values.ts'
import { answerOnEachPath, type Question } from './paths.ts'
import { isChosenByRole, isProtected, outsiderCanFillPlace, outsiderCanSetPlace, principalAt } from './principals.ts'
import { chosenByCaller, taintOf } from './taint.ts'

const maxDepth = budget.depth.trust

/** An outsider may have chosen this address (a parameter, the sender, state that anyone can set, what such a contract answers), and nothing before `at` looks it up in a list that only the privileged keep, nor does a role alone say what it is. */
export const isUntrusted = (flow: Flow, target: Op, at: Op): boolean => {
  const isChosen = (): boolean =>
    isUntrustedValue(flow, target, 0) &&
    !isListed(flow, target, at) &&
    !isStillFirstParty(flow, target, at) &&
    !isNamedByRole(flow, target, at)
  return flow.remember(
    flow.remember(isUntrusted, at, () => ({})),
    target,
    isChosen,
  )
}

/** Handed in, where nobody but a role can hand in anything. */
const isNamedByRole = (flow: Flow, target: Op, at: Op): boolean => {
  const value = stripCasts(target)
  const given = value.kind === 'load' && value.location.space === 'memory' ? value.location.base : value
  return given !== null && stripCasts(given).kind === 'param' && isChosenByRole(flow, at)
}

const isUntrustedValue = (flow: Flow, value: Op, depth: number): boolean => {
  const op = stripCasts(value)
  if (depth > maxDepth) return true
  switch (op.kind) {
    case 'const':
    case 'name':
      return false
    case 'env':
      return op.operator !== 'this'
    case 'param':
      return !flow.isConstructor
    case 'load':
      return isUntrustedPlace(flow, op.location, depth)
    case 'phi':
      return op.args.some((arg) => isBefore(arg, op) && isUntrustedValue(flow, arg, depth + 1))
    case 'select':
      return isUntrustedValue(flow, op.args[1], depth + 1) || isUntrustedValue(flow, op.args[2], depth + 1)
    case 'extract':
    case 'call': {
      const call = op.kind === 'extract' ? op.args[0] : op
      if (call.call === null) return call.kind !== 'builtin' || isUntrustedResult(flow, call, depth)
      if (call.call.kind === 'create') return false
      if (isHolder(call)) return true
      // What a trusted contract answers is trusted; of an unknown inner function nothing is known.
      return call.call.target === null ? false : isUntrustedValue(flow, call.call.target, depth + 1)
    }
    case 'bin':
      return isMasked(op) ? isUntrustedValue(flow, op.args[0], depth + 1) : true
    case 'builtin':
      return isUntrustedResult(flow, op, depth)
    default:
      return true
  }
}

/** Anyone who holds a token of ERC-721, which a trusted contract knows and does not choose. */
const isHolder = ({ call, args }: CallOp): boolean =>
  call.kind === 'external' && call.name === 'ownerOf' && args.length === 1

/** `and(x, 0xff…)`, `shr(96, shl(96, x))`: the same address, cleaned. */
const isMasked = ({ operator, args }: BinaryOp): boolean =>
  (operator === '&' || operator === '<<' || operator === '>>') && stripCasts(args[1]).kind === 'const'

/** An address that is computed like that of a contract made here, or read from where a trusted contract's answer was put. */
const isUntrustedResult = (flow: Flow, op: Op, depth: number): boolean => {
  if (op.operator === 'keccak256') return (taintOf(flow, op) & chosenByCaller) !== 0
  if (op.operator === 'abi.decode') return isUntrustedValue(flow, op.args[0]!, depth + 1)
  if (op.operator !== 'mload') return true
  const place = op.args[0]!
  const answer = flow
    .externalCalls()
    .findLast(
      (call) =>
        isBefore(call, op) && call.args.length === 4 && sameValue(call.args[2]!, place) && flow.dominates(call, op),
    )
  const target = answer?.call.target
  return !target || isUntrustedValue(flow, target, depth + 1)
}

const isUntrustedPlace = (flow: Flow, place: Location, depth: number): boolean => {
  if (place.space === 'memory') return isUntrustedInMemory(flow, place, depth)
  const variable = place.variable
  if (variable === null) {
    if (place.space === 'pointer') return !isOfHost(flow, place)
    return place.space === 'slot' && isOpenSlot(flow, place, depth)
  }
  if (variable.isConstant || variable.isImmutable) return false
  return outsiderCanFillPlace(flow.contractFlow, place) && !isFilledByPrivileged(flow, place, depth)
}

/**
 * All that outsiders can put there is harmless: what a role put on a list (`require(isApproved[app]); mine[msg.sender].push(app)`), what
 * a trusted contract answers, or nothing.
 */
const isFilledByPrivileged = ({ contractFlow }: Flow, place: Location, depth: number): boolean =>
  firstAssumedFalse(contractFlow, isFilledByPrivileged, place, fieldPath(place), () =>
    contractFlow.writersTo(place).every(({ flow: writer, op }) => {
      if (!writer.isEntryPoint || isCleared(op) || isFromThere(op.args[0], place) || isProtected(writer, op))
        return true
      const value = stripCasts(op.args[0])
      const isAnswer = value.kind === 'call' || value.kind === 'extract'
      return (isAnswer && !isUntrustedValue(writer, value, depth + 1)) || isListed(writer, value, op)
    }),
  )

/** While a question is being answered, the same question about the same place answers no. */
const firstAssumedFalse = (
  contractFlow: ContractFlow,
  question: unknown,
  { variable }: Location,
  name: string,
  compute: () => boolean,
): boolean =>
  contractFlow.remember(
    contractFlow.remember(question, variable, () => ({})),
    name,
    compute,
    false,
  )

/** One of the list moves up to the place of another. */
const isFromThere = (value: Op, place: Location): boolean => {
  const op = stripCasts(value)
  if (op.kind !== 'load' || op.location.variable !== place.variable) return false
  return fieldPath(op.location) === fieldPath(place)
}

/** Storage that was handed to a function without a known caller: what lies there is its host's affair, and nothing says that outsiders put it there. */
const isOfHost = ({ isEntryPoint }: Flow, { base }: Location): boolean =>
  !isEntryPoint && base !== null && stripCasts(base).kind === 'param'

/** A field of a struct in memory is as trusted as what was put there. */
const isUntrustedInMemory = (flow: Flow, place: Location, depth: number): boolean => {
  if (place.base === null) return true
  const content = contentOf(flow, place)
  if (content === null) return isUntrustedValue(flow, place.base, depth + 1)
  return (
    content.values.some((value) => isUntrustedValue(flow, value, depth + 1)) ||
    content.copies.some((copy) => isUntrustedPlace(flow, copy, depth + 1))
  )
}

/**
 * `if (lots[id].until == 0) ITreasury(lots[id].holder).settle()`: any outsider who writes himself into the record
 * sets the other field too, so that as long as it is unset the one on record was put there by the privileged.
 */
const isStillFirstParty = (flow: Flow, target: Op, at: Op): boolean => {
  const value = stripCasts(target)
  if (value.kind !== 'load' || value.location.part !== 'field' || value.location.variable === null) return false
  const place = value.location
  return guardsAt(flow, at).some(({ condition, polarity }) => {
    const unset = unsetField(condition, polarity)
    return unset !== null && unset.parent === place.parent && unset !== place && isSetWith(flow, place, unset)
  })
}

const unsetField = (condition: Op, polarity: boolean): Location | null => {
  const op = stripCasts(condition)
  if (op.kind !== 'bin' || op.operator !== (polarity ? '==' : '!=')) return null
  const sides = op.args.map(stripCasts)
  const load = sides.find((side) => side.kind === 'load' && side.location.part === 'field')
  return load !== undefined && sides.some((side) => side.kind === 'const' && side.constant === 0n)
    ? load.location
    : null
}

/** Every function in which an outsider writes the one place writes the other too, and not nothing. */
const isSetWith = (flow: Flow, place: Location, other: Location): boolean =>
  flow.contractFlow.writersTo(place).every(({ flow: writer, op }) => {
    if (!writer.isEntryPoint || op.flag || isProtected(writer, op)) return true
    return writer.stateStores().some((store) => {
      if (store.location.name !== other.name || store.location.part !== 'field') return false
      const kept = stripCasts(store.args[0])
      const isSame = store.location.parent === op.location.parent
      return isSame && !(kept.kind === 'const' && kept.constant === 0n) && writer.isFollowedBy(op, store)
    })
  })

/** Some function lets anyone store an address of his own in this slot, whatever is there already. */
const isOpenSlot = (flow: Flow, place: Location, depth: number): boolean =>
  flow.contractFlow.entryPoints.some((writer) =>
    writer.stateStores().some((store) => {
      if (store.location.space !== 'slot' || !isSameSlot(store.location, place)) return false
      if (!mayOverlapAcross(store.location, place)) return false
      if (isProtected(writer, store) || !isUntrustedValue(writer, store.args[0], depth + 1)) return false
      const readsSlot = (op: Op): boolean => op.kind === 'load' && op.location.space === 'slot'
      return !guardsAt(writer, store).some(({ condition }) => dependsOn(writer, condition, readsSlot))
    }),
  )

/** What callers hand in, also packed as `abi.decode(data, (address, bytes))`, and what is on record. */
const listable: ReadonlySet<Op['kind']> = new Set(['param', 'load', 'extract', 'builtin'])

/** `require(isToken[target])`: looked up in state that only the privileged write. */
export const isListed = (flow: Flow, target: Op, at: Op): boolean => {
  const value = stripCasts(target)
  if (!listable.has(value.kind) && value.kind !== 'env') return false
  return someFactAt(flow, at, flow.answerAbout(value, createListQuestion))
}

/** One question for each value, so that its answers are kept: one value is called in many places. */
const createListQuestion = (flow: Flow, value: Op): ((flow: Flow, fact: Fact) => boolean) => {
  const isKnown = value.kind === 'env' ? isRegistered : isLookupOf
  const lookup: Question<true> = {
    evaluate: (_, part) => (isKnown(flow, value, part) ? true : null),
    join: () => true,
  }
  return (_, fact) => isNotedByHash(flow, value, fact) || answerOnEachPath(flow, fact, lookup) === true
}

/** `require(registry.gameOf(id) == target)`: the contract of that type which a trusted contract names. An `address` may be an account, such as the owner of an id. */
const isRegistered = (flow: Flow, value: Op, { condition, polarity }: Fact): boolean => {
  if (condition.kind !== 'bin' || condition.operator !== (polarity ? '==' : '!=')) return false
  const [left, right] = condition.args.map(stripCasts) as [Op, Op]
  const other = left === value ? right : right === value ? left : null
  if (other === null || flow.typeOf(other)?.kind !== 'contract') return false
  const { kind, call } = other.kind === 'extract' ? other.args[0] : other
  if (kind !== 'call' || call.kind !== 'external' || call.target === null || !call.isStatic) return false
  return !isUntrustedValue(flow, call.target, 1)
}

const isNotedByHash = (flow: Flow, value: Op, fact: Fact): boolean =>
  givenStruct(value) !== null && isKnownByHash(flow, value, value.location!.part !== 'field', fact)

/** It is checked against what roles keep: a list that it is looked up in, one of their addresses, or the answer of a trusted contract. */
const isLookupOf = (flow: Flow, value: Op, fact: Fact): boolean => {
  const { condition, polarity } = fact
  if (isRegistered(flow, value, fact)) return true
  if (isAttested(flow, value, condition, polarity) || isAllowListed(flow, value, condition, polarity)) return true
  const load = listLookup(condition, polarity)
  if (load === null || load.location.space !== 'state') return false
  for (let place: Location | null = load.location; place !== null; place = place.parent) {
    if (place.index === null) continue
    if (stripCasts(place.index) === value)
      return (
        !outsiderCanSetPlace(flow.contractFlow, load.location) ||
        isWrittenByPrivileged(flow, load.location, place.depth)
      )
    if (isHashOver(place.index, value)) return !outsiderCanFillPlace(flow.contractFlow, load.location)
  }
  return false
}

/** `require(isQueued[keccak256(abi.encode(target, data))])`: looked up together with what is to be done there. */
const isHashOver = (key: Op, value: Op): boolean => {
  const hash = stripCasts(key)
  return isHash(hash) && holdsValue(hash, value)
}

const isHash = ({ kind, operator }: Op): boolean => kind === 'builtin' && operator === 'keccak256'

/** The value itself, or the whole that it is a part of, is put in there: not what is worked out from it. */
const holdsValue = (whole: Op, value: Op, seen = new Set<Op>()): boolean => {
  const op = stripCasts(whole)
  if (seen.has(op)) return false
  seen.add(op)
  if (op === value || op === givenStruct(value) || sameValue(op, value)) return true
  const isPutTogether =
    op.kind === 'make' || isHash(op) || (op.kind === 'builtin' && op.operator.startsWith('abi.encode'))
  return isPutTogether && op.args.some((part) => holdsValue(part, value, seen))
}

/**
 * `require(staked[token][who] > 0)`: whatever anyone can do, only for addresses that the privileged chose is there ever more than
 * nothing under that key. Who lowers an entry, or needs one that is there already, makes none.
 */
const isWrittenByPrivileged = (flow: Flow, place: Location, depth: number): boolean =>
  firstAssumedFalse(flow.contractFlow, isWrittenByPrivileged, place, `${depth} ${fieldPath(place)}`, () =>
    flow.contractFlow.writersTo(place).every(({ flow: writer, op }) => {
      if (!writer.isEntryPoint || writer.isConstructor) return true
      return isPrivilegedWrite(writer, op) || makesNone(writer, op, place, depth)
    }),
  )

/** Nobody but the privileged gets there, now or once a set-up has ended. */
const isPrivilegedWrite = (writer: Flow, op: Op): boolean =>
  isProtected(writer, op) || principalAt(writer, op) === 'later'

const makesNone = (writer: Flow, store: StoreOp, place: Location, depth: number): boolean => {
  if (isCleared(store) || isLowered(writer, store, stripCasts(store.args[0]))) return true
  const key = keyAt(store.location, depth)
  if (key === null) return false
  if (!isUntrusted(writer, key, store)) return true
  return guardsAt(writer, store).some(({ condition, polarity }) => {
    const callee = listLookup(condition, polarity)?.location
    if (callee?.space !== 'state' || callee.variable !== place.variable || fieldPath(callee) !== fieldPath(place))
      return false
    const same = keyAt(callee, depth)
    return same !== null && sameValue(same, key)
  })
}

/** `entry - amount`, which fails below zero. */
const isLowered = (writer: Flow, store: StoreOp, value: Op): boolean => {
  if (value.kind !== 'bin' || value.operator !== '-') return false
  const [entry, amount] = value.args
  const old = stripCasts(entry)
  if (old.kind !== 'load' || old.location !== store.location) return false
  return (
    value.flag ||
    relationsAt(writer, store).some(({ greater, smaller }) => sameValue(greater, old) && sameValue(smaller, amount))
  )
}

/** What an entry is kept under, so many steps into the variable. */
const keyAt = (place: Location, depth: number): Op | null => {
  for (let at: Location | null = place; at !== null; at = at.parent) if (at.depth === depth) return at.index
  return null
}

/** `require(target == targets[i])`: the same as what only the privileged have put there. */
const isAllowListed = (flow: Flow, value: Op, condition: Op, polarity: boolean): boolean => {
  if (condition.kind !== 'bin' || condition.operator !== (polarity ? '==' : '!=')) return false
  const [left, right] = condition.args.map(stripCasts) as [Op, Op]
  const other = left === value ? right : right === value ? left : null
  return (
    other?.kind === 'load' &&
    other.location.space === 'state' &&
    !outsiderCanSetPlace(flow.contractFlow, other.location)
  )
}

/** `require(registry.isMarket(target))`: a trusted contract returns a non-zero answer about this very address. */
const isAttested = (flow: Flow, value: Op, condition: Op, polarity: boolean): boolean => {
  const answer = answerRequired(stripCasts(condition), polarity)
  if (answer?.kind !== 'call' || answer.call.kind !== 'external' || answer.call.target === null) return false
  if (!answer.args.some((arg) => stripCasts(arg) === value) || isOrder(answer)) return false
  const callee = stripCasts(answer.call.target)
  return callee !== value && !isUntrustedValue(flow, callee, 1)
}

/** `require(token.transfer(to, n))`: what is to be done says nothing about who is named; a question changes nothing. */
const isOrder = ({ call }: CallOp): boolean => call.definition !== null && !call.isStatic

const answerRequired = (op: Op, polarity: boolean): Op | null => {
  if (op.kind === 'un' && op.operator === '!') return answerRequired(stripCasts(op.args[0]), !polarity)
  if (op.kind === 'call') return polarity ? op : null
  if (op.kind === 'extract') return polarity ? stripCasts(op.args[0]) : null
  if (op.kind !== 'bin' || op.operator !== (polarity ? '!=' : '==')) return null
  const sides = op.args.map(stripCasts)
  if (!sides.some((side) => side.kind === 'const' && side.constant === 0n)) return null
  return sides.find((side) => side.kind === 'call') ?? null
}

/** The struct or list of the caller's that a value is a part of. */
const givenStruct = ({ kind, location }: Op): Op | null =>
  kind === 'load' && location.space === 'memory' && location.parent !== null ? location.base : null

/**
 * `require(noted[id] == keccak256(abi.encode(given)))`: it is what was noted, no matter who passes it. Terms that anyone has noted are
 * put together here; a list is noted as it was handed in, so it matters by whom.
 */
const isKnownByHash = (flow: Flow, value: Op, isList: boolean, { condition, polarity }: Fact): boolean => {
  if (condition.kind !== 'bin' || condition.operator !== (polarity ? '==' : '!=')) return false
  const sides = condition.args.map(stripCasts)
  const hash = sides.find(isHash)
  const noted = sides.find(({ kind, location }) => kind === 'load' && location.space === 'state')
  if (hash === undefined || noted?.kind !== 'load') return false
  if (isList && outsiderCanFillPlace(flow.contractFlow, noted.location)) return false
  return holdsValue(hash, value)
}

const listLookup = (condition: Op, polarity: boolean): LoadOp | null => {
  const op = stripCasts(condition)
  if (op.kind === 'load') return polarity ? op : null
  if (op.kind !== 'bin') return null
  const load = op.args.map(stripCasts).find((side) => side.kind === 'load')
  const zero = op.args.map(stripCasts).some((side) => side.kind === 'const' && side.constant === 0n)
  if (load === undefined) return null
  const differs = (op.operator === '!=' && polarity) || (op.operator === '==' && !polarity)
  const equals = (op.operator === '==' && polarity) || (op.operator === '!=' && !polarity)
  if (zero) return differs || op.operator === '>' || op.operator === '<' ? load : null
  return equals || op.operator === '>' || op.operator === '>=' ? load : null
}
