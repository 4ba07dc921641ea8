/** Two reads of one place that give the same, because nothing was written there in between: what was said of the one holds for the other. */
import { type Flow, type LoadOp, mayOverlap, type Op, stripCasts } from '../ir/index.ts'
import type { Relation } from './relations.ts'

/** What was compared in place of `value`, where that was an earlier read of the same place; `value` itself where there is none. */
export const asCompared = (flow: Flow, value: Op, relations: readonly Relation[], at: Op): Op => {
  const read = stripCasts(value)
  if (read.kind !== 'load' || read.location.space !== 'state') return value
  for (const { greater, smaller } of relations) {
    const earlier = earlierRead(flow, greater, read, at) ?? earlierRead(flow, smaller, read, at)
    if (earlier !== null) return earlier
  }
  return value
}

const earlierRead = (flow: Flow, side: Op, read: LoadOp, at: Op): LoadOp | null => {
  const other = stripCasts(side)
  if (other.kind !== 'load' || other === read || other.location !== read.location) return null
  return isUnchanged(flow, other, at) ? other : null
}

/** Nothing that may be the same place is written, and nobody is called who could, on any way from the one to the other. */
const isUnchanged = (flow: Flow, from: LoadOp, to: Op): boolean => {
  if (flow.has('opaque')) return false
  const isBetween = (op: Op): boolean => flow.canFollow(from, op) && flow.canFollow(op, to)
  if (flow.stateStores().some((store) => mayOverlap(store.location, from.location) && isBetween(store))) return false
  return !flow.ops('call').some((op) => !op.call.inlined && !op.call.isStatic && isBetween(op))
}
