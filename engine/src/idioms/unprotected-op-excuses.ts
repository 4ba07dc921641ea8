/** Why what looks open is not. */
import {
  demandAt,
  dependsOn,
  guardsAt,
  isCallersNumber,
  isKeyedBySender,
  isProtected,
  isSender,
  isUntrusted,
  queriesCaller,
  relationsAt,
  runsOnce,
  senderGuardsAt,
  someFactAt,
} from '../facts/index.ts'
import {
  type CallOp,
  type Flow,
  isZero,
  type Op,
  type StoreOp,
  sameValue,
  sameValueOrPlace,
  stripCasts,
} from '../ir/index.ts'
import type { VariableModel } from '../model/index.ts'
import { isBalanceQuestion, isCovered, isLimited, isRelated } from './covered-amounts.ts'
import { keysOf, loweredBy } from './entries.ts'
import { isOpenWithoutGrant } from './grants.ts'
import { hasIncomingPayment, incomingOf, isPaid, paymentsOf } from './ledger.ts'
import { isDemandedBack } from './loans.ts'
import { isRepayment } from './owed.ts'
import { isMessageValue } from './paid-ether.ts'
import { proofOf } from './proofs.ts'
import { isOwnTokenBalance, tokenCallOf } from './token-calls.ts'
import { onePer, type Question, type UnprotectedOp } from './unprotected-ops.ts'

/** A condition, a record or a call speaks of the account and of the caller, and stops who was granted nothing: an approval, an allowance, an equality. */
const isConsented = ({ flow, op, account }: UnprotectedOp): boolean =>
  account !== null &&
  ((flow.answerAbout(account, isNamedWithSender) && !isOpenWithoutGrant(flow, op, account)) ||
    flow.answerAbout(account, callsWithSender).some((call) => call !== op))

const isNamedWithSender = (flow: Flow, account: Op): boolean => {
  const isAccount = (value: Op): boolean => sameValueOrPlace(value, account)
  const isOthersWord = (value: Op): boolean => value.kind === 'call' && isNamedByCaller(value, account)
  return (
    flow
      .answer(conditionsOnSender)
      .some(
        (condition) =>
          dependsOn(flow, condition, isAccount, { keys: true }) && !dependsOn(flow, condition, isOthersWord),
      ) || flow.answer(keysWithSender).some((keys) => keys.some(isAccount))
  )
}

const conditionsOnSender = (flow: Flow): readonly Op[] =>
  conditionsOf(flow).filter((condition) => dependsOn(flow, condition, isSender, { keys: true }))

const keysWithSender = (flow: Flow): readonly (readonly Op[])[] =>
  [...flow.stateStores(), ...flow.stateLoads()]
    .map(({ location }) => keysOf(location))
    .filter((keys) => keys.some(isSender))

const callsWithSender = (flow: Flow, account: Op): readonly CallOp[] =>
  flow
    .ops('call')
    .filter(
      (call) =>
        call.args.some((arg) => sameValueOrPlace(arg, account)) &&
        call.args.some((arg) => isSender(arg)) &&
        !isNamedByCaller(call, account),
    )

/** `to.onReceived(msg.sender, from)`: a contract that the caller names, or is, agrees to anything; it is not the account. */
const isNamedByCaller = ({ call }: CallOp, account: Op): boolean => {
  const target = call.target === null ? null : stripCasts(call.target)
  return target !== null && target !== account && (target.kind === 'param' || isSender(target))
}

/** What is on record of the account elsewhere decides whether it may be taken from: a debt, a term, a signature. */
const isAllowedByRecord = ({ flow, op, account }: UnprotectedOp): boolean =>
  account !== null && someFactAt(flow, op, flow.answerAbout(account, recordsBeside)(op.location?.variable ?? null))

/** One question for each account and variable, so that each condition is evaluated once. */
const recordsBeside = (_: Flow, account: Op): ((variable: VariableModel | null) => Question) =>
  onePer((variable) => (flow, { condition }) => {
    const isAccount = (key: Op): boolean => sameValueOrPlace(key, account)
    const isRecord = (value: Op): boolean =>
      (value.kind === 'load' && value.location.variable !== variable && keysOf(value.location).some(isAccount)) ||
      (value.kind === 'call' && value.args.some(isAccount)) ||
      (value.kind === 'builtin' && value.operator === 'ecrecover')
    return dependsOn(flow, condition, isRecord)
  })

/** What goes down is what the account owes, and the caller brings as much of the token that was lent, at whatever rate. */
const isRepaid = ({ flow, op, account, amount }: UnprotectedOp): boolean =>
  account !== null &&
  amount !== null &&
  op.kind === 'store' &&
  incomingOf(flow).some(
    (payment) =>
      dependsOn(flow, amount, (part) => sameValue(part, payment.amount)) && isRepayment(flow, op.location, payment),
  )

/** What is on record decides who comes next, anyone who asks: nobody stands there yet, or a term is over. */
const isDecidedByRecord = ({ flow, op, account, amount, isMembership }: UnprotectedOp): boolean =>
  isMembership === undefined &&
  account === null &&
  amount === null &&
  op.kind === 'store' &&
  demandAt(flow, op) === 'vacancy'

/** The caller itself comes in, for what it shows: the solution of a puzzle, a proof, a better offer. */
const isEarned = ({ flow, op, account, amount }: UnprotectedOp): boolean => {
  if (account !== null || amount !== null || op.kind !== 'store' || !isSender(op.args[0])) return false
  const demand = demandAt(flow, op)
  return demand === 'proof' || demand === 'offer'
}

/** What the caller brings is held against the amount, or is as much; of a single token, against what is on record under its id. */
const isDepositedFor = (flow: Flow, amount: Op): boolean => {
  if (!hasIncomingPayment(flow)) return false
  const deposited = new Set(incomingOf(flow).map((payment) => stripCasts(payment.amount)))
  const isDeposited = (value: Op): boolean => isMessageValue(value) || deposited.has(value)
  const isAmount = (value: Op): boolean => sameValue(value, amount) || isOfSameList(value, amount)
  return (
    [...deposited].some(
      (value) => dependsOn(flow, value, isAmount, { keys: true }) || dependsOn(flow, amount, (part) => part === value),
    ) ||
    conditionsOf(flow).some(
      (check) => dependsOn(flow, check, isDeposited) && dependsOn(flow, check, isAmount, { keys: true }),
    )
  )
}

/** Elements that two loops go through: `for (i) sum += amounts[i]`, and once more to hand them out. */
const isOfSameList = (value: Op, amount: Op): boolean => {
  const [one, other] = [stripCasts(value), stripCasts(amount)]
  return (
    one.kind === 'load' &&
    other.kind === 'load' &&
    one.location.index?.kind === 'phi' &&
    other.location.index?.kind === 'phi' &&
    one.location.parent === other.location.parent &&
    one.location.base === other.location.base
  )
}

/** `require(token.balanceOf(address(this)) - recorded >= amount)`, and what was found is recorded: it came in before, and counts once. */
const isFound = (flow: Flow, op: Op, amount: Op): boolean => {
  const isRecorded = (part: Op): boolean =>
    part.kind === 'load' && flow.stateStores().some(({ location }) => location === part.location)
  return relationsAt(flow, op).some(
    ({ smaller, greater }) =>
      dependsOn(flow, smaller, (part) => part === amount) &&
      dependsOn(flow, greater, isOwnTokenBalance) &&
      [smaller, greater].some((side) => dependsOn(flow, side, isRecorded)),
  )
}

/** Everything that is checked on some path. */
const conditionsOf = (flow: Flow): readonly Op[] => [
  ...flow.blocks.flatMap(({ condition }) => (condition === null ? [] : [condition])),
  ...flow.ops('assume').map(({ args }) => args[0]),
]

/** The caller pays a price for the right, and comes in for it; anyone on a list may have been put there by who pays. */
const isRightPaidFor = ({ flow, op, account, amount, isMembership }: UnprotectedOp): boolean =>
  account === null &&
  amount === null &&
  op.kind === 'store' &&
  hasIncomingPayment(flow) &&
  (isMembership === true || (isSender(op.args[0]) && isPriced(flow, op)))

/**
 * What one entry gains another loses, or the caller pays for it, here or in a contract that takes from them: it is taken from them
 * and of how much, in units of its own, and they did not choose it.
 */
const isAmountPaidFor = ({ flow, op, account, amount }: UnprotectedOp): boolean => {
  if (account !== null || amount === null) return false
  if (isDepositedFor(flow, amount) || isFound(flow, op, amount)) return true
  // Of what is paid for, a part is credited: `shares - minimum`.
  const isPart = amount.kind === 'bin' && amount.operator === '-' && amount.flag
  if (isPart && isDepositedFor(flow, stripCasts(amount.args[0]))) return true
  const isLess = (part: Op): boolean =>
    part.kind === 'bin' && part.operator === '-' && isRelated(flow, part.args[1]!, amount)
  const isLowered = (store: StoreOp): boolean => {
    const lowered = store === op ? null : loweredBy(store)
    if (lowered !== null) return isRelated(flow, lowered, amount)
    // A history of the caller's own: `push(time, latest - amount)`.
    return store !== op && isKeyedBySender(store.location) && dependsOn(flow, store.args[0], isLess)
  }
  const isTaken = (call: CallOp): boolean =>
    call.start !== op.start &&
    !call.call.isStatic &&
    !isSameFunction(call, op) &&
    call.args.some((arg) => isSender(arg)) &&
    call.args.some((arg) => isRelated(flow, arg, amount)) &&
    (call.call.target === null || !isUntrusted(flow, call.call.target, call))
  return flow.stateStores().some(isLowered) || flow.externalCalls().some(isTaken)
}

/** The caller pays a price that they do not choose: `require(msg.value >= price)`, or so many of their tokens are taken. `msg.value > 0` asks for any amount. */
const isPriced = (flow: Flow, op: Op): boolean =>
  guardsAt(flow, op).some(
    ({ condition }) => isNumberRequired(condition) && dependsOn(flow, condition, isMessageValue),
  ) || paymentsOf(flow).some(({ from, amount }) => from !== null && isSender(from) && !isCallersNumber(flow, amount))

const isNumberRequired = (condition: Op): boolean =>
  condition.kind === 'bin' && condition.operator !== '&&' && !condition.args.some((side) => isZero(stripCasts(side)))

/** What the one gives the other does not take. */
const isSameFunction = ({ call }: CallOp, op: Op): boolean =>
  op.kind === 'call' && call.definition !== null && call.definition === op.call.definition

/** Another contract is given who receives it or of how much, and its answer decides; or a function does that was not followed. */
const isAnswered = ({ flow, op, account, amount }: UnprotectedOp): boolean => {
  if (account !== null || amount === null) return false
  const receivers = op.kind === 'store' ? keysOf(op.location) : [stripCasts(op.args[0]!)]
  const isPassedTo = (call: CallOp): boolean => {
    const { target } = call.call
    if (tokenCallOf(call) !== null || isBalanceQuestion(call)) return false
    if (target !== null && isUntrusted(flow, target, op)) return false
    return call.args.some((arg) => dependsOn(flow, arg, (part) => part === amount || receivers.includes(part)))
  }
  const isAnswer = (part: Op): boolean => part.kind === 'unknown' || (part.kind === 'call' && isPassedTo(part))
  return guardsAt(flow, op).some(({ condition }) => dependsOn(flow, condition, isAnswer))
}

const excuse = (name: string, sentence: string, holds: (candidate: UnprotectedOp) => boolean) => ({
  name,
  sentence,
  holds,
})

/** Each detector names those that can hold for what it claims. */
export const unprotectedOpExcuses = {
  callerChecked: excuse(
    'caller-checked',
    '`msg.sender` is checked against state, a list or a signature first',
    ({ flow, op, isOfOthers, isCreation, isTakeover }) =>
      (isOfOthers || isCreation || isTakeover ? isProtected(flow, op) : true) &&
      senderGuardsAt(flow, op).some((guard) => !dependsOn(flow, guard.op, queriesCaller)),
  ),
  runsOnce: excuse('runs-once', 'the function only works until the value is set once', ({ flow, op }) =>
    runsOnce(flow, op),
  ),
  accountConsented: excuse('account-consented', 'the account approved the caller, or is the caller', isConsented),
  allowedByRecord: excuse(
    'allowed-by-record',
    'a record of the debited account decides whether it may be debited',
    isAllowedByRecord,
  ),
  repaid: excuse('repaid', 'the debit repays a debt of the account, and the caller supplies the assets', isRepaid),
  decidedByRecord: excuse('decided-by-record', 'the stored record determines the next holder', isDecidedByRecord),
  earned: excuse('earned', 'the caller proves eligibility with a solution or a proof', isEarned),
  paidToTheAccount: excuse(
    'paid-to-the-account',
    'the debited amount is paid to the same account',
    ({ flow, account }) => account !== null && isPaid(flow, account),
  ),
  rightPaidFor: excuse('paid-for', 'the caller pays a set price for the right', isRightPaidFor),
  amountPaidFor: excuse(
    'paid-for',
    'the caller pays for it, or another balance decreases by the same amount',
    isAmountPaidFor,
  ),
  answered: excuse('answered', 'a contract that receives the recipient or the amount decides', isAnswered),
  covered: excuse(
    'covered',
    'the amount goes on a record of the caller that must stay covered by other records',
    isCovered,
  ),
  loan: excuse(
    'loan',
    'what is paid out must be back before the call ends',
    ({ flow, op, isCreation }) => op.kind === 'call' && !isCreation && isDemandedBack(flow, op),
  ),
  limited: excuse('limited', 'the total created this way is capped', isLimited),
  proven: excuse(
    'proven',
    'a proof of the amount is verified against stored state',
    ({ flow, op, amount }) => amount !== null && proofOf(flow, op, amount) !== undefined,
  ),
}
