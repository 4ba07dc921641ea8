/** Entries that are raised by an amount which did not come in, or by the same amount once more than it came in. */
import { dependsOn, endsInRevert, factsOf, relationsOf } from '../../facts/index.ts'
import { entriesOf, incomingOf, isMessageValue, isOwnEther, type Payment } from '../../idioms/index.ts'
import { bothOrders, type Flow, isZero, type Op, type StoreOp, stripCasts } from '../../ir/index.ts'

/** Credited on every path, and paid in only on some. */
export interface Unpaid {
  readonly flow: Flow
  readonly op: StoreOp
  readonly amount: Op
  /** Where it is paid in, on the other ways. */
  readonly deposited: Payment
}

/** The same entry moves twice by the same amount. */
export interface Repeated {
  readonly flow: Flow
  readonly op: StoreOp
  readonly amount: Op
  readonly first: StoreOp
}

/** `if (token == ETHER) require(msg.value > 0); else pull(amount); credit += amount`: in ether the amount may be any. */
export function* creditedUnpaid(flow: Flow): Iterable<Unpaid> {
  if (!flow.isPayable) return
  for (const entry of entriesOf(flow)) {
    const amount = stripCasts(entry.amount)
    if (!entry.isRaised || amount.kind !== 'param') continue
    const pulls = incomingOf(flow).filter((payment) => stripCasts(payment.amount) === amount)
    const [deposited] = pulls
    // A wrapper and the call inside it; where there is one on each way, each brings it in.
    if (deposited !== undefined && pulls.every(({ op }) => isInLine(flow, op, deposited.op)))
      if (isOnSomePaths(flow, deposited.op, entry.op)) yield { flow, op: entry.op, amount, deposited }
  }
}

const isInLine = (flow: Flow, one: Op, other: Op): boolean =>
  one === other || flow.dominates(one, other) || flow.dominates(other, one)

const isOnSomePaths = (flow: Flow, pull: Op, credit: Op): boolean =>
  !flow.dominates(pull, credit) && !flow.isFollowedBy(credit, pull)

/** So much ether came with the call as the amount says, or so much more is there than is on record. */
export const isHeldAgainstValue = ({ flow, amount }: Unpaid): boolean => {
  const rests = (value: Op, isMeant: (op: Op) => boolean): boolean => dependsOn(flow, value, isMeant)
  const covers = (there: Op, wanted: Op): boolean =>
    rests(wanted, (op) => op === amount) &&
    (rests(there, isMessageValue) || (rests(there, isOwnEther) && rests(wanted, isOnRecord)))
  return flow.ops('bin').some((op) => {
    if (op.operator === '-') return covers(op.args[0], op.args[1])
    return outcomesOf(flow, op).some((isTrue) =>
      relationsOf(op, isTrue).some(({ greater, smaller }) => covers(greater, smaller)),
    )
  })
}

const isOnRecord = ({ kind, location }: Op): boolean => kind === 'load' && location.space === 'state'

/** `if (amount == 0) return;` before it is pulled: the only way around the payment credits nothing. */
export const isZeroElsewhere = ({ flow, op, amount, deposited }: Unpaid): boolean => {
  let fork = deposited.op.block
  while (fork > 0 && !flow.blockDominates(fork, op.block)) fork = flow.idom[fork]!
  const { condition, succs } = flow.blocks[fork]!
  const paying = succs.findIndex((succ) => flow.blockDominates(succ, deposited.op.block))
  if (condition === null || paying === -1) return false
  const [first = deposited.op] = flow.blocks[succs[paying]!]!.ops
  if (first !== deposited.op && !flow.isFollowedBy(first, deposited.op)) return false
  return factsOf(flow, condition, paying === 0, condition).some(
    ({ condition: test, polarity }) =>
      test.kind === 'bin' &&
      (test.operator === (polarity ? '!=' : '==') || (polarity && /^[<>]$/.test(test.operator))) &&
      bothOrders(test).some(([value, zero]) => stripCasts(value) === amount && isZero(stripCasts(zero))),
  )
}

/** How a comparison comes out where the call goes on: as it is demanded, else as may be. */
const outcomesOf = (flow: Flow, comparison: Op): readonly boolean[] => {
  const users = flow.usersOf(comparison)
  if (users.some(({ kind }) => kind === 'assume')) return [true]
  if (users.length === 0 && !flow.isCondition(comparison)) return []
  return [true, false].filter((isTrue) =>
    flow.branchesOn(comparison).every(({ succs }) => !endsInRevert(flow, succs[isTrue ? 0 : 1]!)),
  )
}

interface Move {
  readonly op: StoreOp
  readonly amount: Op
  readonly isRaised: boolean
}

/** Each place that moves by a number, also where what is read is what was stored just before. */
const movesOf = (flow: Flow): readonly Move[] => {
  const stored = new Map<Op, StoreOp['location']>()
  return flow.stateStores().flatMap((op): readonly Move[] => {
    const value = stripCasts(op.args[0])
    const isOld = (side: Op): boolean =>
      (side.kind === 'load' && side.location === op.location) || stored.get(side) === op.location
    const [left, right] = value.kind === 'bin' ? value.args.map(stripCasts) : []
    stored.set(value, op.location)
    if (op.flag || op.location.index === null || value.kind !== 'bin' || left === undefined || right === undefined)
      return []
    if (value.operator === '+' && isOld(left)) return [{ op, amount: right, isRaised: true }]
    if (value.operator === '+' && isOld(right)) return [{ op, amount: left, isRaised: true }]
    return value.operator === '-' && isOld(left) ? [{ op, amount: right, isRaised: false }] : []
  })
}

/** `credit += amount` and again `credit += amount`, one after the other. */
export function* movedTwice(flow: Flow): Iterable<Repeated> {
  const first = new Map<StoreOp['location'], Move>()
  for (const move of flow.answer(movesOf)) {
    const { op, amount } = move
    if (amount.kind !== 'param' && !isMessageValue(amount)) continue
    const before = first.get(op.location)
    if (before === undefined) first.set(op.location, move)
    else if (isSameMove(flow, before, move)) yield { flow, op, amount, first: before.op }
  }
}

const isSameMove = (flow: Flow, first: Move, second: Move): boolean =>
  first.isRaised === second.isRaised && first.amount === second.amount && flow.dominates(first.op, second.op)
