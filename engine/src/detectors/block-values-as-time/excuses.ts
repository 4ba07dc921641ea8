import {
  endsInRevert,
  isForOne,
  isSender,
  partFor,
  principalAt,
  Source,
  senderGuardsAt,
  taintOf,
} from '../../facts/index.ts'
import {
  clockOf,
  isAppointed,
  isBlockOrder,
  isCooldown,
  isForCaller,
  keptIn,
  outgoingOf,
  type Payment,
} from '../../idioms/index.ts'
import {
  addendsOf,
  alternativesOf,
  bothOrders,
  budget,
  type ContractFlow,
  type Flow,
  isAmong,
  isBefore,
  isComparison,
  isEquality,
  isZero,
  type Location,
  type Op,
  sameValue,
  stripCasts,
} from '../../ir/index.ts'
import { excuse } from '../define-detector.ts'
import { type Decision, effectsOf, isFixedMoment, isTypeLimit } from './decision.ts'
import { isTimelock } from './timelock.ts'

/** An excuse for the earlier and the later, not for what must be hit exactly. */
const ofOrder = (name: string, sentence: string, holds: (decision: Decision) => boolean) =>
  excuse<Decision>(name, sentence, (decision) => !isEquality(decision.op.operator) && holds(decision))

/** Why nobody gains by choosing the block, or why it is not about time at all. */
export const excuses = [
  excuse<Decision>(
    'arithmetic',
    'it is a sanity check: the value fits its type, did not overflow, or is set',
    isArithmeticCheck,
  ),
  ofOrder('timelock', 'an operation waits for a configured delay after its request', ({ flow, time, other }) =>
    isTimelock(flow, time, other),
  ),
  ofOrder('callers-span', 'the period starts at a time that the caller names', isCallersSpan),
  ofOrder('cap', 'it takes the minimum or maximum, and the result changes gradually by the second', isCap),
  ofOrder(
    'appointed',
    'a privileged account sets the time, and users are not promised an exact second',
    ({ flow, time, other }) => clockOf(time) !== null && isAppointed(flow, stripCasts(other)),
  ),
  excuse<Decision>(
    'own-schedule',
    'entries of the caller that are not due yet are skipped and stay available',
    isOwnSchedule,
  ),
  excuse<Decision>(
    'for-owner',
    'only privileged accounts act, gain nothing and have no reason to hurry',
    (decision) => isForOwner(decision) && !isPaidAfter(decision),
  ),
  excuse<Decision>('cooldown', 'a configured period has passed since a recorded time', ({ flow, time, other }) =>
    isCooldown(flow, time, stripCasts(other)),
  ),
  excuse<Decision>(
    'block-order',
    'block numbers are ordered, as recorded or minutes later',
    ({ flow, op, time, other }) => isBlockOrder(flow, op, time, stripCasts(other)),
  ),
  excuse<Decision>('last-update', 'the time is the last update, which anyone can refresh in this block', isLastUpdate),
  excuse<Decision>('round', 'it ends a loop that counts up to it', isRound),
  excuse<Decision>('same-block', 'it checks for the same block', isSameBlock),
  excuse<Decision>(
    'freshness',
    'it checks the age of an oracle answer by its timestamp',
    ({ time, other }) => isAge(time) || isStamp(stripCasts(other)),
  ),
]

function isArithmeticCheck(decision: Decision): boolean {
  return (
    isTypeLimit(decision.other) ||
    isSumCheck(decision) ||
    isProductCheck(decision) ||
    isAnyTime(decision) ||
    isFitCheck(decision) ||
    isCheckedDifference(decision)
  )
}

/** `require((z = x + y) >= x)`, `require((z = x - y) <= x)` */
function isSumCheck({ time, other }: Decision): boolean {
  if (time.kind !== 'bin') return false
  if (time.operator === '-') return sameValue(time.args[0], other)
  return time.operator === '+' && isAmong(addendsOf(other), addendsOf(time))
}

/** `require((a * b) / a == b)` */
function isProductCheck({ op }: Decision): boolean {
  return bothOrders(op).some(([quotient, factor]) => {
    const product = quotient.kind === 'bin' && quotient.operator === '/' ? stripCasts(quotient.args[0]) : null
    return product?.kind === 'bin' && product.operator === '*' && product.args.some((arg) => sameValue(arg, factor))
  })
}

/** `elapsed > 0` where the elapsed time is a difference or a multiple of one, or `eta != 0` where it is a moment: whether it is recorded. */
function isAnyTime(decision: Decision): boolean {
  return isZero(decision.other) && (isMomentOrSpan(decision.time) || isRecordedBefore(decision))
}

/** `madeAt[id] = block.number; require(madeAt[id] != 0)` */
const isRecordedBefore = ({ flow, op, time }: Decision): boolean =>
  flow.stateStores().some((store) => stripCasts(store.args[0]) === time && flow.dominates(store, op))

const isMomentOrSpan = (op: Op, depth = 0): boolean => {
  if (op.kind === 'bin') return op.operator === '-' || op.operator === '+' || op.operator === '*'
  if (op.kind !== 'phi' && op.kind !== 'select') return false
  return (
    depth < budget.depth.moment &&
    op.args.some((arg) => isBefore(arg, op) && isMomentOrSpan(stripCasts(arg), depth + 1))
  )
}

/** `now - moment < 1 hours` where the caller names the moment. */
function isCallersSpan({ flow, time: { kind, operator, args } }: Decision): boolean {
  return (
    kind === 'bin' &&
    operator === '-' &&
    args.some((arg) => stripCasts(arg).kind === 'env') &&
    args.some((arg) => (taintOf(flow, arg) & (Source.param | Source.state)) === Source.param)
  )
}

function isCap({ flow, op }: Decision): boolean {
  const sides = op.args.map(stripCasts)
  const isChoice = (choice: Op): boolean => {
    const values = alternativesOf(choice).map(stripCasts)
    return values.length === 2 && values.every((value) => sides.some((side) => sameValue(side, value)))
  }
  const [user, ...users] = flow.usersOf(op)
  const [branch, ...branches] = flow.branchesOn(op)
  if (users.length + branches.length > 0 || (user === undefined) === (branch === undefined)) return false
  if (branch === undefined) return user!.kind === 'select' && isChoice(user!)
  const [yes, no] = branch.succs.map((id) => flow.blocks[id]!)
  if (yes === undefined || no === undefined) return false
  const join = yes.succs[0] === no.id ? no.id : yes.succs[0]
  return join !== undefined && (no.id === join || no.succs[0] === join) && flow.blocks[join]!.phis.some(isChoice)
}

function isOwnSchedule({ flow, op, other }: Decision): boolean {
  for (let at = keptIn(stripCasts(other))?.place ?? null; at !== null; at = at.parent)
    if (at.index !== null && isSender(at.index)) return !isRequired(flow, op)
  return false
}

const isRequired = (flow: Flow, comparison: Op): boolean =>
  flow.usersOf(comparison).some(({ kind }) => kind === 'assume') ||
  flow.branchesOn(comparison).some(({ succs }) => succs.some((succ) => endsInRevert(flow, succ)))

/** `require(b <= a); return a - b;`: who calls it wants a difference and decides nothing about time. */
function isCheckedDifference({ flow, op }: Decision): boolean {
  const { site } = op
  if (isEquality(op.operator) || site?.fn.kind !== 'function' || site.fn.mutability !== 'pure') return false
  return flow.ops('bin').some((difference) => {
    if (difference.operator !== '-' || difference.site !== site || !flow.canFollow(op, difference)) return false
    return difference.args.every((side) => op.args.some((compared) => sameValue(side, compared)))
  })
}

/** `require(now >= updated)`, `require(now == updated)`: nothing but the moment of a block is ever stored there. */
function isLastUpdate({ flow, op, time, other }: Decision): boolean {
  const moment = stripCasts(other)
  if (time.kind !== 'env' || time.operator !== 'block.timestamp' || !isRequired(flow, op)) return false
  if (moment.kind !== 'load' || moment.location.variable === null) return false
  const writes = flow.contractFlow.writersTo(moment.location)
  const isUpdate = (value: Op): boolean => value.kind === 'env' && value.operator === time.operator
  if (!writes.every((write) => isZero(write.op.args[0]) || isUpdate(stripCasts(write.op.args[0])))) return false
  const isTimeLeft = stripCasts(op.args[0]) === time
  if (op.operator === (isTimeLeft ? '>=' : '<=')) return writes.length > 0
  if (op.operator !== '==') return false
  return writes.some(({ flow: writer, op: store }) => writer !== flow && writer.isEntryPoint && isOpen(writer, store))
}

const isOpen = (flow: Flow, op: Op): boolean => principalAt(flow, op) === 'anyone'

/** `now > moment && now - moment > span` */
function isFitCheck({ flow, time, other }: Decision): boolean {
  const clock = clockOf(time)
  const moment = stripCasts(other)
  return (
    clock !== null &&
    flow
      .usersOf(moment)
      .some(
        (user) =>
          user.kind === 'bin' &&
          user.operator === '-' &&
          stripCasts(user.args[1]) === moment &&
          clockOf(stripCasts(user.args[0])) === clock &&
          flow.usersOf(user).some(({ kind, operator }) => kind === 'bin' && isComparison(operator)),
      )
  )
}

/** Any account that is required takes something of value when the moment has come. */
const isPaidAfter = ({ flow, op }: Decision): boolean =>
  outgoingOf(flow).some((payment) => flow.canFollow(op, payment.op) && isForCheckedAccount(flow, payment))

const isForCheckedAccount = (flow: Flow, payment: Payment): boolean => {
  const to = payment.to === null ? null : stripCasts(payment.to)
  if (to?.kind !== 'load' || to.location.variable === null) return isForCaller(payment)
  const { variable } = to.location
  // Which account is required, not whether one is.
  return senderGuardsAt(flow, payment.op).some((guard) => guard.places.some((place) => place.variable === variable))
}

/** Known accounts alone come here, or can do what follows: anyone who builds the block has nothing to gain. */
export function isForOwner({ flow, op }: Decision): boolean {
  if (isForOne(flow, op)) return true
  const isAfter = (effect: Op): boolean => flow.canFollow(op, effect)
  // What comes last is likeliest to come after.
  return (
    flow.answer(effectsOf).findLast(isAfter) !== undefined && flow.answer(openEffects).findLast(isAfter) === undefined
  )
}

/** What others than known accounts can do here. */
const openEffects = (flow: Flow): readonly Op[] => flow.answer(effectsOf).filter((effect) => !isForOne(flow, effect))

function isRound({ flow, op }: Decision): boolean {
  return (
    op.args.some((arg) => stripCasts(arg).kind === 'phi') &&
    flow.ir.loops.some(({ test }) => flow.blocks[test]?.condition === op)
  )
}

/**
 * Compared with a block noted before, and nothing added: whether this still is the same one. Nobody gains by choosing that,
 * unless a stamp that is chosen lets the caller pass or not.
 */
function isSameBlock({ flow, op, time, other }: Decision): boolean {
  const clock = clockOf(time)
  const moment = stripCasts(other)
  const choices = alternativesOf(moment).map(stripCasts)
  const noted = choices.length === 0 ? [moment] : choices.filter((value) => !isZero(value))
  if (clock === null || noted.length === 0) return false
  const isAny = isEquality(op.operator) && !isRequired(flow, op)
  return noted.every((load) => {
    // Behind a pointer, or from another contract: nothing is added to it, and nobody is turned away.
    if (load.location?.variable == null) return isAny && (load.kind === 'load' || load.kind === 'extract')
    if (!flow.contractFlow.answerAt(load.location, clocksNoted).includes(clock)) return false
    return clock === 'block.number' || !isRequired(flow, op)
  })
}

/** The clocks whose own value alone is ever put there. */
const clocksNoted = (contractFlow: ContractFlow, place: Location): readonly string[] => {
  const stores = contractFlow.writersTo(place).filter((write) => !isZero(write.op.args[0]))
  return clocks.filter(
    (clock) =>
      stores.some((write) => stripCasts(partFor(place, write.op)).kind !== 'const') &&
      stores.every((write) => isNoted(stripCasts(partFor(place, write.op)), clock)),
  )
}

const clocks = ['block.timestamp', 'block.number']

/** The block's own value, or at least it. */
const isNoted = (value: Op, clock: string): boolean => {
  if (value.kind === 'env') return value.operator === clock
  // An upgrade notes a moment that is past.
  if (value.kind === 'const') return isFixedMoment(value)
  if (value.kind !== 'select' && value.kind !== 'phi') return false
  return value.args.some((arg) => {
    const part = stripCasts(arg)
    return part.kind === 'env' && part.operator === clock
  })
}

const isAge = (op: Op): boolean => op.kind === 'bin' && op.operator === '-' && isStamp(stripCasts(op.args[1]))

const isStamp = (op: Op): boolean => {
  if (op.kind === 'bin' && op.operator === '+') return op.args.some((arg) => isStamp(stripCasts(arg)))
  const call = op.kind === 'extract' ? op.args[0].call : null
  return call?.kind === 'external' && call.isStatic
}
