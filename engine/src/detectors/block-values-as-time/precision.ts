import { dependsOn, endsInRevert, guardsAt } from '../../facts/index.ts'
import { isBlockNumber, isSelf, outgoingOf } from '../../idioms/index.ts'
import { addendsOf, budget, isBefore, isEquality, type Op, stripCasts } from '../../ir/index.ts'
import { type Decision, isFixedMoment } from './decision.ts'

/** A proposer shifts a timestamp by seconds: over a quarter of an hour that decides nothing. */
const longPeriod = 15n * 60n

/** One second decides: an exact moment, one written into the code, what is left of the time, or who gets all that the contract holds. */
export const isExact = (decision: Decision): boolean =>
  isExactSecond(decision) || decision.op.args.some(isFixedMoment) || isRemainder(decision.time) || decidesPot(decision)

/** `now == end`; the number of a day, an epoch or a phase stays the same for as long as that lasts. */
const isExactSecond = (decision: Decision): boolean =>
  isEquality(decision.op.operator) &&
  !isBlockNumber(decision.time) &&
  !isPeriod(decision.time) &&
  !isOncePerBlock(decision)

/** `require(opened != now)`: nobody gains by the one block that is turned away. */
const isOncePerBlock = ({ flow, op }: Decision): boolean => {
  const branches = flow.branchesOn(op)
  const isRequired = flow.usersOf(op).some(({ kind }) => kind === 'assume')
  if (op.operator === '!=') return isRequired || branches.some(({ succs }) => endsInRevert(flow, succs[1]!))
  return !isRequired && branches.some(({ succs }) => endsInRevert(flow, succs[0]!))
}

/** Divided by a period, or cut down to the start of one (`now - now % week`), somewhere on the path from the clock. */
const isPeriod = (time: Op, depth = 0): boolean => {
  if (depth > budget.depth.decision || (time.kind !== 'bin' && time.kind !== 'phi' && time.kind !== 'select'))
    return false
  if (time.operator === '/' || (time.operator === '-' && stripCasts(time.args[1]!).operator === '%')) return true
  return time.args.some((arg) => isBefore(arg, time) && isPeriod(stripCasts(arg), depth + 1))
}

/** `now % 2`; within rounds of minutes, or of days, a second decides nothing. */
const isRemainder = ({ kind, operator, args }: Op): boolean => {
  const modulus = kind === 'bin' && operator === '%' ? stripCasts(args[1]).constant : null
  return modulus !== null && modulus < longPeriod && !isPeriod(stripCasts(args[0]!))
}

/** A pot goes to one of several, and the time says to which; what is recorded for an account waits for it a second longer. */
const decidesPot = ({ flow, op, time }: Decision): boolean =>
  !isPeriod(time) &&
  outgoingOf(flow).some(
    (payment) =>
      payment.asset === 'ether' &&
      guardsAt(flow, payment.op).some(({ condition }) => dependsOn(flow, condition, (part) => part === op)) &&
      dependsOn(flow, payment.amount, isBalance),
  )

const isBalance = ({ kind, operator, args }: Op): boolean =>
  kind === 'builtin' && operator === 'balance' && args.some(isSelf)

/** `block.timestamp > start + 7 days` */
export const isOverLongPeriod = ({ op, time, other }: Decision): boolean =>
  !isEquality(op.operator) && [time, other].some((side) => partsOf(side).some(isLong))

const partsOf = (side: Op): readonly Op[] => {
  const op = stripCasts(side)
  return op.kind === 'bin' && op.operator === '-' ? op.args.flatMap(addendsOf) : addendsOf(op)
}

const isLong = (part: Op): boolean => {
  const { constant } = stripCasts(part)
  return constant !== null && constant >= longPeriod && constant < 1_000_000_000n
}
