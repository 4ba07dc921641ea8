/** What is created for the caller is held to something: to a limit for all of it, or to what the caller has to cover it. */
import {
  dependsOn,
  guardsAt,
  isCallerAsked,
  isCallersNumber,
  isDemandedAfter,
  isSender,
  isUntrusted,
  outsiderCanFillPlace,
  outsiderCanSetPlace,
  parametersIn,
  type Relation,
  relationsAt,
  relationsOf,
  saysSo,
  stateReadsOf,
} from '../../facts/index.ts'
import { isHash, keysOf, raisedBy } from '../../idioms/index.ts'
import {
  bothWays,
  type CallOp,
  type Flow,
  type Location,
  mayOverlap,
  type Op,
  type StoreOp,
  sameValue,
  stripCasts,
} from '../../ir/index.ts'
import type { Candidate } from './candidate.ts'

/** Both are worked out from one number: the one from the other, or both from what the caller says. */
export const isRelated = (flow: Flow, value: Op, amount: Op): boolean =>
  dependsOn(flow, amount, (part) => part === stripCasts(value)) ||
  dependsOn(flow, value, (part) => part === amount || parametersIn(flow, amount).has(part))

/** How much is created is held, with all that was created before, to what the caller does not say; or it is one number only. */
export const isLimited = ({ flow, op, account, amount, isCreation }: Candidate): boolean => {
  if (account !== null || amount === null || !(isCreation || op.kind === 'store')) return false
  const creator = op.kind === 'call' ? op.call.target : null
  const isAmount = (part: Op): boolean => part === amount
  const isCount = (part: Op): boolean => creator !== null && isCountOf(part, creator)
  const isSoFar = (part: Op): boolean =>
    (part.kind === 'load' && isRaisedBy(flow, part.location, amount)) || isCount(part)
  const isOfAnother = (part: Op): boolean =>
    part.kind === 'load' && isRaisedBy(flow, part.location, amount) && isNamedByCaller(flow, part.location)
  const isAnothers = (sides: readonly Op[]): boolean =>
    sides.some((side) => dependsOn(flow, side, isOfAnother)) && !isCallerAsked(flow, op)
  const isHeld = (value: Op, by: Op): boolean => !isCallersNumber(flow, by) && dependsOn(flow, value, isAmount)
  return (
    relationsAt(flow, op).some(
      ({ smaller, greater }) =>
        isHeld(smaller, greater) &&
        (dependsOn(flow, smaller, isSoFar) || isTakenOff(flow, greater, isSoFar)) &&
        !(isAnothers([smaller, greater]) && isOpenToAll(flow, greater)),
    ) ||
    (isCreation === true &&
      guardsAt(flow, op).some(({ condition, polarity }) => {
        if (condition.kind !== 'bin' || condition.operator !== (polarity ? '==' : '!=')) return false
        return bothWays(condition).some(([one, other]) => isHeld(one, other))
      })) ||
    (creator !== null && isCountedAfter(flow, op, isCount)) ||
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

/** `positions[id].debt`: of a record that may be somebody else's. */
const isNamedByCaller = (flow: Flow, place: Location): boolean => {
  const keys = keysOf(place)
  return !keys.some(isSender) && keys.some((key) => isCallersNumber(flow, key))
}

/** Anybody brings such a limit about for themselves; those who did are not asked when it is used up. */
const isOpenToAll = (flow: Flow, limit: Op): boolean =>
  stateReadsOf(flow, limit).some(({ location }) => outsiderCanSetPlace(flow.contractFlow, location))

/** `require(votes[keccak256(abi.encode(to, amount))] >= quorum)`: only those who may have put down that so much is due. */
export const isPutDown = ({ flow, op, amount }: Candidate): boolean => {
  if (amount === null || !flow.ops('builtin').some(isHash)) return false
  const isNamedAfter = (key: Op): boolean => isHash(key) && dependsOn(flow, key, (part) => part === amount)
  return guardsAt(flow, op).some(({ condition }) =>
    stateReadsOf(flow, condition).some(
      ({ location }) =>
        keysOf(location).some((key) => isNamedAfter(stripCasts(key))) &&
        !outsiderCanFillPlace(flow.contractFlow, location),
    ),
  )
}

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

/** `token.mint(to, amount); require(token.totalSupply() <= cap)` */
const isCountedAfter = (flow: Flow, op: Op, isCount: (part: Op) => boolean): boolean =>
  flow
    .externalCalls()
    .some(
      (count) =>
        isCount(count) &&
        flow.canFollow(op, count) &&
        isDemandedAfter(flow, count, op, (condition, comesOut) =>
          relationsOf(condition, comesOut).some(
            ({ smaller, greater }) =>
              !isCallersNumber(flow, greater) && dependsOn(flow, smaller, (part) => part === count),
          ),
        ),
    )

const isRaisedBy = (flow: Flow, place: Location, amount: Op): boolean =>
  flow.stateStores().some((store) => {
    const raised = mayOverlap(store.location, place) ? raisedBy(store) : null
    return raised !== null && dependsOn(flow, raised, (part) => part === amount)
  })

/** It is added to what the caller owes, and what they owe from then on is covered by something else. */
export const isOwed = ({ flow, op, amount, isCreation }: Candidate): boolean =>
  isCreation === true &&
  amount !== null &&
  flow.stateStores().some((debt) => {
    const raised = raisedBy(debt)
    if (raised === null || !isRelated(flow, raised, amount) || !keysOf(debt.location).some(isSender)) return false
    return owedAfter(flow, debt).some((owed) => isCoverAsked(flow, op, owed)) || isCheckedElsewhere(flow, op, debt)
  })

/** What the caller owes once the debt is booked. */
const owedAfter = (flow: Flow, debt: StoreOp): readonly Op[] => [
  debt.args[0],
  ...flow.stateLoads().filter((load) => mayOverlap(load.location, debt.location) && flow.canFollow(debt, load)),
]

/** Whether it is covered is asked before, or else in the end. */
const isCoverAsked = (flow: Flow, op: Op, owed: Op): boolean => {
  const says = (condition: Op, comesOut: boolean): boolean =>
    isAlready(condition, comesOut) ||
    relationsOf(condition, comesOut).some((relation) => isCovered(flow, owed, relation))
  return (
    guardsAt(flow, op).some(
      ({ condition, polarity }) =>
        saysSo(says, condition, polarity) && dependsOn(flow, condition, (part) => part === owed),
    ) || isDemandedAfter(flow, owed, op, says)
  )
}

/** `if (debt == 0) return true`: one of the answers of a helper that tells cases apart. */
const isAlready = ({ kind, constant }: Op, comesOut: boolean): boolean =>
  kind === 'const' && constant === (comesOut ? 1n : 0n)

/** `debt * 2 <= pledged`, `pledged / debt >= 2`; a debt that must not be too small is covered by nothing, nor is one by what the caller says. */
const isCovered = (flow: Flow, owed: Op, { smaller, greater }: Relation): boolean => {
  const isDebt = (part: Op): boolean => part === owed
  const isShare = ({ kind, operator, args }: Op): boolean =>
    kind === 'bin' && operator === '/' && dependsOn(flow, args[1]!, isDebt)
  if (!dependsOn(flow, greater, isDebt)) return dependsOn(flow, smaller, isDebt) && !isCallersNumber(flow, greater)
  return dependsOn(flow, greater, isShare) && !isCallersNumber(flow, smaller)
}

/** `manager.requireHealthy(msg.sender)`: a question that another contract answers by reverting, on every way on from the booking. */
const isCheckedElsewhere = (flow: Flow, op: Op, debt: StoreOp): boolean =>
  flow.externalCalls().some((call) => {
    const { isStatic, target, definition } = call.call
    if (!isStatic || target === null || definition === null || definition.returns.length > 0) return false
    if (!call.args.some(isSender) || isUntrusted(flow, target, call) || !flow.canFollow(debt, call)) return false
    return flow.dominates(call, op) || flow.isFollowedBy(op, call)
  })
