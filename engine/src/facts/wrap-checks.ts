/** Checks of a result after it was worked out: whether what is done with it runs only where it has not wrapped around. */
import {
  type BinaryOp,
  bothOrders,
  budget,
  type Flow,
  isComparison,
  isEquality,
  type Op,
  type OpKind,
  rangeOf,
  sameValue,
  stripCasts,
} from '../ir/index.ts'
import type { Fact } from './conditions.ts'
import { factsOf, guardsAt, guardsAtEnd } from './guards.ts'
import { isNarrowed } from './narrowing.ts'
import type { Numbers } from './numbers.ts'
import { reaches, usesOf } from './reaches.ts'
import { addRelation, type Relation } from './relations.ts'

/** Whether a condition that comes out this way decides the question. */
export type Says = (condition: Op, comesOut: boolean) => boolean

/** The result is compared, and either a refusal follows when it has wrapped around, or nothing else is done with it then. */
export const isCheckedAfter = (numbers: Numbers, op: BinaryOp): boolean => {
  const { flow } = numbers
  return isSaidToFit(numbers, op, (fits) => {
    const checks = checksOf(flow, op, fits)
    if (checks.length === 0) return false
    return isUsedOnlyWhere(flow, op, fits) || checks.some((check) => isDemandedAfter(flow, check, op, fits))
  })
}

const checksOf = (flow: Flow, op: BinaryOp, fits: Says): readonly BinaryOp[] => {
  const checks: BinaryOp[] = []
  const isPassedOn = (user: Op): boolean => user.kind === 'cast' || isUndoing(user)
  for (const { user } of usesOf(flow, op, isPassedOn)) if (user !== null && isCheck(user, fits)) checks.push(user)
  return checks
}

const isCheck = (op: Op, fits: Says): op is BinaryOp => op.kind === 'bin' && (fits(op, true) || fits(op, false))

/** `c / a`, or `c - a` where that reverts below zero: the way back, to see whether it leads to where it came from. */
const isUndoing = ({ kind, operator, flag }: Op): boolean =>
  kind === 'bin' && (operator === '/' || (operator === '-' && flag))

/** Whether a condition that comes out this way says so: where all of its parts are known one is enough, where one is, and not which, each has to. */
export const saysSo = (says: Says, condition: Op, comesOut: boolean, depth = 0): boolean => {
  if (depth > budget.depth.relations) return false
  const of = (part: Op, out = comesOut): boolean => saysSo(says, part, out, depth + 1)
  if (condition.kind === 'un') return condition.operator === '!' && of(condition.args[0], !comesOut)
  if (condition.kind === 'phi')
    return condition.args.every((arg) => arg !== condition && (isAlways(arg, !comesOut) || of(arg)))
  if (condition.kind === 'bin') {
    const [left, right] = condition.args
    if (condition.operator === (comesOut ? '&&' : '||')) return of(left) || of(right)
    if (condition.operator === (comesOut ? '||' : '&&')) return of(left) && of(right)
    if (isEquality(condition.operator) && isComparisonOp(left) && isComparisonOp(right)) {
      const isSame = (condition.operator === '==') === comesOut
      return [true, false].every((out) => of(left, out) || of(right, out === isSame))
    }
  }
  return says(condition, comesOut)
}

/** `(c >= a) == (b >= 0)`: each comes out as the other does, both ways. */
const isComparisonOp = ({ kind, operator }: Op): boolean => kind === 'bin' && isComparison(operator)

const isAlways = ({ kind, constant }: Op, value: boolean): boolean =>
  kind === 'const' && constant !== null && (constant !== 0n) === value

/** Whether all is known that together says that a result has not wrapped around. */
export const isSaidToFit = (numbers: Numbers, op: BinaryOp, isKnown: (says: Says) => boolean): boolean => {
  const { flow } = numbers
  const isOfSigned = isSigned(flow, op) || op.args.some((arg) => isSigned(flow, stripCasts(arg)))
  if (op.operator === '*' || !isOfSigned) return isKnown(saysThatItFits(numbers, op, isOfSigned))
  if (!isSigned(flow, op) && isKnown(saysThatItFits(numbers, op, isOfSigned))) return true
  const [a, b] = op.args
  if (op.operator === '-') return isSaidOfSigned(numbers, op, [a, b], isKnown)
  return (
    op.operator === '+' && [[a, b] as const, [b, a] as const].some((edge) => isSaidOfSigned(numbers, op, edge, isKnown))
  )
}

/** `c >= a`, `c / a == b`, `a - b <= a` and their turns, also `a == 0` for a product, and for a difference that there is enough. */
const saysThatItFits =
  (numbers: Numbers, op: BinaryOp, isOfSigned: boolean): Says =>
  (comparison, comesOut) => {
    if (comparison.kind !== 'bin' || !isComparison(comparison.operator)) return false
    if (!isOfSigned && comparison.args.some((side) => isNarrowed(numbers.flow, side, op.args))) return false
    if (op.operator === '*') return saysProductFits(comparison, comesOut, op)
    if (isOfSigned && !comparison.args.every((side) => isReadAs(numbers.flow, side, op))) return false
    return relationsOf(comparison, comesOut).some((relation) =>
      op.operator === '-' ? saysDifferenceFits(relation, op) : saysSumFits(numbers, relation, op),
    )
  }

const relationsOf = (comparison: BinaryOp, comesOut: boolean): readonly Relation[] => {
  const relations: Relation[] = []
  addRelation(relations, comparison, comesOut)
  return relations
}

const isSigned = (flow: Flow, value: Op): boolean => value.kind !== 'const' && rangeOf(flow.typeOf(value)).min < 0n

/**
 * Which order is the right one depends on the sign of the step: `c = a + b` is not below `a` unless `b` is below zero, and not above it
 * unless `b` is above zero. Both have to be known, and nothing need be checked where the sign is settled.
 */
const isSaidOfSigned = (
  numbers: Numbers,
  op: BinaryOp,
  [start, step]: readonly [Op, Op],
  isKnown: (says: Says) => boolean,
): boolean => {
  const { min, max } = numbers.interval(isSigned(numbers.flow, stripCasts(step)) ? stripCasts(step) : step, op)
  const isDown = op.operator === '-'
  const isNotBelow = saysOrder(numbers.flow, op, start, step, true)
  const isNotAbove = saysOrder(numbers.flow, op, start, step, false)
  const [ifUp, ifDown] = isDown ? [isNotAbove, isNotBelow] : [isNotBelow, isNotAbove]
  return (max <= 0n || isKnown(ifUp)) && (min >= 0n || isKnown(ifDown))
}

/** That the result is on this side of where it started, or that the step leads to the other side. */
const saysOrder = (flow: Flow, op: BinaryOp, start: Op, step: Op, isAbove: boolean): Says => {
  const stepsUp = isAbove === (op.operator === '-')
  return (comparison, comesOut) => {
    if (comparison.kind !== 'bin' || !isComparison(comparison.operator)) return false
    return relationsOf(comparison, comesOut).some(({ greater, smaller }) => {
      const [result, from] = isAbove ? [greater, smaller] : [smaller, greater]
      if (sameValue(result, op) && sameValue(from, start)) return isReadAs(flow, result, op) && isReadAs(flow, from, op)
      const [side, nothing] = stepsUp ? [greater, smaller] : [smaller, greater]
      return isNothing(nothing) && sameValue(side, step) && isSigned(flow, side)
    })
  }
}

/** With a sign where the result has one, and of as many bits. */
const isReadAs = (flow: Flow, side: Op, op: BinaryOp): boolean => {
  const [given, wanted] = [rangeOf(flow.typeOf(side)), rangeOf(flow.typeOf(op))]
  return side.kind === 'const' || (given.min === wanted.min && given.max === wanted.max)
}

const saysDifferenceFits = ({ greater, smaller }: Relation, op: BinaryOp): boolean =>
  sameValue(greater, op.args[0]) && (sameValue(smaller, op) || sameValue(smaller, op.args[1]))

/** A sum that has wrapped around is less than either of what was added. */
const saysSumFits = (numbers: Numbers, { greater, smaller, strict }: Relation, op: BinaryOp): boolean => {
  if (op.operator !== '+' || !sameValue(greater, op)) return false
  if (op.args.some((arg) => sameValue(arg, smaller))) return true
  const step = op.args.map(stripCasts).find(({ kind }) => kind === 'const')?.constant ?? null
  return step !== null && numbers.interval(smaller).min + (strict ? 1n : 0n) >= step
}

/** `c / a == b`; and what is multiplied by nothing is nothing. */
const saysProductFits = (comparison: BinaryOp, comesOut: boolean, op: BinaryOp): boolean => {
  if (comparison.operator !== (comesOut ? '==' : '!=')) return false
  const [a, b] = op.args
  return bothOrders(comparison).some(([quotient, other]) => {
    if (isNothing(quotient)) return sameValue(other, a) || sameValue(other, b)
    if (quotient.kind !== 'bin' || quotient.operator !== '/' || !sameValue(quotient.args[0], op)) return false
    const by = quotient.args[1]
    return (sameValue(by, a) && sameValue(other, b)) || (sameValue(by, b) && sameValue(other, a))
  })
}

const isNothing = (value: Op): boolean => {
  const { kind, constant } = stripCasts(value)
  return kind === 'const' && constant === 0n
}

/** Whatever is done with a value, but for the checks themselves, is done only where it is known to fit. */
export const isUsedOnlyWhere = (flow: Flow, value: Op, fits: Says): boolean => {
  const isKnown = (facts: readonly Fact[]): boolean =>
    facts.some(({ condition, polarity }) => saysSo(fits, condition, polarity))
  const users = flow.usersOf(value)
  if (users.length === 0 || flow.isIndex(value)) return false
  return users.every((user) => {
    if (user.kind === 'cast') return isUsedOnlyWhere(flow, user, fits)
    if ((user.kind === 'call' && user.call.inlined) || isCheck(user, fits)) return true
    if (isUndoing(user) && flow.usersOf(user).every((check) => isCheck(check, fits))) return true
    if (user.kind === 'phi')
      return user.args.every((arg, edge) => arg !== value || isKnown(factsOnPath(flow, user, edge)))
    if (user.kind === 'select') return false
    return isKnown(guardsAt(flow, user))
  })
}

/** What holds on one of the ways into the block of an operation. */
export const factsOnPath = (flow: Flow, { block }: Pick<Op, 'block'>, edge: number): readonly Fact[] => {
  const pred = flow.blocks[block]!.preds[edge]
  if (pred === undefined) return []
  const { condition, succs } = flow.blocks[pred]!
  const facts = guardsAtEnd(flow, pred)
  return condition === null || succs.length !== 2
    ? facts
    : [...facts, ...factsOf(flow, condition, succs[0] === block, condition)]
}

/** A value ends up in a `require`, or in a branch whose other side reverts, that every way on from an operation takes, and that holds only if it says so. */
export const isDemandedAfter = (flow: Flow, value: Op, op: Op, says: Says): boolean => {
  const isKnown = (condition: Op, comesOut: boolean): boolean =>
    factsOf(flow, condition, comesOut, condition).some((fact) => saysSo(says, fact.condition, fact.polarity))
  return reaches(flow, value, {
    through: ({ kind }) => isWorkedOut.has(kind),
    until: ({ user, branch }) => {
      if (branch === null) return user.kind === 'assume' && flow.isFollowedBy(op, user) && isKnown(user.args[0], true)
      const { condition, id, succs } = branch
      if (condition === null || succs.length !== 2 || !isBlockAfter(flow, op.block, id)) return false
      return succs.some((side, i) => isRefused(flow, side) && isKnown(condition, i === 1))
    },
  })
}

const isWorkedOut: ReadonlySet<OpKind> = new Set(['bin', 'un', 'phi', 'cast', 'extract', 'select'])

const isBlockAfter = (flow: Flow, from: number, to: number): boolean => {
  const post = flow.ipdom
  let x = from
  while (x !== -1 && x < to) x = post[x]!
  return x === to
}

/** Anyone who gets to this block goes on to a revert. */
const isRefused = (flow: Flow, block: number): boolean => !flow.answer(blocksThatEnd).has(block)

/** Blocks from which execution can come to an end that is no revert. */
const blocksThatEnd = (flow: Flow): ReadonlySet<number> => {
  const found = new Set<number>()
  for (const { block } of [...flow.ops('return'), ...flow.builtins('selfdestruct')]) found.add(block)
  for (const id of found) for (const pred of flow.blocks[id]!.preds) found.add(pred)
  return found
}
