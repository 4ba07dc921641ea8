/**
 * Whether the arithmetic of a function can leave the range of its type for some arguments, by the bounds of types and constants alone. "Yes" is the
 * careful answer.
 */
import type { Model } from '../model/index.ts'
import type { Ir, Op } from './ir.ts'
import { typeOf } from './op-types.ts'
import { isLogical, isOverflowing } from './operators.ts'
import { constantInterval, exactBounds, type Interval, join, rangeOf } from './ranges.ts'

export const canWrapAround = (model: Model, { blocks }: Ir): boolean => {
  const known = new Map<Op, Interval>()
  // Blocks follow program order, so only what a loop brings back is not yet known: there the type is the bound.
  const of = (op: Op): Interval =>
    op.kind === 'const' && op.constant !== null
      ? constantInterval(op.constant)
      : (known.get(op) ?? rangeOf(typeOf(model, op)))
  for (const { phis, ops } of blocks) {
    for (const phi of phis) known.set(phi, phi.args.map(of).reduce(join))
    for (const op of ops) {
      const bounds = boundsOf(model, op, of)
      if (bounds === null) return true
      known.set(op, bounds)
    }
  }
  return false
}

/** Null where it may wrap around. */
const boundsOf = (model: Model, op: Op, of: (op: Op) => Interval): Interval | null => {
  const range = rangeOf(typeOf(model, op))
  switch (op.kind) {
    case 'select':
      return join(of(op.args[1]), of(op.args[2]))
    case 'cast':
      return within(of(op.args[0]), range) ?? range
    case 'un':
      return op.operator === '-' ? within(exactBounds('-', constantInterval(0n), of(op.args[0])), range) : range
    case 'bin': {
      if (isLogical(op.operator)) return range
      const exact = within(exactBounds(op.operator, of(op.args[0]), of(op.args[1])), range)
      return exact ?? (isOverflowing(op.operator) && !op.flag ? null : range)
    }
    case 'call':
      return op.call.inlined ? range : null
    default:
      return range
  }
}

const within = (bounds: Interval | null, range: Interval): Interval | null =>
  bounds !== null && bounds.min >= range.min && bounds.max <= range.max ? bounds : null
