/** Places that no execution reaches: a condition on the way contradicts the bounds of what it compares. */
import type { Flow } from './flow.ts'
import type { Interval } from './intervals.ts'
import type { Op } from './ir.ts'

/** Whether a condition can come out this way, judged by bounds alone. */
export const canHold = (flow: Flow, condition: Op, polarity: boolean, depth = 0): boolean => {
  if (depth > 4) return true
  if (condition.kind === 'const' && condition.constant !== null) return (condition.constant !== 0n) === polarity
  if (condition.kind === 'un' && condition.operator === '!')
    return canHold(flow, condition.args[0]!, !polarity, depth + 1)
  if (condition.kind !== 'bin') return true
  const [left, right] = condition.args as [Op, Op]
  if (condition.operator === '&&' && polarity)
    return canHold(flow, left, true, depth + 1) && canHold(flow, right, true, depth + 1)
  if (condition.operator === '||' && polarity)
    return canHold(flow, left, true, depth + 1) || canHold(flow, right, true, depth + 1)
  const a = flow.interval(left)
  const b = flow.interval(right)
  return a === null || b === null || canCompare(condition.operator, a, b, polarity)
}

const canCompare = (operator: string, a: Interval, b: Interval, polarity: boolean): boolean => {
  switch (operator) {
    case '==':
      return polarity ? overlap(a, b) : !isSame(a, b)
    case '!=':
      return polarity ? !isSame(a, b) : overlap(a, b)
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

/** Both are one and the same number. */
const isSame = (a: Interval, b: Interval): boolean => a.min === a.max && b.min === b.max && a.min === b.min

/** False when a condition on every way to `op` can never come out as it must. */
export const isReachable = (flow: Flow, op: Op): boolean =>
  flow.guardsAt(op).every(({ condition, polarity }) => canHold(flow, condition, polarity))
