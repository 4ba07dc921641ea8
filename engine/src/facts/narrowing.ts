import type { Flow, Op } from '../ir/index.ts'
import { rangeOf } from './ranges.ts'

/** A conversion of what is `meant` that loses something: what is said of the number that comes out is not said of the one that went in. */
export const isNarrowed = (flow: Flow, value: Op, meant: readonly Op[] = []): boolean => {
  for (let op = value; op.kind === 'cast' && !meant.includes(op); op = op.args[0]) {
    const kept = rangeOf(flow.typeOf(op))
    const given = rangeOf(flow.typeOf(op.args[0]))
    if (op.args[0].kind !== 'const' && (given.max > kept.max || given.min < kept.min)) return true
  }
  return false
}
