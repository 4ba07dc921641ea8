/** Where the caller's own numbers are counted with although someone switched the checks off. */
import { dependsOn, guardsAt, loopsOf, relationsAt } from '../../facts/index.ts'
import { accountOf, isMessageValue, outgoingOf } from '../../idioms/index.ts'
import { budget, type Flow, isEquality, isOrdering, type Op, rootOf, stripCasts } from '../../ir/index.ts'

/** The caller's own number changes state at once; what is worked out of many numbers without checks rests on limits of theirs. */
export const isKeptAsGiven = (flow: Flow, op: Op): boolean => hasGiven(flow, op) && isStored(flow, op)

/** `require(msg.value >= n * price)`: what the caller has to pay for the numbers that the caller names. */
export const isPriceOf = (flow: Flow, op: Op): boolean =>
  op.operator !== '-' && flow.usesEnvironment('msg.value') && hasGiven(flow, op) && isComparedWithPayment(flow, op)

/**
 * `require(totalSupply + amount <= cap)`, or `balance >= amount + fee`: a limit on what the caller takes, which the result of the operation
 * passes once it has wrapped around.
 */
export const isLimitPassed = (flow: Flow, op: Op): boolean => {
  const given = op.args.map(stripCasts).filter((arg) => isGiven(flow, arg) || isPartGiven(arg))
  if (given.length === 0) return false
  const isTaken = (value: Op): boolean => given.some((one) => dependsOn(flow, value, (part) => isSameGiven(part, one)))
  const isHeldAgainst = (at: Op): boolean =>
    relationsAt(flow, at).some(({ smaller, greater }) => stripCasts(op.operator === '-' ? greater : smaller) === op)
  return (
    flow.stateStores().some((store) => isHeldAgainst(store) && isTaken(store.args[0])) ||
    outgoingOf(flow).some(({ op: call, amount }) => amount !== null && isHeldAgainst(call) && isTaken(amount))
  )
}

/** The caller says what it is, and no condition on the path to `op` asks about it or about what is made of it. */
export const isFree = (flow: Flow, op: Op, operand: Op): boolean => {
  const given = stripCasts(operand)
  if (given.kind !== 'param' && !isPartGiven(given)) return false
  return !guardsAt(flow, op).some(({ condition }) =>
    dependsOn(flow, condition, (part) => isSameGiven(part, given), { keys: true }),
  )
}

/** What the caller hands in that the operation counts with. */
export const givenIn = (op: Op): Op | undefined => {
  for (const arg of op.args.map(stripCasts)) {
    if (arg.kind === 'param') return arg
    if (isPartGiven(arg)) return stripCasts(rootOf(arg.location!).base!)
  }
  return undefined
}

const isSameGiven = (part: Op, given: Op): boolean =>
  part === given || (part.kind === 'load' && given.kind === 'load' && part.location === given.location)

const hasGiven = (flow: Flow, { args }: Op): boolean => args.some((arg) => isGiven(flow, arg) || isPartGiven(arg))

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

/** One of a list of numbers, or a field of a struct, that the caller hands in. */
const isPartGiven = (value: Op): boolean => {
  const op = stripCasts(value)
  if (op.kind !== 'load' || op.location.space !== 'memory') return false
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
