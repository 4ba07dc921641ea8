/** Where the caller's own numbers are counted with although somebody switched the checks off. */
import { dependsOn, loopsOf } from '../../facts/index.ts'
import { accountOf, isMessageValue } from '../../idioms/index.ts'
import { budget, type Flow, isEquality, isOrdering, type Op, rootOf, stripCasts } from '../../ir/index.ts'

/** The caller's own number changes state at once; what is worked out of many numbers without checks rests on limits of theirs. */
export const isKeptAsGiven = (flow: Flow, op: Op): boolean => hasGiven(flow, op) && isStored(flow, op)

/** `require(msg.value >= n * price)`: what the caller has to pay for the numbers that the caller names. */
export const isPriceOf = (flow: Flow, op: Op): boolean =>
  op.operator !== '-' && flow.usesEnvironment('msg.value') && hasGiven(flow, op) && isComparedWithPayment(flow, op)

const hasGiven = (flow: Flow, { args }: Op): boolean => args.some((arg) => isGiven(flow, arg) || isElementGiven(arg))

/** Phis go round in loops. */
const maxDepth = budget.depth.unchecked

/** A number of rounds is none: nobody can pay for too many. */
const isGiven = (flow: Flow, value: Op, depth = 0): boolean => {
  const op = stripCasts(value)
  if (op.kind === 'param')
    return !loopsOf(flow).some(
      ({ condition }) => condition !== null && dependsOn(flow, condition, (part) => part === op),
    )
  if (op.kind !== 'phi' && op.kind !== 'select' && (op.kind !== 'bin' || op.operator !== '^')) return false
  return depth < maxDepth && op.args.some((arg) => isGiven(flow, arg, depth + 1))
}

/** One of a list of numbers. */
const isElementGiven = (value: Op): boolean => {
  const op = stripCasts(value)
  if (op.kind !== 'load' || op.location.space !== 'memory' || op.location.index === null) return false
  const { base } = rootOf(op.location)
  return base !== null && stripCasts(base).kind === 'param'
}

const isComparedWithPayment = (flow: Flow, op: Op, depth = 0): boolean =>
  flow.usersOf(op).some((user) => {
    if (user.kind === 'bin' && (isOrdering(user.operator) || isEquality(user.operator)))
      return user.args.some((side) => isMessageValue(stripCasts(side)))
    const goesOn = user.kind === 'cast' || user.kind === 'phi' || (user.kind === 'bin' && user.operator === '+')
    return goesOn && depth <= maxDepth && isComparedWithPayment(flow, user, depth + 1)
  })

/** Stored, or put to an account that is stored. */
const isStored = (flow: Flow, op: Op, depth = 0): boolean =>
  flow.usersOf(op).some((user) => {
    if (user.kind === 'store') return user.location.space !== 'memory'
    const goesOn = user.kind === 'cast' || user.kind === 'phi' || (user.kind === 'bin' && accountOf(user) !== null)
    return goesOn && depth < maxDepth && isStored(flow, user, depth + 1)
  })
