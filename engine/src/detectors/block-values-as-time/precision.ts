import { outgoingOf } from '../../idioms/index.ts'
import { addendsOf, isEquality, type Op, stripCasts } from '../../ir/index.ts'
import { type Decision, isFixedMoment } from './decision.ts'

/** A proposer shifts a timestamp by seconds: over a quarter of an hour that decides nothing. */
const longPeriod = 15n * 60n

/** ETH or tokens move by it, or it must hold at one exact second or at a moment written into the code. */
export const isExact = (decision: Decision): boolean =>
  isEquality(decision.op.operator) || decision.op.args.some(isFixedMoment) || decidesAssets(decision)

const decidesAssets = ({ flow, op }: Decision): boolean =>
  flow.isPayable || !flow.isEntryPoint || outgoingOf(flow).some((payment) => flow.canFollow(op, payment.op))

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
