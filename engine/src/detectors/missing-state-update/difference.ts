/** Payments of what has come together beyond what a record says, where the record stays: the same is paid again. */
import { dependsOn, isCleared, stateReadsOf } from '../../facts/index.ts'
import { clockOf, keysOf, loweredBy } from '../../idioms/index.ts'
import { type Flow, type LoadOp, type Location, mayOverlap, type Op, stripCasts } from '../../ir/index.ts'
import { type Candidate, takenFrom } from './unnoted.ts'

interface Difference {
  readonly from: Op
  readonly record: LoadOp
}

/** `(all - record) * part / whole`: the difference that an amount is a share of. */
const differenceIn = (amount: Op): Difference | null => {
  const seen = new Set<Op>()
  const work = [stripCasts(amount)]
  for (let op = work.pop(); op !== undefined; op = work.pop()) {
    if (op.kind !== 'bin' || seen.has(op)) continue
    seen.add(op)
    const [left, right] = op.args.map(stripCasts) as [Op, Op]
    if (op.operator === '-' && isEntry(right)) return { from: left, record: right }
    if (op.operator === '*') work.push(left, right)
    else if (op.operator === '/') work.push(left)
  }
  return null
}

const isEntry = (op: Op): op is LoadOp =>
  op.kind === 'load' && op.location.space === 'state' && keysOf(op.location).length > 0

/** It comes together from what is on record for the same account, and from nothing that another contract answers. */
const isOnRecord = (flow: Flow, from: Op, record: Location): boolean =>
  clockOf(from) === null &&
  !dependsOn(flow, from, ({ kind }) => kind === 'call' || kind === 'builtin') &&
  stateReadsOf(flow, from).some((read) => isOfSameAccount(read.location, record))

const isOfSameAccount = (one: Location, other: Location): boolean => {
  const [a, b] = [keysOf(one)[0], keysOf(other)[0]]
  return a !== undefined && a === b
}

/** `(written - exercised) * parts[user] / written; parts[user] = 0`: the share in it, or what it is taken from, is used up. */
const isUsedUp = (flow: Flow, amount: Op, record: Location): boolean =>
  stateReadsOf(flow, amount).some(
    ({ location }) =>
      location !== record &&
      keysOf(location).length > 0 &&
      flow
        .stateStores()
        .some((store) => store.location === location && (isCleared(store) || loweredBy(store) !== null)),
  )

export function* paidBeyondAgain(flow: Flow): Iterable<Candidate> {
  for (const payment of takenFrom(flow)) {
    const found = differenceIn(payment.amount)
    if (found === null) continue
    const { from, record } = found
    if (!isOnRecord(flow, from, record.location) || isUsedUp(flow, payment.amount, record.location)) continue
    const isLeft = ({ location }: LoadOp): boolean =>
      flow.stateStores().every((store) => !mayOverlap(store.location, location))
    if (!isLeft(record)) continue
    if (stateReadsOf(flow, from).every(isLeft))
      yield { flow, payment, why: { kind: 'difference', record: record.location, from } }
  }
}
