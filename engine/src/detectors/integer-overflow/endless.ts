import { chosenByCaller, intervalOf, type Loop, loopsOf, Source, taintOf } from '../../facts/index.ts'
import { isConstant } from '../../idioms/index.ts'
import { type BinaryOp, type Flow, type Op, rangeOf, stripCasts } from '../../ir/index.ts'

/** Nobody can pay for more rounds than 16 bits count. */
const mostBits = 16

/** The comparison that ends the loop which a narrow counter counts, and what it counts up to. */
const endOf = (flow: Flow, op: BinaryOp): { loop: Loop; test: BinaryOp; end: Op } | null => {
  const counter = op.args[0]
  const type = flow.typeOf(op)
  if (op.operator !== '+' || counter.kind !== 'phi' || type?.kind !== 'int' || type.bits > mostBits) return null
  const loop = loopsOf(flow).find(({ mark }) => mark.header === counter.block)
  const test = loop?.condition
  if (loop === undefined || test?.kind !== 'bin' || !isConstant(op.args[1])) return null
  const [left, right] = test.args
  const end = stripCasts(left) === counter ? right : stripCasts(right) === counter ? left : null
  return end === null ? null : { loop, test, end }
}

/** `for (uint8 i = 0; i <= n; i++)` where an outsider makes `n` at least as large as the type's last number. */
export const isEndless = (flow: Flow, op: BinaryOp): boolean => {
  const found = endOf(flow, op)
  if (found === null || (taintOf(flow, found.end) & (chosenByCaller | Source.outsiderState)) === 0) return false
  const { loop, test, end } = found
  // A list that its keepers alone make longer.
  if (loop.variable !== null && loop.grownBy !== 'anyone') return false
  const last = rangeOf(flow.typeOf(op)).max
  const { max } = intervalOf(flow, end, test)
  return test.operator === '<=' || test.operator === '>=' ? max >= last : max > last
}
