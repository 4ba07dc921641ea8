/**
 * What a function does, in words by which functions can be compared: which state it writes, which function of which contract it
 * calls, what it pays. Two functions are siblings by an act that both perform; their names say nothing.
 */
import {
  dependsOn,
  isCallersNumber,
  isCleared,
  isKeyedBySender,
  recoversSigner,
  Source,
  taintOf,
} from '../facts/index.ts'
import { type CallOp, type Flow, type Op, type StoreOp, sameValue, stripCasts } from '../ir/index.ts'
import type { FunctionModel } from '../model/index.ts'
import { columnOf, keyOfColumn, nameOfColumn } from './columns.ts'
import { keysOf, loweredBy, raisedBy } from './entries.ts'
import { outgoingOf } from './ledger.ts'
import { proofOf } from './proofs.ts'
import { tokenCallOf } from './token-calls.ts'

/** The breadth of an act: the same state or callee, the same kind of change, or any change at all. */
export type ActKind = 'column' | 'callee' | 'payment' | 'setting' | 'change'

export interface Act {
  readonly kind: ActKind
  /** Equal for acts that can be compared, within a contract. */
  readonly key: string
  /** After "functions that". */
  readonly words: string
  readonly op: Op
  /** The caller says what is put there, passed on or paid. */
  readonly isChosen: boolean
}

/** Comes in with the call: a parameter, or something worked out from one. */
const isChosenByCaller = (flow: Flow, value: Op): boolean => (taintOf(flow, value) & Source.param) !== 0

/** What another contract answers, or what time it is: a function that passes such a value on brings something up to date. */
const isWorkedOut = (flow: Flow, value: Op): boolean => (taintOf(flow, value) & (Source.call | Source.time)) !== 0

/** `limit = next`, not `total += amount` or `next = min(next + count, end)`: what stood there before is not counted on. */
const isReplaced = (flow: Flow, store: StoreOp): boolean => {
  const isOld = (part: Op): boolean => part.kind === 'load' && part.location === store.location
  const isCounted = ({ kind, operator, args }: Op): boolean =>
    kind === 'bin' && (operator === '+' || operator === '-') && args.some((arg) => dependsOn(flow, arg, isOld))
  return raisedBy(store) === null && loweredBy(store) === null && !dependsOn(flow, store.args[0], isCounted)
}

/** `parameters = p; new Pool(); delete parameters`: what is cleared again by the end, or set to a constant, was an argument and no setting. */
const isPassedOn = (flow: Flow, op: StoreOp): boolean =>
  flow.stateStores().some((later) => {
    if (later === op || later.location !== op.location) return false
    return (isCleared(later) || stripCasts(later.args[0]).kind === 'const') && flow.isFollowedBy(op, later)
  })

/** `balances[to] += amount` for an account and an amount of the caller's choice, and nothing of the caller's own becomes less. */
const isGiven = (flow: Flow, store: StoreOp): boolean => {
  const amount = raisedBy(store) ?? loweredBy(store)
  if (amount === null || !isChosenByCaller(flow, amount)) return false
  const { variable } = store.location
  return !flow.stateStores().some(({ location }) => location.variable === variable && isKeyedBySender(location))
}

/** `votes[ecrecover(digest, v, r, s)] = support`: the entry of the one who signed. */
const isKeyedBySigner = (flow: Flow, { location }: StoreOp): boolean =>
  recoversSigner(flow) &&
  keysOf(location).some((key) =>
    dependsOn(flow, key, ({ kind, operator }) => kind === 'builtin' && operator === 'ecrecover'),
  )

/** `debt[msg.sender] -= n; total -= n`: a total that moves with the caller's own entry. */
const isTotalOfOwn = (flow: Flow, op: StoreOp): boolean => {
  const amount = raisedBy(op) ?? loweredBy(op)
  if (amount === null || op.location.depth > 0) return false
  return flow.stateStores().some((store) => {
    const moved = isKeyedBySender(store.location) ? (raisedBy(store) ?? loweredBy(store)) : null
    return moved !== null && sameValue(moved, amount)
  })
}

const areKeysChosen = (flow: Flow, { location }: StoreOp): boolean =>
  keysOf(location).every((key) => isChosenByCaller(flow, key))

function* actsOfStore(flow: Flow, op: StoreOp): Iterable<Act> {
  const column = columnOf(op.location)
  if (column === null || isKeyedBySender(op.location) || isKeyedBySigner(flow, op) || isTotalOfOwn(flow, op)) return
  const [value] = op.args
  const isSet =
    isReplaced(flow, op) && isChosenByCaller(flow, value) && !isWorkedOut(flow, value) && !isPassedOn(flow, op)
  const isMark = stripCasts(value).kind === 'const'
  yield {
    kind: 'column',
    key: `column ${keyOfColumn(column)}`,
    words: `write \`${nameOfColumn(column)}\``,
    op,
    isChosen: isSet || isMark || (isGiven(flow, op) && areKeysChosen(flow, op)),
  }
  // `members[account] = true` is a setting too, though only the key is the caller's choice: it shows who may change settings.
  if ((isSet || isMark) && areKeysChosen(flow, op))
    yield { kind: 'setting', key: 'setting', words: 'replace stored settings', op, isChosen: isSet }
}

const isCallable = ({ visibility }: FunctionModel): boolean => visibility === 'public' || visibility === 'external'

/** A function of another contract that the caller has not named, or one of the contract's own that changes something; payments aside. */
function* actsOfCall(flow: Flow, op: CallOp): Iterable<Act> {
  const { target, definition, name, isStatic, kind } = op.call
  if (definition === null || isStatic || definition.mutability === 'view' || definition.mutability === 'pure') return
  // What anyone can call directly asks for the caller itself, or need not be checked.
  const isOwn = kind === 'internal' && op.site === null && op.operator !== 'modifier' && !isCallable(definition)
  const isOther = kind === 'external' && target !== null && !isChosenByCaller(flow, target)
  if ((!isOwn && !isOther) || tokenCallOf(op) !== null) return
  // What names the sender is done to the caller's own account.
  const isChosen =
    op.args.some((arg) => isChosenByCaller(flow, arg)) &&
    !op.args.some((arg) => isWorkedOut(flow, arg) || (taintOf(flow, arg) & Source.sender) !== 0)
  yield { kind: 'callee', key: `callee ${definition.node.start}`, words: `call \`${name}()\``, op, isChosen }
}

/** `ticket.burn(msg.sender, amount)`: another contract, or an entry, is made to give as much. */
const isTakenElsewhere = (flow: Flow, payment: CallOp, amount: Op): boolean =>
  flow
    .externalCalls()
    .some(
      (op) =>
        op.start !== payment.start &&
        !op.call.isStatic &&
        outgoingOf(flow).every((other) => other.op !== op) &&
        op.args.some((arg) => stripCasts(arg) === stripCasts(amount)),
    ) || flow.stateStores().some((store) => loweredBy(store) !== null)

/** Everything that a function does to state, to other contracts and to what the contract holds. */
export const actsOf = (flow: Flow): readonly Act[] => flow.answer(findActs)

const findActs = (flow: Flow): readonly Act[] => {
  const acts = [
    ...flow.stateStores().flatMap((op) => [...actsOfStore(flow, op)]),
    ...flow.ops('call').flatMap((op) => [...actsOfCall(flow, op)]),
  ]
  const change = (op: Op, isChosen: boolean): Act => ({
    kind: 'change',
    key: 'change',
    words: 'change state',
    op,
    isChosen,
  })
  const payments = outgoingOf(flow).flatMap(({ op, to, amount }): readonly Act[] => {
    const isNamed = to !== null && isChosenByCaller(flow, to) && isCallersNumber(flow, amount)
    const isChosen = isNamed && proofOf(flow, op, amount) === undefined
    const isGift = isChosen && !isTakenElsewhere(flow, op, amount)
    return [
      { kind: 'payment', key: 'payment', words: 'pay out what the contract holds', op, isChosen: isGift },
      change(op, isGift),
    ]
  })
  return [...acts, ...acts.map(({ op, kind, isChosen }) => change(op, kind === 'setting' && isChosen)), ...payments]
}
