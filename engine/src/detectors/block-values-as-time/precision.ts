import { dependsOn } from '../../facts/index.ts'
import { outgoingOf } from '../../idioms/index.ts'
import { addendsOf, isEquality, type Op, stripCasts } from '../../ir/index.ts'
import { type Decision, isFixedMoment } from './decision.ts'

/** A proposer shifts a timestamp by seconds: over a quarter of an hour that decides nothing. */
const longPeriod = 15n * 60n

/** One second decides: an exact moment, one written into the code, what is left of the time, or who gets all that the contract holds. */
export const isExact = (decision: Decision): boolean =>
  isEquality(decision.op.operator) ||
  decision.op.args.some(isFixedMoment) ||
  isRemainder(decision.time) ||
  decidesPot(decision)

/** `now % 2` */
const isRemainder = ({ kind, operator }: Op): boolean => kind === 'bin' && operator === '%'

/** A pot goes to one of several, and the time says to which; what is recorded for an account waits for it a second longer. */
const decidesPot = ({ flow, op }: Decision): boolean =>
  outgoingOf(flow).some(
    (payment) =>
      payment.asset === 'ether' && flow.canFollow(op, payment.op) && dependsOn(flow, payment.amount, isBalance),
  )

const isBalance = ({ kind, operator }: Op): boolean => kind === 'builtin' && operator === 'balance'

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
