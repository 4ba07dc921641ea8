/** Payments for the time since a moment on record that stays where it was: the same time is paid again. */
import { dependsOn, findDependency } from '../../facts/index.ts'
import { columnOf, elapsedSince, isInColumn } from '../../idioms/index.ts'
import { type Flow, mayOverlap, type Op } from '../../ir/index.ts'
import { type Candidate, takenFrom } from './unnoted.ts'

/** It is paid for the time since a moment, and calling again at once pays for the same time again. */
export function* paidForTimeAgain(flow: Flow): Iterable<Candidate> {
  for (const payment of takenFrom(flow)) {
    const span = findDependency(flow, payment.amount, (op) => elapsedSince(op) !== null)
    const record = span === undefined ? null : elapsedSince(span)
    if (span === undefined || record === null) continue
    if (flow.stateStores().every(({ location }) => !mayOverlap(location, record)))
      yield { flow, payment, why: { kind: 'elapsed', record, span } }
  }
}

/** What was paid is taken off the next time, or what the time is multiplied with is changed: the record need not move. */
export const isTakenOff = ({ flow, payment, why }: Candidate): boolean => {
  if (why.kind !== 'elapsed') return false
  const columns = flow.stateStores().flatMap(({ location }) => columnOf(location) ?? [])
  const isWritten = (op: Op): boolean => op.kind === 'load' && columns.some((column) => isInColumn(op.location, column))
  const rests = (op: Op): boolean => dependsOn(flow, op, isWritten)
  return dependsOn(flow, payment.amount, (op) => {
    if (op.kind !== 'bin' || (op.operator !== '-' && op.operator !== '*')) return false
    return op.operator === '-' ? rests(op.args[1]) : op.args.some(rests)
  })
}
