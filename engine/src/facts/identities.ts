/** Arithmetic that is in range whatever the numbers are, because of what they are made of. */
import { type BinaryOp, bothWays, type Flow, type Op, sameValue, stripCasts } from '../ir/index.ts'
import { isNarrowed } from './narrowing.ts'
import type { Relation } from './relations.ts'

/** Of its operands one is made of the other, or was compared with it, in a way that leaves room. */
export const isInRangeByItself = (flow: Flow, op: BinaryOp, relations: readonly Relation[]): boolean =>
  isMeanWithQuotient(flow, op) ||
  isRestored(op) ||
  (relations.length > 0 &&
    (isShareOfRounds(flow, op, relations) ||
      isAboveTheLower(flow, op, relations) ||
      isReadUnsigned(flow, op, relations)))

/** `b * (a / b)`, which is never more than `a`, and with `a % b` added it is `a` again; so is `a - b` with `b` put back. */
const isRestored = (op: BinaryOp): boolean => {
  const a = stripCasts(op.args[0])
  const b = stripCasts(op.args[1])
  if (op.operator === '*') return dividendOf(a, b) !== null || dividendOf(b, a) !== null
  return op.operator === '+' && (isPutBack(a, b) || isPutBack(b, a) || isRestOf(a, b) || isRestOf(b, a))
}

const isPutBack = (difference: Op, taken: Op): boolean =>
  difference.kind === 'bin' && difference.operator === '-' && sameValue(difference.args[1], taken)

/** The `a` of a quotient `a / divisor`. */
const dividendOf = (quotient: Op, divisor: Op): Op | null =>
  quotient.kind === 'bin' && quotient.operator === '/' && sameValue(quotient.args[1], divisor) ? quotient.args[0] : null

const isRestOf = (rest: Op, product: Op): boolean => {
  if (rest.kind !== 'bin' || rest.operator !== '%' || product.kind !== 'bin' || product.operator !== '*') return false
  const [a, b] = product.args.map(stripCasts) as [Op, Op]
  const dividend = dividendOf(a, b) ?? dividendOf(b, a)
  const divisor = dividendOf(a, b) === null ? a : b
  return dividend !== null && sameValue(rest.args[0], dividend) && sameValue(rest.args[1], divisor)
}

/** `(y / x + x) / 2`, a step towards the root of `y`: from 1 to `y`, `x` and `y / x` together are never more than `y + 1`. */
const isMeanWithQuotient = (flow: Flow, op: BinaryOp): boolean => {
  if (op.operator !== '+') return false
  const isQuotientBy = (quotient: Op, divisor: Op): boolean =>
    quotient.kind === 'bin' && quotient.operator === '/' && sameValue(quotient.args[1], divisor)
  const a = stripCasts(op.args[0])
  const b = stripCasts(op.args[1])
  if (!isQuotientBy(a, b) && !isQuotientBy(b, a)) return false
  const users = flow.usersOf(op)
  return users.length > 0 && users.every((user) => user.kind === 'bin' && isHalf(user))
}

const isHalf = ({ operator, args: [, by] }: Op): boolean =>
  by?.kind === 'const' && ((operator === '/' && by.constant === 2n) || (operator === '>>' && by.constant === 1n))

/** `i * (whole / n)` with `i <= n`: so many of the equal parts are no more than the whole. */
const isShareOfRounds = (flow: Flow, op: BinaryOp, relations: readonly Relation[]): boolean =>
  op.operator === '*' &&
  bothWays(op).some(([i, part]) => {
    if (part.kind !== 'bin' || part.operator !== '/' || isNarrowed(flow, part.args[1])) return false
    return relations.some(({ greater, smaller }) => sameValue(greater, part.args[1]) && sameValue(smaller, i))
  })

/** `(low + high + 1) / 2 - 1` with `low < high`: the middle, rounded up, is above the lower one. Whether the sum fits is judged where it stands. */
const isAboveTheLower = (
  flow: Flow,
  { operator, args: [middle, one] }: BinaryOp,
  relations: readonly Relation[],
): boolean => {
  const half = stripCasts(middle)
  if (operator !== '-' || !isOne(one) || half.kind !== 'bin' || !isHalf(half)) return false
  const inner = stripCasts(half.args[0]!)
  if (inner.kind !== 'bin' || inner.operator !== '+') return false
  return bothWays(inner).some(([sum, more]) => {
    if (!isOne(more) || sum.kind !== 'bin' || sum.operator !== '+') return false
    if (sum.args.some((side) => isNarrowed(flow, side))) return false
    return bothWays(sum).some(([high, low]) =>
      relations.some(({ greater, smaller, strict }) => strict && sameValue(greater, high) && sameValue(smaller, low)),
    )
  })
}

/** `uint256(high - low)` of signed numbers with `high >= low`: read without a sign the difference is right, however far they are apart. */
const isReadUnsigned = (flow: Flow, op: BinaryOp, relations: readonly Relation[]): boolean => {
  const type = flow.typeOf(op)
  if (op.operator !== '-' || type?.kind !== 'int' || !type.signed) return false
  const [high, low] = op.args
  if (isNarrowed(flow, high) || isNarrowed(flow, low)) return false
  if (!relations.some(({ greater, smaller }) => sameValue(greater, high) && sameValue(smaller, low))) return false
  const users = flow.usersOf(op)
  return users.length > 0 && !flow.isIndex(op) && users.every((user) => isUnsignedOf(flow, user, type.bits))
}

const isUnsignedOf = (flow: Flow, user: Op, bits: number): boolean => {
  const type = flow.typeOf(user)
  return user.kind === 'cast' && type?.kind === 'int' && !type.signed && type.bits === bits
}

const isOne = (value: Op): boolean => {
  const { kind, constant } = stripCasts(value)
  return kind === 'const' && constant === 1n
}
