/** What secures a debt goes to anyone who comes for it, and the debtor owes as much as before: it is as good a reason the next time. */
import { guardsAt, isSender, stateReadsOf } from '../../facts/index.ts'
import { columnOf, entriesOf, isForCaller, isInColumn, isOwed, keysOf, outgoingOf } from '../../idioms/index.ts'
import { type Flow, type Location, mayOverlap, type Op } from '../../ir/index.ts'
import type { Candidate } from './unnoted.ts'

/** One condition weighs what the account has here against what it owes. */
const weighedAgainst = (flow: Flow, at: Op, taken: Location, account: Op): Location | null => {
  const column = columnOf(taken)
  if (column === null) return null
  for (const { condition } of guardsAt(flow, at)) {
    const reads = stateReadsOf(flow, condition).filter(({ location }) => keysOf(location).includes(account))
    if (!reads.some(({ location }) => isInColumn(location, column))) continue
    const debt = reads.find(({ location }) => !isInColumn(location, column) && isOwed(flow, location))
    if (debt !== undefined) return debt.location
  }
  return null
}

export function* seizedAgain(flow: Flow): Iterable<Candidate> {
  const payment = outgoingOf(flow).find(isForCaller)
  if (payment === undefined) return
  for (const { op: taken, account, isRaised } of entriesOf(flow)) {
    if (isRaised || isSender(account)) continue
    const record = weighedAgainst(flow, taken, taken.location, account)
    if (record !== null && flow.stateStores().every(({ location }) => !mayOverlap(location, record)))
      yield { flow, payment, why: { kind: 'seized', record, taken } }
  }
}
