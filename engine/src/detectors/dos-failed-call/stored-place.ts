import { dependsOn } from '../../facts/index.ts'
import { type Flow, type LoadOp, type Location, type Op, stripCasts } from '../../ir/index.ts'

/** Where in the state a value lies, also when the struct or the list around it was copied to memory first. */
export const storedPlace = ({ location }: LoadOp): Location | null => {
  if (location.space !== 'memory') return location
  const copied = location.base === null ? null : stripCasts(location.base)
  return copied?.kind === 'load' && copied.location.space === 'state' ? copied.location : null
}

/** The stored list whose element it is that the loop comes to, also where the list was copied to memory first; null where it is none. */
export const listOf = (flow: Flow, target: LoadOp, header: number): Location | null => {
  const stored = storedPlace(target)
  const list = listAround(flow, target.location, header)
  if (list !== null) return list.space === 'memory' ? stored : list
  return stored === null ? null : listAround(flow, stored, header)
}

const listAround = (flow: Flow, element: Location, header: number): Location | null => {
  for (let place: Location | null = element; place !== null; place = place.parent) {
    const { index } = place
    if (index === null || isGivenByCaller(index)) continue
    if (dependsOn(flow, index, (op) => op.kind === 'phi' && op.block === header, { keys: true })) return place.parent
  }
  return null
}

/** Taken from a list that the caller hands in, and can hand in without the one that refuses. */
const isGivenByCaller = (index: Op): boolean => {
  const op = stripCasts(index)
  const list = op.kind === 'load' && op.location.space === 'memory' ? op.location.base : null
  return list !== null && stripCasts(list).kind === 'param'
}
