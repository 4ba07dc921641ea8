/** Whether arithmetic can leave the range of its type; SafeMath is recognized by its shape. */

import {
  type BasicBlock,
  type BinaryOp,
  bothOrders,
  budget,
  type ContractFlow,
  exactBounds,
  type Flow,
  type Interval,
  isBefore,
  isOverflowing,
  type Location,
  type Op,
  rangeOf,
  sameValue,
  stripCasts,
  time,
  uint256,
} from '../ir/index.ts'
import { isPlainlyAtLeast } from './at-least.ts'
import { upperBoundsOf } from './bounds-of.ts'
import type { Fact } from './conditions.ts'
import { factsOf, fromFactsAt, guardsAt, relationsAt, relationsOnPath } from './guards.ts'
import { isInRangeByItself } from './identities.ts'
import { bounded } from './intervals.ts'
import { valuesFor } from './memory-values.ts'
import type { Numbers } from './numbers.ts'
import { canHoldWithin, constantBounds } from './outcomes.ts'
import { asCompared } from './read-again.ts'
import { addRelation, type Relation } from './relations.ts'
import { isCheckedAfter, isSaidToFit, isUsedOnlyWhere, saysSo } from './wrap-checks.ts'

/** Whether an arithmetic operation can leave the range of its type without anything stopping it. */
export const overflows = (numbers: Numbers, op: Op): boolean => {
  const { flow } = numbers
  if (op.kind !== 'bin' || op.flag || !isOverflowing(op.operator)) return false
  const type = flow.typeOf(op)
  if (type !== null && type.kind !== 'int' && type.kind !== 'unknown' && type.kind !== 'rational') return false
  if (type?.kind === 'rational') return false
  const range = rangeOf(type)
  const a = op.args[0]
  const b = op.args[1]
  const relations = relationsAt(flow, op)
  // Most that is safe was checked in plain sight; what the operands may be costs more to find out.
  if (op.operator === '-') {
    if (range.min === 0n && isPlainlyAtLeast(numbers, a, b, relations)) return false
  } else if (isCheckedAfter(numbers, op)) return false
  const left = numbers.interval(a)
  const right = numbers.interval(b)
  // Where either side can be anything there is no need to calculate.
  const isOpen = left === range && right === range && range.max > 1n
  if (!isOpen && fits(exactBounds(op.operator, left, right), range)) return false
  if (
    op.operator === '-' &&
    range.min === 0n &&
    (numbers.isAtLeast(a, b, op) || (range.max >= time.max && isTimeSince(flow, a, b)))
  )
    return false
  if (relations.length > 0) {
    if (isImpossible(numbers, relations)) return false
    const sharp = exactBounds(op.operator, bounded(numbers, a, relations, 0), bounded(numbers, b, relations, 0))
    if (fits(sharp, range)) return false
  }
  if (isInRangeByItself(flow, op)) return false
  if (isCheckedBefore(numbers, op, relations) || (op.operator === '-' && isCheckedAfter(numbers, op))) return false
  if (op.operator === '+' && isRoomLeft(op, relations)) return false
  if (fitsAsCompared(numbers, op, range, relations) || fitsOnEachPath(numbers, op, range)) return false
  if (op.operator === '-' && range.min === 0n && isSaidToFit(numbers, op, (fits) => isUsedOnlyWhere(flow, op, fits)))
    return false
  return !isCheckedBeside(numbers, op, range) && !isBoundedByIndex(numbers, op, range) && !isNeverRun(flow, op)
}

/** `if (!canTake(held[who], n) || …) return; held[who] -= n`: it was compared when it was read before. */
const fitsAsCompared = (numbers: Numbers, op: BinaryOp, range: Interval, relations: readonly Relation[]): boolean => {
  if (relations.length === 0) return false
  const [a, b] = op.args
  const x = asCompared(numbers.flow, a, relations, op)
  const y = asCompared(numbers.flow, b, relations, op)
  return (x !== a || y !== b) && fitsWith(numbers, op, x, y, range, relations)
}

const fitsWith = (
  numbers: Numbers,
  { operator }: BinaryOp,
  x: Op,
  y: Op,
  range: Interval,
  relations: readonly Relation[],
): boolean => {
  if (operator === '-' && range.min === 0n && isPlainlyAtLeast(numbers, x, y, relations)) return true
  return fits(exactBounds(operator, bounded(numbers, x, relations, 0), bounded(numbers, y, relations, 0)), range)
}

/** `if (isKnown) require(n <= 2); else require(n == 1); n++;`: the ways that met last before it each keep the operands in range. */
const fitsOnEachPath = (numbers: Numbers, op: BinaryOp, range: Interval): boolean => {
  const { flow } = numbers
  const meeting = lastMeetingBefore(flow, op.block)
  if (meeting === null) return false
  return meeting.preds.every((_, edge) => {
    const relations = relationsOnPath(flow, meeting.id, edge)
    if (relations.length === 0) return false
    const [x, y] = op.args.map((arg) => asCompared(flow, arg, relations, op)) as [Op, Op]
    return fitsWith(numbers, op, x, y, range, relations)
  })
}

const fewPaths = 4

/** Where the ways of a fork come together, no loop among them. */
const lastMeetingBefore = (flow: Flow, block: number): BasicBlock | null => {
  let at = flow.blocks[block]!
  while (at.preds.length === 1) at = flow.blocks[at.preds[0]!]!
  return at.preds.length > 1 && at.preds.length <= fewPaths && at.preds.every((pred) => pred < at.id) ? at : null
}

/** `a == 0 ? 0 : (a - 1) / b`, evaluated with a zero that is written into the code. */
const isNeverRun = (flow: Flow, op: Op): boolean => fromFactsAt(flow, op, contradictionsIn).length > 0

const contradictionsIn = (flow: Flow, fact: Fact): readonly Fact[] =>
  canHoldWithin(flow, constantBounds, fact.condition, fact.polarity) ? [] : [fact]

/** `require(a <= (MAX - c) / b)` before `a * b + c`. */
const isRoomLeft = (op: Op, relations: readonly Relation[]): boolean =>
  relations.length > 0 &&
  bothOrders(op).some(([product, rest]) => {
    if (product.kind !== 'bin' || product.operator !== '*') return false
    return relations.some(({ greater, smaller }) => {
      const limit = stripCasts(greater)
      if (limit.kind !== 'bin' || limit.operator !== '/' || !leavesRoom(stripCasts(limit.args[0]), rest)) return false
      return bothOrders(product).some(([x, y]) => sameValue(smaller, x) && sameValue(limit.args[1], y))
    })
  })

/** `MAX - c`, also when both are written into the code. */
const leavesRoom = (most: Op, rest: Op): boolean => {
  if (most.kind === 'bin' && most.operator === '-') return sameValue(most.args[1], rest)
  if (most.kind !== 'const' || rest.kind !== 'const' || most.constant === null || rest.constant === null) return false
  return most.constant + rest.constant <= uint256.max
}

/** `n > 0 && list[n - 1] == x`: the right side of `&&` runs only when the left one holds, that of `||` when it does not. */
const isCheckedBeside = (numbers: Numbers, op: Op, range: Interval): boolean => {
  const { flow } = numbers
  let relations: Relation[] | null = null
  for (const junction of flow.answer(junctionsOf)) {
    if (isBefore(junction, op)) continue
    const node = junction.node as { kind?: string; right?: { start: number; end: number } } | null
    if (junction.site !== op.site || node?.kind !== 'Binary' || node.right === undefined) continue
    if (op.start < node.right.start || op.end > node.right.end) continue
    const facts = factsOf(flow, junction.args[0], junction.operator === '&&', junction)
    relations ??= []
    for (const { condition, polarity } of facts)
      if (condition.kind === 'bin') addRelation(relations, condition, polarity)
  }
  if (relations === null || relations.length === 0) return false
  const [a, b] = op.args as [Op, Op]
  if (op.operator === '-' && relations.some((r) => sameValue(r.greater, a) && sameValue(r.smaller, b))) return true
  return fits(exactBounds(op.operator, bounded(numbers, a, relations, 0), bounded(numbers, b, relations, 0)), range)
}

const junctionsOf = (flow: Flow): readonly BinaryOp[] =>
  flow.ops('bin').filter(({ operator }) => operator === '&&' || operator === '||')

/** An array; in memory there is nothing else that has elements. */
const isList = ({ type, space }: Location): boolean =>
  type?.kind === 'array' || (space === 'memory' && (type?.kind ?? 'unknown') === 'unknown')

/** More elements than anyone could pay for. */
const longest = 1n << 64n

const elementsOf = ({ ir }: Flow): readonly Location[] =>
  ir.locations.filter(({ part, parent }) => part === 'index' && isList(parent!))

/** `slots[k]` on every path here: `k` is one of them. */
const isBoundedByIndex = (numbers: Numbers, op: Op, range: Interval): boolean => {
  const { flow } = numbers
  const [a, b] = op.args as [Op, Op]
  for (const place of flow.answer(elementsOf)) {
    const isLast = op.operator === '-' && isLastBefore(numbers, stripCasts(place.index!), a, b)
    if (!isLast && !sameValue(place.index!, a)) continue
    const { type } = place.parent!
    const isAccess = (access: Op): boolean =>
      access.location === place && isBefore(access, op) && flow.dominates(access, op)
    if (!flow.ops('load').some(isAccess) && !flow.ops('store').some(isAccess)) continue
    if (isLast) return true
    const count = type?.kind === 'array' ? type.length : null
    const last: Interval = { min: 0n, max: typeof count === 'bigint' ? count - 1n : longest }
    if (fits(exactBounds(op.operator, last, numbers.interval(b)), range)) return true
  }
  return false
}

/** `list[n - 1]` was read, so `n` is not zero: no array is as long as what `0 - 1` wraps to. */
const isLastBefore = (numbers: Numbers, index: Op, count: Op, taken: Op): boolean =>
  index.kind === 'bin' &&
  index.operator === '-' &&
  sameValue(index.args[0], count) &&
  numbers.interval(taken).max <= numbers.interval(index.args[1]).min

const fits = (exact: Interval | null, range: Interval): boolean =>
  exact !== null && exact.min >= range.min && exact.max <= range.max

/** The conditions on the path here contradict what the state can be: this code never runs. */
const isImpossible = (numbers: Numbers, relations: readonly Relation[]): boolean =>
  relations.some(({ greater, smaller, strict }) => {
    if (!strict || stripCasts(greater).kind !== 'load') return false
    return numbers.interval(greater).max <= numbers.interval(smaller).min
  })

/** `now - last` where `last` only ever holds a moment that has passed; a clock cut to fewer bits starts again. */
const isTimeSince = (flow: Flow, now: Op, then: Op): boolean => {
  const load = stripCasts(then)
  if (!isNow(stripCasts(now), 0) || load.kind !== 'load' || load.location.space !== 'state') return false
  return flow.contractFlow.answerAt(load.location, holdsPastMoments)
}

const holdsPastMoments = (contractFlow: ContractFlow, place: Location): boolean =>
  contractFlow.writersTo(place).every((write) => {
    const values = valuesFor(write.flow, write.op, place) ?? [write.op.args[0]]
    return values.map(stripCasts).every((value) => value.kind === 'const' || isNow(value, 0))
  })

const isNow = (op: Op, depth: number): boolean => {
  if (op.kind === 'env') return op.operator === 'block.timestamp' || op.operator === 'block.number'
  return (
    op.kind === 'bin' && op.operator === '%' && depth < budget.depth.clock && isNow(stripCasts(op.args[0]), depth + 1)
  )
}

/** `most - part`, also with more taken off: what is left leaves room for `part`. */
const takesOff = (rest: Op, part: Op, depth = 0): boolean => {
  if (rest.kind !== 'bin' || rest.operator !== '-' || depth > budget.depth.within) return false
  return sameValue(rest.args[1], part) || takesOff(stripCasts(rest.args[0]), part, depth + 1)
}

/** `require(a + b >= a)`, `require(b <= MAX - a)`, `require(a <= MAX / b)` on every path here. */
const isCheckedBefore = (numbers: Numbers, op: BinaryOp, relations: readonly Relation[]): boolean => {
  const { flow } = numbers
  const [a, b] = op.args as [Op, Op]
  const isLimited = (part: Op, other: Op): boolean =>
    upperBoundsOf(flow, relations, part).some(({ greater }) => {
      const limit = stripCasts(greater)
      if (limit.kind !== 'bin') return false
      if (op.operator === '+') return limit.operator === '-' && takesOff(limit, other)
      return op.operator === '*' && limit.operator === '/' && sameValue(limit.args[1], other)
    })
  if (isLimited(a, b) || isLimited(b, a)) return true
  const facts = guardsAt(flow, op)
  return isSaidToFit(numbers, op, (fits) =>
    facts.some((fact) => fact.op !== op && saysSo(fits, fact.condition, fact.polarity)),
  )
}
