/** Lists that nothing is added to: each filling starts from an empty list, so that one call has to pay for all there is. */

import {
  type Flow,
  isBefore,
  type Location,
  type Op,
  type OpOf,
  type StoreOp,
  sameValue,
  stripCasts,
} from '../ir/index.ts'
import { dependsOn } from './dependencies.ts'

import { isOpened } from './opened-records.ts'

/** The store puts a new list in the place of the old one, or adds to a list that this very call has emptied or opened. */
export const isRefill = (flow: Flow, store: StoreOp): boolean => {
  const place = store.location
  if (place.part !== 'length') return isReplaced(flow, store)
  const start = flow.loopMarkAround(store)?.header ?? store.block
  let isEmpty = isOpened(flow, place)
  for (const other of flow.stateStores()) {
    if (!isBefore(other, store)) break
    if (other.location.variable !== place.variable) continue
    if (isReplacedBefore(flow, other, store, start)) isEmpty = true
    else if (place.parent !== null && isSamePlace(flow, other.location, place.parent)) isEmpty = false
  }
  return isEmpty
}

/** By what is not stored yet. */
const isReplaced = (flow: Flow, store: StoreOp): boolean => !dependsOn(flow, store.args[0], isStored)

const isStored = (op: Op): op is OpOf<'load' | 'ref'> =>
  (op.kind === 'load' || op.kind === 'ref') && op.location.space !== 'memory'

/** `delete list` (`list.length = 0` of old) or `list = given`, or the same of the record that holds it, before the first element is added; also only if there are any. */
const isReplacedBefore = (flow: Flow, first: StoreOp, store: StoreOp, start: number): boolean => {
  if (first.block >= start && first.block !== store.block) return false
  if (!isReplaced(flow, first) || !holds(flow, first.location, store.location)) return false
  return flow.dominates(first, store)
}

const holds = (flow: Flow, outer: Location, place: Location): boolean => {
  for (let at: Location | null = place; at !== null; at = at.parent) if (isSamePlace(flow, at, outer)) return true
  return false
}

/** Also by keys that are read twice from a record in memory which nothing writes in between. */
const isSamePlace = (flow: Flow, a: Location, b: Location): boolean => {
  if (a === b) return true
  if (a.variable !== b.variable || a.base !== b.base || a.part !== b.part || a.name !== b.name) return false
  if ((a.index === null) !== (b.index === null) || a.parent === null || b.parent === null) return false
  return (a.index === null || isSameKey(flow, a.index, b.index!)) && isSamePlace(flow, a.parent, b.parent)
}

const isSameKey = (flow: Flow, a: Op, b: Op): boolean => {
  const [x, y] = [stripCasts(a), stripCasts(b)]
  if (sameValue(x, y)) return true
  if (x.kind !== 'load' || y.kind !== 'load' || x.location !== y.location) return false
  return x.location.space === 'memory' && flow.memoryStoresTo(x.location).length === 0
}
