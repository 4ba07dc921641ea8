import { dependsOn } from '../../facts/index.ts'
import { type Flow, type LoadOp, mayOverlapAcross, type Op, type StoreOp, stripCasts } from '../../ir/index.ts'

/**
 * `rounds[id].time = time`, taken in as anybody names it. Whatever is worked out with that later, and with nothing that the caller brings,
 * goes wrong for want of a limit there: one cause, in however many sums. Of several such numbers the first one stands for all.
 */
export const takenInAt = (flow: Flow, op: Op): StoreOp | undefined => {
  let first: StoreOp | undefined
  const isGiven = dependsOn(flow, op, (part) => {
    if (part.kind === 'load' && part.location.space === 'state')
      for (const store of namedStores(flow, part)) if (first === undefined || store.start < first.start) first = store
    return part.kind === 'param'
  })
  return isGiven ? undefined : first
}

const namedStores = ({ contractFlow }: Flow, { location }: LoadOp): readonly StoreOp[] =>
  location.variable === null
    ? []
    : contractFlow
        .writersOf(location.variable)
        .filter(({ op }) => mayOverlapAcross(op.location, location) && stripCasts(op.args[0]).kind === 'param')
        .map(({ op }) => op)
