/** Arithmetic that cannot leave its range, because the same amount was checked somewhere else: on another account, or at an earlier test. */

import { canOverflow, isAtLeast, isProtected, relationsAt } from '../facts/index.ts'
import {
  type BinaryOp,
  type ContractFlow,
  type Flow,
  isBefore,
  type LoadOp,
  type Location,
  mayOverlap,
  type Op,
  type StoreOp,
  sameValue,
  stripCasts,
} from '../ir/index.ts'
import type { VariableModel } from '../model/index.ts'
import { isBesides, isEnd, isLoweredAlone, isSameAmount, isSameKind, isTotalOf } from './totals.ts'
import { isPlace } from './wrap-around.ts'

/**
 * The same amount leaves one account as enters another, and the one it leaves is checked: no account outgrows the total.
 * Likewise a total that is checked bounds its parts from above, and a part that is checked bounds its total from below.
 */
export const isConserved = (flow: Flow, op: BinaryOp): boolean => {
  const amount = stripCasts(op.args[1])
  const account = accountOf(op)
  if (account === null) return false
  const partners = flow.answer(checkedChanges).filter((other) => {
    const partner = accountOf(other)!
    if (other === op || partner === account || flow.loopMarkAround(op) !== flow.loopMarkAround(other)) return false
    if (!sameValue(other.args[1], amount)) return false
    if (!isBounding(op.operator, account, other.operator, partner)) return false
    return isBesides(flow, op, other)
  })
  if (partners.length > 0)
    return op.operator === '-'
      ? !flow.contractFlow.answerAt(account, isLoweredAlone)
      : alikeTo(flow, op, account).length <= partners.length
  return isEmptied(flow, op, account, amount)
}

/** `amount = held[who]; held[who] = 0; total -= amount;`: what an account held leaves it and its total as a whole, and once. */
const isEmptied = (flow: Flow, op: BinaryOp, total: Location, amount: Op): boolean => {
  if (op.operator !== '-' || !isPlace(amount)) return false
  const part = amount.location
  if (!isBounding('-', total, '-', part) || flow.loopMarkAround(op) !== flow.loopMarkAround(amount)) return false
  if (!flow.stateStores().some((store) => isEnd(flow, amount, store)) || alikeTo(flow, op, total).length > 1)
    return false
  return isTotalOf(flow.contractFlow, total, part)
}

/** Changes of the same kind of account by the same number that can run in one execution with this one, itself among them. */
const alikeTo = (flow: Flow, op: BinaryOp, account: Location): readonly BinaryOp[] =>
  flow.ops('bin').filter((other) => {
    if (other === op) return true
    const changed = other.operator === op.operator ? accountOf(other) : null
    if (changed === null || !isSameKind(changed, account)) return false
    return isSameAmount(other.args[1], op.args[1]) && isBesides(flow, op, other)
  })

/** Changes of accounts that stay in range for a reason of their own: worked out once, and used by every other change. */
const checkedChanges = (flow: Flow): readonly BinaryOp[] =>
  flow.ops('bin').filter((op) => {
    const account = accountOf(op)
    if (account === null || isAnyNumber(flow, account)) return false
    return op.flag || !canOverflow(flow, op) || isTestedBeforeCall(flow, op)
  })

/** The place in storage that a sum or a difference starts from, as the `entry` of `entry + x`; null for any other operation. */
export const accountOf = (op: Op): Location | null => {
  if (op.operator !== '+' && op.operator !== '-') return null
  const load = stripCasts(op.args[0]!)
  return load.kind !== 'load' || load.location.space === 'memory' ? null : load.location
}

const isBounding = (change: string, account: Location, otherChange: string, partner: Location): boolean => {
  if (change === '+') return otherChange === '-' || keysIn(partner) <= keysIn(account)
  return otherChange === '-' && keysIn(partner) > keysIn(account)
}

/** How many keys lead to it: the parts of a total have more than the total. */
const keysIn = (place: Location): number => {
  let count = 0
  for (let at: Location | null = place; at !== null; at = at.parent)
    if (at.part === 'index' || at.base?.operator === 'keccak256') count++
  return count
}

/** Anyone who wants writes a number of his own there, as with an allowance: it measures nothing. */
const isAnyNumber = ({ contractFlow }: Flow, { variable }: Location): boolean =>
  variable !== null && contractFlow.answer(setByAnyone).has(variable)

const setByAnyone = ({ entryPoints }: ContractFlow): ReadonlySet<VariableModel | null> => {
  const found = new Set<VariableModel | null>()
  for (const flow of entryPoints)
    for (const store of flow.stateStores())
      if (stripCasts(store.args[0]).kind === 'param' && !isProtected(flow, store)) found.add(store.location.variable)
  return found
}

/**
 * The place was tested against the same number, and since then it was only added to or an external call was made. What a
 * callee may do to it meanwhile is reentrancy, another vulnerability with a detector of its own.
 */
export const isTestedBeforeCall = (flow: Flow, op: Op): boolean => {
  if (op.operator !== '-') return false
  const [from, taken] = op.args.map(stripCasts) as [Op, Op]
  return isPartOfEarlier(flow, op, from, taken) || isTestedPlace(flow, op, taken, from)
}

/** What is taken is no more than what the place held when it was read before, as in `min(requested, balance)`, and since then it was only added to. */
const isPartOfEarlier = (flow: Flow, op: Op, load: Op, taken: Op): boolean => {
  if (load.kind !== 'load' || load.location.space !== 'state') return false
  const place = load.location
  return flow
    .stateLoads()
    .some(
      (earlier) =>
        earlier.location === place &&
        isBefore(earlier, load) &&
        isAtLeast(flow, earlier, taken, op) &&
        flow.dominates(earlier, op) &&
        writesBetween(flow, earlier, load).every(isRaise),
    )
}

/** What is written to a place between two reads of it. */
const writesBetween = (flow: Flow, earlier: Op, load: LoadOp): StoreOp[] =>
  flow
    .stateStores()
    .filter(
      (store) =>
        flow.canFollow(earlier, store) && flow.canFollow(store, load) && mayOverlap(store.location, load.location),
    )

/** `require(bid >= highest)`: the number is at least what the place held when it was read before, and nothing was written since then. */
const isTestedPlace = (flow: Flow, op: Op, load: Op, number: Op): boolean => {
  if (load.kind !== 'load' || load.location.space === 'memory') return false
  const place = load.location
  return relationsAt(flow, op).some(({ greater, smaller }) => {
    const tested = stripCasts(smaller)
    if (tested.kind !== 'load' || tested.location !== place || !sameValue(greater, number)) return false
    return writesBetween(flow, tested, load).length === 0
  })
}

/** `n += x`; whether that wraps is judged there. */
const isRaise = (store: StoreOp): boolean => {
  const value = stripCasts(store.args[0])
  if (value.kind !== 'bin' || value.operator !== '+') return false
  return value.args.some((arg) => {
    const part = stripCasts(arg)
    return part.kind === 'load' && part.location === store.location
  })
}
