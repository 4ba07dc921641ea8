import {
  dependsOn,
  everyPart,
  type Fact,
  findDependency,
  fromFactsAt,
  guardCallsAt,
  guardsAt,
  isAtLeast,
  isProtected,
  isSender,
  isStateRead,
  isUntrusted,
  lockedAt,
  parametersIn,
  resultUse,
  Source,
  senderGuardsAt,
  taintOf,
  writesAfter,
} from '../../facts/index.ts'
import {
  isDemandedBack,
  isKeyed,
  isMessageValue,
  isSameAmount,
  outgoingOf,
  runsForOthers,
  unreachable,
} from '../../idioms/index.ts'
import {
  type CallOp,
  type ContractFlow,
  type Flow,
  isOrdering,
  isZero,
  type LoadOp,
  type Location,
  mayOverlap,
  type Op,
  sameValue,
  stripCasts,
} from '../../ir/index.ts'
import type { VariableModel } from '../../model/index.ts'
import { excuse } from '../define-detector.ts'
import type { Withdrawal } from './withdrawals.ts'

/** Why ether that leaves for an outsider is theirs, or is none of the contract's. */
export const excuses = [
  excuse<Withdrawal>(
    'bought-right',
    'the right to withdraw must be bought',
    ({ flow, guard }) =>
      guard !== null && guard.places.length > 0 && guard.places.every((place) => isBought(flow, place)),
  ),
  excuse<Withdrawal>('own-payment', 'the amount is part of this call’s `msg.value`', ({ flow, amount }) =>
    dependsOn(flow, amount, isMessageValue),
  ),
  excuse<Withdrawal>(
    'keeps-nothing',
    'every call pays out all it receives, so the rest belongs to the caller',
    ({ flow, amount }) => keepsNothing(flow, amount),
  ),
  excuse<Withdrawal>('loan', 'the balance must be restored before the call ends', ({ flow, op }) =>
    isDemandedBack(flow, op),
  ),
  excuse<Withdrawal>('owed', 'the amount is recorded for an account, and the record is updated', (candidate) =>
    isOwed(candidate),
  ),
  excuse<Withdrawal>(
    'counted-for-caller',
    'the amount derives from the caller’s own records only',
    ({ flow, op, amount }) => isCountedForCaller(flow, op, amount),
  ),
  excuse<Withdrawal>(
    'taken-from-record',
    'the same amount is subtracted from a record with a check',
    ({ flow, amount }) => isTakenFromRecord(flow, amount),
  ),
  excuse<Withdrawal>(
    'taken-elsewhere',
    'the same amount is taken, burned or unwrapped first by the contract that holds it',
    ({ flow, op, amount }) => isTakenElsewhere(flow, op, amount),
  ),
  excuse<Withdrawal>('price', 'a price is charged first', (candidate) => isRuledBy(candidate, byPayment)),
  excuse<Withdrawal>('riddle', 'a secret or a signature is required', (candidate) => isRuledBy(candidate, byHash)),
  excuse<Withdrawal>('referee', 'another contract decides about it', (candidate) =>
    isRuledBy(candidate, byForeignAnswer),
  ),
  excuse<Withdrawal>('right-used-up', 'the entitlement is used up by the same call', (candidate) =>
    usesUpRight(candidate),
  ),

  unreachable,
  runsForOthers,
]

/** The rest of what was paid goes back: every function that takes ether ends with the whole balance paid out, or fails. */
const keepsNothing = (flow: Flow, amount: Op): boolean =>
  flow.isPayable &&
  isOwnBalance(amount) &&
  flow.contract?.hasUnresolvedBase === false &&
  flow.contractFlow.flows.every((other) => !isOpenToEther(other) || paysAllOut(other))

const isOpenToEther = ({ isEntryPoint, isConstructor, isPayable }: Flow): boolean =>
  (isEntryPoint || isConstructor) && isPayable

const paysAllOut = (flow: Flow): boolean =>
  outgoingOf(flow).some(
    ({ op, asset, amount }) =>
      asset === 'ether' &&
      isOwnBalance(amount) &&
      (op.call?.kind === 'transfer' || resultUse(flow, op) === 'checked') &&
      flow.ir.exits.every((exit) => flow.blockDominates(op.block, exit) || isPassedWithout(flow, op, exit)),
  )

/** `if (address(this).balance > 0) …`: past it only where nothing is left. */
const isPassedWithout = (flow: Flow, { block }: Op, exit: number): boolean =>
  flow.blocks[block]!.preds.every((pred) => {
    const { condition, succs } = flow.blocks[pred]!
    if (condition?.kind !== 'bin' || succs[0] !== block || !flow.blockDominates(pred, exit)) return false
    const [left, right] = condition.args.map(stripCasts) as [Op, Op]
    const isLeft = condition.operator === '!=' || condition.operator === '>'
    return isLeft && isOwnBalance(left) && isZero(right)
  })

/** `address(this).balance` */
export const isOwnBalance = (amount: Op): boolean => {
  const { kind, operator, args } = stripCasts(amount)
  const whose = kind === 'builtin' && operator === 'balance' ? stripCasts(args[0]!) : null
  return whose?.kind === 'env' && whose.operator === 'this'
}

const isRecord = (op: Op): op is LoadOp => isStateRead(op) && isKeyed(op.location)

const writes = (flow: Flow, place: Location): boolean =>
  flow.stateStores().some((store) => mayOverlap(store.location, place))

/** A right that has to be paid for, wherever it is given. */
const isBought = (flow: Flow, place: Location): boolean => {
  if (place.variable === null) return false
  const given = flow.contractFlow
    .writersOf(place.variable)
    .filter(({ flow: writer, op }) => !writer.isConstructor && !isProtected(writer, op))
  return (
    given.length > 0 &&
    given.every(({ flow: writer, op }) => {
      const paid = [op.args[0], ...guardsAt(writer, op).map(({ condition }) => condition)]
      return paid.some((value) => dependsOn(writer, value, isMessageValue))
    })
  )
}

/** The record that the amount comes from, if this call changes it. */
const recordOf = (flow: Flow, amount: Op): LoadOp | undefined =>
  findDependency(flow, amount, (op): op is LoadOp => isRecord(op) && writes(flow, op.location), { keys: false })

const isOwed = (candidate: Withdrawal): boolean => {
  const record = recordOf(candidate.flow, candidate.amount)
  return record !== undefined && !isSelfMade(candidate.flow, record.location) && !isOfAnother(candidate)
}

/** The caller names any record and any receiver, and nothing connects the two. */
const isOfAnother = ({ flow, op, amount, receiver }: Withdrawal): boolean => {
  const record = recordOf(flow, amount)
  const account = stripCasts(receiver)
  if (record === undefined || (account.kind !== 'param' && !isSender(account))) return false
  for (let at: Location | null = record.location; at !== null; at = at.parent) {
    // So far inside of other records the keys are not distinguished any more.
    if (at.part === 'any') return false
    if (at.index === null) continue
    const key = stripCasts(at.index)
    if (key.kind !== 'param' || key === account) return false
  }
  const connects = (part: Op): boolean => part === account || part.kind === 'env'
  return !guardsAt(flow, op).some(({ condition }) => dependsOn(flow, condition, connects, { keys: true }))
}

/** Anyone writes any number of their own there: nothing is paid for it, and nothing is checked. */
const isSelfMade = (flow: Flow, place: Location): boolean => flow.contractFlow.answerAt(place, isWrittenAtWill)

const isWrittenAtWill = (contractFlow: ContractFlow, place: Location): boolean =>
  contractFlow.writersTo(place).some(({ flow: writer, op }) => {
    if (!writer.isEntryPoint || writer.isPayable) return false
    const value = stripCasts(op.args[0])
    const given = value.kind === 'bin' && value.operator === '+' ? stripCasts(value.args[1]) : value
    if (given.kind !== 'param' || writer.externalCalls().length > 0 || guardCallsAt(writer, op).length > 0) return false
    return guardsAt(writer, op).every(({ condition }) => taintOf(writer, condition) === Source.param)
  })

/** What makes up the sum is added only where the caller was compared with someone on record. */
const isCountedForCaller = (flow: Flow, send: Op, amount: Op): boolean => {
  // How many tests there are, not whose will they ask for: one more stands before the sum.
  const around = senderGuardsAt(flow, send).length
  return dependsOn(flow, amount, (op) => op.kind === 'bin' && senderGuardsAt(flow, op).length > around)
}

/** The parameter that the amount follows from. */
const parameterOf = (flow: Flow, amount: Op): Op | undefined =>
  findDependency(flow, amount, (op) => op.kind === 'param')

const isTakenFromRecord = (flow: Flow, amount: Op): boolean => {
  const requested = parameterOf(flow, amount)
  return flow
    .answer(takenFromRecords)
    .some(
      (taken) => isSameAmount(taken, amount) || (requested !== undefined && parametersIn(flow, taken).has(requested)),
    )
}

/** Numbers by which some record is lowered. */
const takenFromRecords = (flow: Flow): readonly Op[] =>
  flow.stateStores().flatMap((store) => {
    const left = stripCasts(store.args[0])
    if (!isKeyed(store.location) || left.kind !== 'bin' || left.operator !== '-') return []
    return left.flag || isAtLeast(flow, left.args[0], left.args[1], store) ? [left.args[1]] : []
  })

const isTakenElsewhere = (flow: Flow, send: Op, amount: Op): boolean => {
  // A contract that the caller names takes nothing from anyone.
  const comesFirst = (call: CallOp): boolean =>
    call !== send &&
    flow.dominates(call, send) &&
    (call.call.target === null || !isUntrusted(flow, call.call.target, call))
  const requested = parameterOf(flow, amount)
  const callsWithIt = requested === undefined ? undefined : flow.answer(callsByParameter).get(requested)
  return callsWithIt?.some(comesFirst) || isUnwrapped(flow, amount, comesFirst)
}

/** `weth.withdraw(amount)`, with an amount that the caller does not simply name. */
const isUnwrapped = (flow: Flow, amount: Op, comesFirst: (call: CallOp) => boolean): boolean => {
  const paid = stripCasts(amount)
  if (paid.kind === 'const' || isOwnBalance(paid)) return false
  return flow
    .externalCalls()
    .some(
      (call) => !call.call.isStatic && call.args.some((arg) => sameValue(stripCasts(arg), paid)) && comesFirst(call),
    )
}

/** Calls that may change something, by the parameters that they are notified. */
const callsByParameter = (flow: Flow): ReadonlyMap<Op, readonly CallOp[]> => {
  const calls = new Map<Op, CallOp[]>()
  for (const call of flow.ops('call')) {
    if (call.call.inlined || call.call.isStatic) continue
    for (const parameter of new Set(call.args.flatMap((arg) => [...parametersIn(flow, arg)])))
      if (calls.get(parameter)?.push(call) === undefined) calls.set(parameter, [call])
  }
  return calls
}

const hashes = new Set(['keccak256', 'ecrecover', 'sha256', 'ripemd160'])

const isHash = (op: Op): boolean => op.kind === 'builtin' && hashes.has(op.operator)

const isForeignAnswer = ({ kind, call }: Op): boolean =>
  kind === 'call' && !call.inlined && call.kind !== 'send' && call.kind !== 'lowlevel'

type Reasons = (flow: Flow, fact: Fact) => readonly Fact[]

const restingOn =
  (isReason: (op: Op, flow: Flow) => boolean): Reasons =>
  (flow, fact) =>
    factors(flow, fact.condition).some((op) => isReason(op, flow)) ? [fact] : []

const byPayment = restingOn(isMessageValue)
const byHash = restingOn(isHash)
const byForeignAnswer = restingOn(isForeignAnswer)
const byStateWrittenHere = restingOn((op, flow) => isStateRead(op) && writes(flow, op.location))

/** A condition that keeps someone from being paid rests on such a value. */
const isRuledBy = ({ flow, op, amount }: Withdrawal, reasons: Reasons): boolean =>
  fromFactsAt(flow, op, reasons).some((guard) => isRule(flow, guard, amount))

/** What a condition, and what chooses between the values that it is made of, rests on; kept, because many payments share their conditions. */
const factors = (flow: Flow, condition: Op): readonly Op[] =>
  flow.remember(factors, condition, () => {
    const parts = [condition, ...chosenBy(flow, condition)]
    return [...new Set(parts.flatMap((part) => everyPart(flow, part, { keys: true })))]
  })

/** A record, or state that anyone who comes first may use up; where the caller should have been checked, only a record entitles. */
const usesUpRight = (candidate: Withdrawal): boolean => {
  const { flow, op: send } = candidate
  const lock = releasedLock(flow, send)
  // A test that anyone passes asks too, and what it was meant to reserve is no first come, first served.
  const isCallerChecked = senderGuardsAt(flow, send).length > 0
  const isRight = (op: Op): boolean =>
    isStateRead(op) && (isCallerChecked ? isRecord(op) : op.location.variable !== lock) && writes(flow, op.location)
  if (isOfAnother(candidate)) return false
  return fromFactsAt(flow, send, byStateWrittenHere).some(
    (guard) => factors(flow, guard.condition).some(isRight) && isRule(flow, guard, candidate.amount),
  )
}

/** A reentrancy lock is open again afterwards, so it uses nothing up. */
const releasedLock = (flow: Flow, send: Op): VariableModel | null => {
  const variable = lockedAt(flow, send)?.variable ?? null
  if (variable === null) return null
  return writesAfter(flow, send).some((write) => write.variable === variable) ? variable : null
}

/** Conditions that choose between the values a condition is made of. */
const chosenBy = (flow: Flow, condition: Op): Op[] => {
  const phi = findDependency(flow, condition, (op) => op.kind === 'phi')
  if (phi === undefined) return []
  const from = flow.idom[phi.block]!
  return flow.blocks.slice(from, phi.block).flatMap((block) => (block.condition === null ? [] : [block.condition]))
}

/** Not everybody passes, whatever amount they name. */
const isRule = (flow: Flow, { condition, polarity }: Fact, amount: Op): boolean =>
  !leavesAmountOpen(flow, condition, polarity, amount) &&
  !isFreshName(condition, polarity, amount) &&
  !isCommonLimit(condition, amount)

/** `require(amount >= balances[msg.sender])`: the wrong way round, so the amount may be anything. */
const leavesAmountOpen = (flow: Flow, condition: Op, polarity: boolean, amount: Op): boolean => {
  if (condition.kind !== 'bin' || !isOrdering(condition.operator)) return false
  const isGreater = (condition.operator[0] === '>') === polarity
  const greater = stripCasts(condition.args[isGreater ? 0 : 1])
  return greater.kind === 'param' && dependsOn(flow, amount, (op) => op === greater)
}

/** `require(!used[id])`: the caller names an id that was never used, and the amount as well. */
const isFreshName = (condition: Op, polarity: boolean, amount: Op): boolean => {
  const op = stripCasts(condition)
  if (polarity || !isRecord(op) || stripCasts(amount).kind !== 'param') return false
  for (let at: Location | null = op.location; at !== null; at = at.parent)
    if (at.index !== null && stripCasts(at.index).kind !== 'param') return false
  return true
}

/**
 * `require(amount <= total)`, `require(total - amount >= 0)`: the caller asks for as much as there is, and the total belongs
 * to nobody in particular.
 */
const isCommonLimit = (condition: Op, amount: Op): boolean => {
  if (condition.kind !== 'bin' || !isOrdering(condition.operator) || stripCasts(amount).kind !== 'param') return false
  const [left, right] = condition.args.map(stripCasts) as [Op, Op]
  const total = sameValue(left, amount) ? right : sameValue(right, amount) ? left : totalOfRest(left, right, amount)
  return total !== null && isStateRead(total) && total.location.part === 'root'
}

/** What `total - amount` is taken off, where the rest is held against a constant. */
const totalOfRest = (left: Op, right: Op, amount: Op): Op | null => {
  const rest = right.kind === 'const' ? left : left.kind === 'const' ? right : null
  if (rest?.kind !== 'bin' || rest.operator !== '-' || !sameValue(rest.args[1], amount)) return null
  return stripCasts(rest.args[0])
}
