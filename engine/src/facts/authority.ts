/**
 * Who stands behind a call: a role (compared with the sender, or a list the sender is on), the contract itself, a
 * signature by either, or whoever owns the record. What a sender owns is no role: `balances[msg.sender] >= n` admits
 * everybody who has some.
 */

import { type ContractFlow, type Flow, type Location, type Op, stripCasts } from '../ir/index.ts'
import type { VariableModel } from '../model/index.ts'
import { isSettledAtEnd } from './debts.ts'
import { isSender, type SenderGuard } from './sender-conditions.ts'
import { senderGuardsAt } from './senders.ts'
import { guardsAfterSetUp } from './set-up.ts'
import { isBroken } from './settable.ts'
import { partFor } from './state-limits.ts'
import { Source, taintOf } from './taint.ts'

/**
 * role: one or some that no outsider can become · consent: a signature by those · granted: whoever holds what only those hand
 * out · unread: a function that is not there to be read may refuse · record: whoever owns the record, which anybody can
 * open for themselves · debt: whoever settles it before the outer call ends · later: anybody, until a set-up has ended that is
 * never taken up again, and then one of the former.
 */
export type Authority = 'role' | 'consent' | 'granted' | 'unread' | 'record' | 'debt' | 'later'

/** Which of the tests of the sender are to count: a signature does not vouch for itself. */
type Counts = (guard: SenderGuard) => boolean

const allCount: Counts = () => true

/** Whose will it takes to get to `op`; null: anybody's. */
export const authorityAt = (flow: Flow, op: Op, counts: Counts = allCount): Authority | null => {
  const guards = senderGuardsAt(flow, op)
  const found = strongest(flow, counts === allCount ? guards : guards.filter(counts))
  if (found !== null) return found
  if (isSettledAtEnd(flow, op)) return 'debt'
  return guardsAfterSetUp(flow, op).some((guard) => counts(guard) && !isBroken(flow.contractFlow, guard))
    ? 'later'
    : null
}

/** All points between two conditions share their list of guards, and are asked about by many. */
const strongest = (flow: Flow, guards: readonly SenderGuard[]): Authority | null => {
  if (guards.length === 0) return null
  const known = flow.answer(createStrongest)
  let authority = known.get(guards)
  if (authority === undefined) {
    authority = strongestOf(flow, guards)
    known.set(guards, authority)
  }
  return authority
}

const createStrongest = (): Map<readonly SenderGuard[], Authority | null> => new Map()

const strongestOf = (flow: Flow, guards: readonly SenderGuard[]): Authority | null => {
  let found: Authority | null = null
  for (const guard of guards) {
    const authority = authorityOf(flow, guard)
    if (authority === 'role') return authority
    if (found === null || found === 'record') found = authority ?? found
  }
  return found
}

/** Not everybody gets to `op`, nor whoever opens a record for themselves: it takes what no outsider can give themselves. */
export const isProtected = (flow: Flow, op: Op, counts: Counts = allCount): boolean => {
  const authority = authorityAt(flow, op, counts)
  return authority !== null && !ofAnybody.has(authority)
}

/** Something asks who is calling, now and of everybody: whoever owns a record will do. */
export const isCallerAsked = (flow: Flow, op: Op, counts: Counts = allCount): boolean => {
  const authority = authorityAt(flow, op, counts)
  return authority !== null && authority !== 'later' && authority !== 'debt'
}

/** Only one account gets to `op`, and no list of members, nor whomever another contract admits. */
export const isForOne = (flow: Flow, op: Op): boolean => authorityAt(flow, op, isOfOne) === 'role'

const isOfOne = ({ against, places }: SenderGuard): boolean =>
  against !== 'keyed' && against !== 'external' && places.every(({ index }) => index === null)

const ofAnybody: ReadonlySet<Authority> = new Set(['record', 'debt', 'later'])

const authorityOf = (flow: Flow, guard: SenderGuard): Authority | null => {
  const known = flow.answer(createAuthorities)
  let authority = known.get(guard)
  if (authority === undefined) {
    authority = findAuthority(flow, guard)
    known.set(guard, authority)
  }
  return authority
}

const createAuthorities = (): Map<SenderGuard, Authority | null> => new Map()

const findAuthority = (flow: Flow, guard: SenderGuard): Authority | null => {
  if (isBroken(flow.contractFlow, guard)) return isOfRecord(flow, guard) ? 'record' : null
  if (guard.against === 'signature') return 'consent'
  if (isRole(flow, guard)) return 'role'
  return guard.against === 'unknown' ? 'unread' : 'granted'
}

/** `lots[id].seller == msg.sender`, `shares[msg.sender] > 0`: what somebody has entered for themselves, and no list of members. */
const isOfRecord = (flow: Flow, { against, places }: SenderGuard): boolean => {
  if (against === 'keyed') return !places.every((place) => isMembership(flow, place))
  return against === 'state' && places.every(({ index, parent }) => index !== null || parent !== null)
}

/** Only those who hold a role get here: a guard that no outsider can satisfy or set. */
export const roleAt = (flow: Flow, op: Op): SenderGuard | null => {
  const guards = senderGuardsAt(flow, op)
  if (guards.length === 0) return null
  const known = flow.answer(createRoles)
  let role = known.get(guards)
  if (role === undefined) {
    role = guards.find((guard) => !isBroken(flow.contractFlow, guard) && isRole(flow, guard)) ?? null
    known.set(guards, role)
  }
  return role
}

const createRoles = (): Map<readonly SenderGuard[], SenderGuard | null> => new Map()

/** The guard asks for a role, whether or not an outsider can come by it: not for an amount, nor for what somebody owns. */
export const isRole = (flow: Flow, { against, places, op }: SenderGuard): boolean => {
  switch (against) {
    case 'keyed':
      return places.every((place) => isMembership(flow, place))
    case 'external':
      return !isAmountAsked(flow, op) && !isOwnershipAsked(flow, op)
    case 'unknown':
      // Of a function that is not among the files nothing is known; a modifier is there to keep somebody out.
      return op.operator === 'modifier'
    default:
      return true
  }
}

/** Yes or no, not how much: everything that is ever written there marks somebody as in or out. */
const isMembership = (flow: Flow, place: Location): boolean => {
  if (place.type?.kind === 'bool') return true
  return flow.contractFlow.answerAt(place, holdsMarks)
}

const holdsMarks = (contractFlow: ContractFlow, place: Location): boolean => {
  const writes = contractFlow.writersTo(place)
  const known = new Map<Op, boolean>()
  return writes.length > 0 && writes.every(({ op }) => isMark(place.variable!, stripCasts(partFor(place, op)), known))
}

/** A constant, or where the entry stands in a list: the length that it was added at, or the place of another that was moved there. */
const isMark = (variable: VariableModel, value: Op, known: Map<Op, boolean>): boolean => {
  if (value.kind === 'const') return true
  if (value.kind === 'load') return value.location.part === 'length' || value.location.variable === variable
  if (value.kind !== 'bin' || (value.operator !== '+' && value.operator !== '-')) return false
  let answer = known.get(value)
  if (answer === undefined) {
    answer = value.args.every((side) => isMark(variable, stripCasts(side), known))
    known.set(value, answer)
  }
  return answer
}

/** `require(token.balanceOf(msg.sender) > n)`: whoever holds enough. */
const isAmountAsked = (flow: Flow, check: Op): boolean => {
  const condition = check.kind === 'assume' ? stripCasts(check.args[0]) : check
  if (condition.kind !== 'bin') return false
  return condition.args.some((side) => {
    const value = stripCasts(side)
    return (value.kind === 'call' || value.kind === 'extract') && flow.typeOf(value)?.kind === 'int'
  })
}

/** `require(nft.ownerOf(id) == msg.sender)`, `require(nft.isOwner(msg.sender, id))`: whoever owns the record that the caller names. */
const isOwnershipAsked = (flow: Flow, check: Op): boolean => {
  const condition = check.kind === 'assume' ? stripCasts(check.args[0]) : check
  const sides = condition.kind === 'bin' ? condition.args : [condition]
  return sides.some((side) => {
    const value = stripCasts(side)
    const asked = value.kind === 'extract' ? value.args[0] : value
    if (asked.kind !== 'call' || asked.call.kind !== 'external') return false
    return asked.args.some((arg) => (taintOf(flow, arg) & Source.param) !== 0)
  })
}

/** `IVault(msg.sender).owner()`: a question to the sender itself, which answers what it likes. */
export const asksCaller = ({ kind, call }: Op): boolean =>
  kind === 'call' && call.kind === 'external' && call.target !== null && isCaller(call.target)

/** The sender, also converted to an interface whose file is missing. */
const isCaller = (value: Op): boolean => {
  const op = stripCasts(value)
  if (isSender(op)) return true
  if (op.kind !== 'call' || op.call.definition !== null || op.call.target !== null) return false
  const [converted, ...others] = op.args
  return converted !== undefined && others.length === 0 && isSender(converted)
}

/**
 * The number itself is chosen by a role, not only the moment. A contract of the same protocol that this one calls too
 * passes on what outsiders tell it, so its numbers are theirs.
 */
export const isChosenByRole = (flow: Flow, at: Op): boolean => {
  const role = roleAt(flow, at)
  return role !== null && !role.places.some((place) => isSister(flow, place))
}

/** State that holds a contract which is called somewhere: its type says so, or a call does. */
const isSister = (flow: Flow, place: Location): boolean => {
  if (place.type?.kind === 'contract') return true
  if (place.depth > 0 || place.variable === null) return false
  return flow.contractFlow.answer(calledVariables).has(place.variable)
}

const calledVariables = ({ flows }: Flow['contractFlow']): ReadonlySet<object> => {
  const called = new Set<object>()
  for (const flow of flows)
    for (const { call } of flow.externalCalls()) {
      const target = call.target === null ? null : stripCasts(call.target)
      if (call.kind === 'external' && target?.kind === 'load' && target.location.variable !== null)
        called.add(target.location.variable)
    }
  return called
}
