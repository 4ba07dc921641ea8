/** Whether a condition can come out one way or the other, judged by the bounds of what it compares. */

import { budget, type Flow, type Interval, type Op, stripCasts } from '../ir/index.ts'
import { areSameNumber } from './narrowing.ts'

/** Bounds of a value; null when nothing is known. */
export type Bounds = (value: Op) => Interval | null

/** Whether a condition can come out this way, with bounds of one's own for the values in it. */
export const canHoldWithin = (flow: Flow, bounds: Bounds, condition: Op, polarity: boolean, depth = 0): boolean => {
  if (depth > budget.depth.outcome) return true
  if (condition.kind === 'const' && condition.constant !== null) return (condition.constant !== 0n) === polarity
  if (condition.kind === 'un' && condition.operator === '!')
    return canHoldWithin(flow, bounds, condition.args[0], !polarity, depth + 1)
  if (condition.kind === 'load') {
    const flag = bounds(condition)
    return flag === null || (polarity ? flag.max !== 0n : flag.min === 0n)
  }
  if (condition.kind !== 'bin') return true
  const [left, right] = condition.args
  if (stripCasts(left) === stripCasts(right) && areSameNumber(flow, left, right)) {
    if (heldByEqual.has(condition.operator)) return polarity
    if (deniedByEqual.has(condition.operator)) return !polarity
  }
  if (condition.operator === '&&' && polarity)
    return canHoldWithin(flow, bounds, left, true, depth + 1) && canHoldWithin(flow, bounds, right, true, depth + 1)
  if (condition.operator === '||' && polarity)
    return canHoldWithin(flow, bounds, left, true, depth + 1) || canHoldWithin(flow, bounds, right, true, depth + 1)
  const a = bounds(left)
  const b = bounds(right)
  return a === null || b === null || canCompare(condition.operator, a, b, polarity)
}

const heldByEqual = new Set(['==', '<=', '>='])
const deniedByEqual = new Set(['!=', '<', '>'])

const canCompare = (operator: string, a: Interval, b: Interval, polarity: boolean): boolean => {
  switch (operator) {
    case '==':
      return polarity ? overlap(a, b) : canDiffer(a, b)
    case '!=':
      return polarity ? canDiffer(a, b) : overlap(a, b)
    case '<':
      return polarity ? a.min < b.max : a.max >= b.min
    case '<=':
      return polarity ? a.min <= b.max : a.max > b.min
    case '>':
      return polarity ? a.max > b.min : a.min <= b.max
    case '>=':
      return polarity ? a.max >= b.min : a.min < b.max
    default:
      return true
  }
}

const overlap = (a: Interval, b: Interval): boolean => a.min <= b.max && b.min <= a.max

/** Unless both are one number, and the same. */
const canDiffer = (a: Interval, b: Interval): boolean => a.min !== b.max || a.max !== b.min

/** Bounds of what is written into the code, and of nothing else: costs nothing to ask. */
export const constantBounds: Bounds = (value) => {
  const op = stripCasts(value)
  return op.kind === 'const' && op.constant !== null ? { min: op.constant, max: op.constant } : null
}
