/** Arithmetic that is in range whatever the numbers are, because of what they are made of. */
import { type BinaryOp, type Flow, type Op, sameValue, stripCasts } from '../ir/index.ts'
import { isNarrowed } from './narrowing.ts'

/**
 * Of its operands one is made of the other, or was compared with it, in a way that leaves room: of a result that a conversion
 * has cut nothing of the kind is known.
 */
export const isInRangeByItself = (flow: Flow, op: BinaryOp): boolean =>
  !op.args.some((arg) => stripCasts(arg).kind === 'bin' && isNarrowed(flow, arg)) &&
  (isMeanWithQuotient(flow, op) || isRestored(flow, op))

/** `b * (a / b)`, which is never more than `a`, and with `a % b` added it is `a` again; so is `a - b` with `b` put back. */
const isRestored = (flow: Flow, op: BinaryOp): boolean => {
  const [a, b] = op.args
  if (op.operator === '*') return dividendOf(flow, a, b) !== null || dividendOf(flow, b, a) !== null
  return op.operator === '+' && (isRestoredSum(flow, a, b) || isRestoredSum(flow, b, a))
}

const isRestoredSum = (flow: Flow, rest: Op, taken: Op): boolean => {
  const difference = stripCasts(rest)
  return difference.kind === 'bin' && difference.operator === '-' && isWhole(flow, difference.args[1], taken)
}

/** The operand itself, also when that has been cut before, and no part of it. */
const isWhole = (flow: Flow, value: Op, operand: Op): boolean => {
  if (!sameValue(value, operand)) return false
  const meant = [operand]
  for (let op = operand; op.kind === 'cast'; op = op.args[0]) meant.push(op.args[0])
  return !isNarrowed(flow, value, meant)
}

/** The `a` of a quotient `a / divisor`. */
const dividendOf = (flow: Flow, part: Op, divisor: Op): Op | null => {
  const quotient = stripCasts(part)
  if (quotient.kind !== 'bin' || quotient.operator !== '/') return null
  return isWhole(flow, quotient.args[1], divisor) ? quotient.args[0] : null
}

/** `(y / x + x) / 2`, a step towards the root of `y`: from 1 to `y`, `x` and `y / x` together are never more than `y + 1`. */
const isMeanWithQuotient = (flow: Flow, op: BinaryOp): boolean => {
  if (op.operator !== '+') return false
  const [a, b] = op.args
  if (dividendOf(flow, a, b) === null && dividendOf(flow, b, a) === null) return false
  const users = flow.usersOf(op)
  return users.length > 0 && users.every((user) => user.kind === 'bin' && isHalf(user))
}

const isHalf = ({ operator, args: [, by] }: Op): boolean =>
  by?.kind === 'const' && ((operator === '/' && by.constant === 2n) || (operator === '>>' && by.constant === 1n))
