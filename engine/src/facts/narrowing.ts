import { type Flow, type Op, rangeOf } from '../ir/index.ts'
import type { Type } from '../model/index.ts'

/** A conversion of what is `meant` that loses something: what is said of the number that comes out is not said of the one that went in. */
export const isNarrowed = (flow: Flow, value: Op, meant: readonly Op[] = []): boolean => {
  for (let op = value; op.kind === 'cast' && !meant.includes(op); op = op.args[0]) {
    const [to, from] = [flow.typeOf(op), flow.typeOf(op.args[0])]
    const [kept, given] = [rangeOf(to), rangeOf(from)]
    if (op.args[0].kind !== 'const' && (given.max > kept.max || given.min < kept.min || isShifted(to, from)))
      return true
  }
  return false
}

/** Of bytes the first ones stay: as a number that is another one, also where there is room for all. */
export const isShifted = (to: Type | null, from: Type | null): boolean =>
  to?.kind === 'fixedBytes' && from?.kind === 'fixedBytes' && to.size !== from.size

/** Of two conversions of one value: they come to the same, because neither loses anything or both take the same steps. */
export const areSameNumber = (flow: Flow, a: Op, b: Op): boolean =>
  a === b || (!isNarrowed(flow, a) && !isNarrowed(flow, b)) || isSameConversion(flow, a, b)

const isSameConversion = (flow: Flow, a: Op, b: Op): boolean => {
  if (a.kind !== 'cast' || b.kind !== 'cast') return a.kind === b.kind
  return flow.typeOf(a)?.id === flow.typeOf(b)?.id && isSameConversion(flow, a.args[0], b.args[0])
}

/** Of two conversions of one value: the same, or cut from a number without sign, which no cut makes larger. */
export const isAtMost = (flow: Flow, value: Op, whole: Op): boolean =>
  areSameNumber(flow, value, whole) || (!isNarrowed(flow, whole) && rangeOf(flow.typeOf(whole)).min === 0n)
