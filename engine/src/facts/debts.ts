/**
 * A debt that is enforced when the outer call ends: a function works only while another one has opened a session, what it hands
 * out is counted, and the one that opened the session calls out, requires that nothing is left of the count, and closes it again.
 */

import {
  type Flow,
  fieldPath,
  isBefore,
  isSameSlot,
  type LoadOp,
  type Location,
  mayOverlapAcross,
  type Op,
  type StoreOp,
  stripCasts,
} from '../ir/index.ts'
import { isCleared } from './cleared.ts'
import type { Fact } from './conditions.ts'
import { findDependency } from './dependencies.ts'
import { fromFactsAt, guardsAt } from './guards.ts'

/** Whatever is taken at `op` has to be settled by anyone who opened the session, or all of it is undone. */
export const isSettledAtEnd = (flow: Flow, op: Op): boolean =>
  flow.isEntryPoint &&
  fromFactsAt(flow, op, openFlags).some((session) => {
    const counts = countsSettledWith(flow, session)
    return counts.some((count) => flow.stateStores().some((store) => isSamePlace(store.location, count)))
  })

const openFlags = (_: Flow, { condition, polarity }: Fact): readonly Location[] => {
  const place = openFlag(condition, polarity)
  return place === null ? [] : [place]
}

/** The place that must not be unset. */
const openFlag = (condition: Op, polarity: boolean): Location | null => {
  const op = stripCasts(condition)
  if (op.kind === 'load') return polarity && isPlain(op) ? op.location : null
  if (op.kind !== 'bin' || op.operator !== (polarity ? '!=' : '==')) return null
  const sides = op.args.map(stripCasts)
  const load = sides.find((side): side is LoadOp => side.kind === 'load' && isPlain(side))
  return load !== undefined && sides.some((side) => side.kind === 'const' && side.constant === 0n)
    ? load.location
    : null
}

/** One place for everybody. */
const isPlain = ({ location }: LoadOp): boolean => {
  if (location.space === 'slot') return location.base?.kind === 'const'
  return location.space === 'state' && location.index === null
}

/** What every opener of the session requires to be settled before it closes it; none where one of them does not. */
const countsSettledWith = (flow: Flow, session: Location): readonly Location[] => {
  const counts: Location[] = []
  for (const opener of flow.contractFlow.entryPoints) {
    const stores = opener.stateStores().filter((store) => isSamePlace(store.location, session))
    const opening = stores.find((store) => !isCleared(store))
    if (opening === undefined) continue
    const settled = stores.filter(isCleared).flatMap((closing) => countsAt(opener, opening, closing))
    if (settled.length === 0) return []
    counts.push(...settled)
  }
  return counts
}

/** Places that are read anew after the call, and what they hold decides whether the session can be closed. */
const countsAt = (flow: Flow, opening: StoreOp, closing: StoreOp): Location[] => {
  const call = flow.externalCalls().find((each) => isBefore(opening, each) && isBefore(each, closing))
  if (call === undefined || !flow.dominates(call, closing)) return []
  const isCount = (op: Op): op is LoadOp => op.kind === 'load' && isPlain(op) && isBefore(call, op)
  return guardsAt(flow, closing).flatMap(({ condition }) => {
    const count = findDependency(flow, condition, isCount)
    return count === undefined || isSamePlace(count.location, opening.location) ? [] : [count.location]
  })
}

const isSamePlace = (a: Location, b: Location): boolean => {
  if (a === b) return true
  if (a.space === 'slot' && b.space === 'slot') return isSameSlot(a, b) && fieldPath(a) === fieldPath(b)
  return a.space === b.space && a.variable !== null && a.variable === b.variable && mayOverlapAcross(a, b)
}
