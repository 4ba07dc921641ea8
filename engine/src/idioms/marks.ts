/** Marks that let something happen only once. */
import { isZero, type LoadOp, type Op, stripCasts } from '../ir/index.ts'

/** `!claimed[id]`, `claimed[id] == 0`: the place that is required to be unset. */
export const requiredUnset = (condition: Op, polarity: boolean): LoadOp | null => {
  const op = stripCasts(condition)
  if (op.kind === 'un' && op.operator === '!') return requiredUnset(op.args[0], !polarity)
  if (op.kind === 'load') return polarity || op.location.space !== 'state' ? null : op
  if (op.kind !== 'bin' || op.operator !== (polarity ? '==' : '!=')) return null
  const sides = op.args.map(stripCasts)
  const place = sides.find((side) => side.kind === 'load' && side.location.space === 'state')
  return place !== undefined && sides.some(isZero) ? (place as LoadOp) : null
}
