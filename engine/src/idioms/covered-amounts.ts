/** What is created for the caller is held to something: to a limit for all of it, or to what the caller has to cover it. */
import {
  dependsOn,
  type Fact,
  guardsAt,
  isCallerChecked,
  isCallersNumber,
  isDemandedAfter,
  isSender,
  outsiderCanSetPlace,
  parametersIn,
  relationsAt,
  relationsOf,
  stateReadsOf,
  trendOf,
} from '../facts/index.ts'
import {
  type CallOp,
  type Flow,
  type Location,
  mayOverlap,
  type Op,
  type StoreOp,
  sameValue,
  stripCasts,
} from '../ir/index.ts'
import type { Expression } from '../syntax/index.ts'
import { keysOf, raisedBy } from './entries.ts'
import type { UnprotectedOp } from './unprotected-ops.ts'

/** Both are worked out from one number: the one from the other, or both from what the caller says. */
export const isRelated = (flow: Flow, value: Op, amount: Op): boolean =>
  dependsOn(flow, amount, (part) => part === stripCasts(value)) ||
  dependsOn(flow, value, (part) => part === amount || parametersIn(flow, amount).has(part))

/**
 * `debt[msg.sender] += amount; require(collateral[msg.sender] >= debt[msg.sender])`: what goes on the caller's record for it is held against
 * something else of theirs. Wherever the function ends, a condition of both has held that fails as the record grows, and they had no say in it.
 */
export const isCovered = ({ flow, op, account, amount }: UnprotectedOp): boolean => {
  if (account !== null || amount === null) return false
  const ends = flow.ops('return').filter((end) => flow.canFollow(op, end))
  return ends.length > 0 && flow.stateStores().some((store) => isHeldToCover(flow, store, amount, ends))
}

const isHeldToCover = (flow: Flow, store: StoreOp, amount: Op, ends: readonly Op[]): boolean => {
  const raised = keysOf(store.location).some(isSender) ? (raisedBy(store) ?? addedBy(store)) : null
  if (raised === null || !isRelated(flow, raised, amount)) return false
  const isRecord = (part: Op): boolean =>
    part === store.args[0] ||
    (part.kind === 'load' && mayOverlap(part.location, store.location) && flow.canFollow(store, part))
  const isCover = (part: Op): boolean =>
    part.kind === 'load'
      ? keysOf(part.location).some(isSender) && !mayOverlap(part.location, store.location)
      : part.kind === 'call' && part.args.some((arg) => isSender(arg))
  const isLimit = ({ condition, polarity }: Fact): boolean =>
    trendOf(condition, isRecord) === (polarity ? -1 : 1) &&
    dependsOn(flow, condition, isCover) &&
    [...parametersIn(flow, condition)].every((given) => parametersIn(flow, raised).has(given))
  return ends.every((end) => guardsAt(flow, end).some(isLimit))
}

/** `settle(); debt += n`: what `settle()` wrote there is not read again. */
const addedBy = ({ node, args }: StoreOp): Op | null => {
  const [value] = args
  const isAdded = value.kind === 'bin' && value.operator === '+' && value.node === node
  return isAdded && (node as Expression | null)?.kind === 'Assignment' ? stripCasts(value.args[1]) : null
}

/** How much is created is held, with all that was created before, to what the caller does not say; or it is one number only. */
export const isLimited = ({ flow, op, account, amount, isCreation }: UnprotectedOp): boolean => {
  if (account !== null || amount === null || !(isCreation || op.kind === 'store')) return false
  const creator = op.kind === 'call' ? op.call.target : null
  const isAmount = (part: Op): boolean => part === amount
  const isCount = (part: Op): boolean => creator !== null && isCountOf(part, creator)
  const isSoFar = (part: Op): boolean =>
    (part.kind === 'load' && isRaisedBy(flow, part.location, amount)) || isCount(part)
  const isOfAnother = (part: Op): boolean =>
    part.kind === 'load' && isRaisedBy(flow, part.location, amount) && isNamedByCaller(flow, part.location)
  const isAnothers = (sides: readonly Op[]): boolean =>
    sides.some((side) => dependsOn(flow, side, isOfAnother)) && !isCallerChecked(flow, op)
  const isHeld = (value: Op, by: Op): boolean => !isCallersNumber(flow, by) && dependsOn(flow, value, isAmount)
  return (
    relationsAt(flow, op).some(
      ({ smaller, greater }) =>
        isHeld(smaller, greater) &&
        (dependsOn(flow, smaller, isSoFar) || isTakenOff(flow, greater, isSoFar)) &&
        !(isAnothers([smaller, greater]) && isOpenToAll(flow, greater)),
    ) ||
    (op.kind === 'store' && isHeldAfter(flow, op))
  )
}

/** `total += amount; require(total <= token.balanceOf(address(this)))` */
const isHeldAfter = (flow: Flow, store: StoreOp): boolean => {
  const [total] = store.args
  return isDemandedAfter(flow, total, store, (condition, comesOut) =>
    relationsOf(condition, comesOut).some(
      ({ smaller, greater }) => !isCallersNumber(flow, greater) && dependsOn(flow, smaller, (part) => part === total),
    ),
  )
}

/** `positions[id].debt`: of a record that may be someone else's. */
const isNamedByCaller = (flow: Flow, place: Location): boolean => {
  const keys = keysOf(place)
  return !keys.some(isSender) && keys.some((key) => isCallersNumber(flow, key))
}

/** Anyone brings such a limit about for themselves; those who did are not checked when it is used up. */
const isOpenToAll = (flow: Flow, limit: Op): boolean =>
  stateReadsOf(flow, limit).some(({ location }) => outsiderCanSetPlace(flow.contractFlow, location))

/** `totalSupply()`: what one account has of it is no count, it can be moved away. */
const isCountOf = (part: Op, token: Op): boolean =>
  part.kind === 'call' && part.call.target !== null && sameValue(part.call.target, token) && !isBalanceQuestion(part)

export const isBalanceQuestion = ({ call }: CallOp): boolean => call.definition?.signature === 'balanceOf(address)'

/** `amount <= cap - minted`; a limit that grows with what was created is none. */
const isTakenOff = (flow: Flow, limit: Op, isMeant: (part: Op) => boolean): boolean =>
  dependsOn(
    flow,
    limit,
    ({ kind, operator, args }) => kind === 'bin' && operator === '-' && dependsOn(flow, args[1]!, isMeant),
  )

const isRaisedBy = (flow: Flow, place: Location, amount: Op): boolean =>
  flow.stateStores().some((store) => {
    const raised = mayOverlap(store.location, place) ? raisedBy(store) : null
    return raised !== null && dependsOn(flow, raised, (part) => part === amount)
  })
