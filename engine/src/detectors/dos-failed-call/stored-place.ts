import { dependsOn } from '../../facts/index.ts'
import { type Flow, type LoadOp, type Location, type Op, stripCasts } from '../../ir/index.ts'

/** Where in the state a value lies, also when the struct or the list around it was copied to memory first. */
export const storedPlace = ({ location }: LoadOp): Location | null => {
  if (location.space !== 'memory') return location
  const copied = location.base === null ? null : stripCasts(location.base)
  return copied?.kind === 'load' && copied.location.space === 'state' ? copied.location : null
}

/** An element of a stored list that the loop runs through. */
export const isListElement = (flow: Flow, target: LoadOp, header: number): boolean =>
  [target.location, storedPlace(target)].some((place) => place !== null && isCounted(flow, place, header))

const isCounted = (flow: Flow, element: Location, header: number): boolean => {
  for (let place: Location | null = element; place !== null; place = place.parent) {
    const { index } = place
    if (index === null || isGivenByCaller(index)) continue
    if (dependsOn(flow, index, (op) => op.kind === 'phi' && op.block === header, { keys: true })) return true
  }
  return false
}

/** Taken from a list that the caller hands in, and can hand in without the one that refuses. */
const isGivenByCaller = (index: Op): boolean => {
  const op = stripCasts(index)
  const list = op.kind === 'load' && op.location.space === 'memory' ? op.location.base : null
  return list !== null && stripCasts(list).kind === 'param'
}
