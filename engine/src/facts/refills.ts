/** Lists that nothing is added to: each filling starts from an empty list, so that one call has to pay for all there is. */

import {
  type Flow,
  isBefore,
  isZero,
  type Location,
  type Op,
  type OpOf,
  type StoreOp,
  stripCasts,
} from '../ir/index.ts'
import { dependsOn } from './dependencies.ts'
import { guardsAt } from './guards.ts'
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
    if (isDrained(flow, other, store, start) || isReplacedBefore(flow, other, store, start)) isEmpty = true
    else if (other.location === place.parent) isEmpty = false
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
  if (!isReplaced(flow, first) || !holds(first.location, store.location)) return false
  if (flow.dominates(first, store)) return true
  return guardsAt(flow, first).some(
    ({ condition }) => testsLength(condition, store.location) && flow.dominates(condition, store),
  )
}

const holds = (outer: Location, place: Location): boolean => {
  for (let at: Location | null = place; at !== null; at = at.parent) if (at === outer) return true
  return false
}

const testsLength = (condition: Op, length: Location): boolean =>
  condition.kind === 'bin' &&
  condition.args.some((arg) => stripCasts(arg).location === length) &&
  condition.args.some(isZero)

/** A loop that goes on while a list has elements takes away one of this list each round. */
const isDrained = (flow: Flow, pop: StoreOp, store: StoreOp, start: number): boolean => {
  const { location, args } = pop
  if (location.part !== 'length' || args[0].kind !== 'bin' || args[0].operator !== '-') return false
  const loop = flow.loopMarkAround(pop)
  if (loop === null || loop.test === -1 || loop.last >= start || !flow.blockDominates(loop.header, store.block))
    return false
  const { condition } = flow.blocks[loop.test]!
  return condition !== null && dependsOn(flow, condition, isLength)
}

const isLength = (op: Op): boolean => isStored(op) && op.location.part === 'length'
