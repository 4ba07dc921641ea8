/**
 * Bounds of numbers, on demand: from types, constants, what the chain can hold, and the conditions that dominate a
 * place.
 */

import {
  address,
  type BasicBlock,
  bool,
  budget,
  constantInterval,
  ether,
  exactBounds,
  gas,
  type Interval,
  isLogical,
  join,
  type LoadOp,
  length,
  lengthOf,
  type Op,
  type OpOf,
  rangeOf,
  sameValue,
  stripCasts,
  time,
  uint256,
  zero,
} from '../ir/index.ts'
import { lowerBoundsOf, upperBoundsOf } from './bounds-of.ts'
import { relationsOnEdge } from './guards.ts'
import { contentOf } from './memory-values.ts'
import { areSameNumber, isAtMost, isShifted } from './narrowing.ts'
import type { Numbers } from './numbers.ts'
import { addRelation, type Relation } from './relations.ts'
import { stateInterval } from './state-limits.ts'

/** Bounds that follow from the operation alone; null where they follow from other bounds. */
export const ownInterval = (numbers: Numbers, op: Op): Interval | null => {
  switch (op.kind) {
    case 'const':
      return op.constant === null ? uint256 : constantInterval(op.constant)
    case 'env':
      if (op.operator === 'block.timestamp' || op.operator === 'block.number') return time
      if (op.operator === 'msg.value' || op.operator === 'tx.gasprice' || op.operator === 'block.basefee') return ether
      if (op.operator === 'block.gaslimit') return gas
      if (op.operator === 'msg.sender' || op.operator === 'this') return address
      return rangeOf(numbers.flow.typeOf(op))
    case 'builtin':
      if (op.operator === 'balance') return ether
      if (op.operator === 'gasleft') return time
      return rangeOf(numbers.flow.typeOf(op))
    case 'load':
      if (op.location.part === 'length') return lengthOf(op.location.parent?.type ?? null)
      return op.location.space === 'state' || isPartOfCopy(op) ? null : rangeOf(numbers.flow.typeOf(op))
    case 'bin':
      return isLogical(op.operator) ? bool : null
    case 'cast':
    case 'select':
    case 'phi':
      return null
    default:
      return rangeOf(numbers.flow.typeOf(op))
  }
}

/** Conditions sharpen a value and, two levels deep, what it is computed from; below that its own bounds are enough. */
export const bounded = (numbers: Numbers, value: Op, relations: readonly Relation[], depth: number): Interval => {
  const own =
    depth < budget.depth.sharpened && relations.length > 0
      ? sharpened(numbers, value, relations, depth)
      : numbers.interval(value)
  let { min, max } = own
  for (const { greater, smaller, strict } of upperBoundsOf(numbers.flow, relations, value)) {
    if (greater === value || !isAtMost(numbers.flow, value, smaller)) continue
    const limit = numbers.interval(greater).max - (strict ? 1n : 0n)
    if (limit < max) max = limit
  }
  for (const { greater, smaller, strict } of lowerBoundsOf(numbers.flow, relations, value)) {
    if (sameValue(smaller, value) || !areSameNumber(numbers.flow, greater, value)) continue
    const limit = numbers.interval(smaller).min + (strict ? 1n : 0n)
    if (limit > min) min = limit
  }
  if (min === own.min && max === own.max) return max < min ? { min, max: min } : own
  return max < min ? { min, max: min } : { min, max }
}

const sharpened = (numbers: Numbers, op: Op, relations: readonly Relation[], depth: number): Interval => {
  if (op.kind === 'cast') return converted(numbers, op, bounded(numbers, op.args[0], relations, depth + 1))
  if (op.kind === 'bin') {
    const a = bounded(numbers, op.args[0], relations, depth + 1)
    const range = rangeOf(numbers.flow.typeOf(op))
    const sharp = withinRange(op, range, a, bounded(numbers, op.args[1], relations, depth + 1))
    return sharp === range ? numbers.interval(op) : sharp
  }
  return numbers.interval(op)
}

/** A number stays what it is where it fits. */
const converted = ({ flow }: Numbers, cast: OpOf<'cast'>, inner: Interval): Interval => {
  const [to, from] = [flow.typeOf(cast), flow.typeOf(cast.args[0])]
  const range = rangeOf(to)
  return inner.min >= range.min && inner.max <= range.max && !isShifted(to, from) ? inner : range
}

/** Bounds that follow from those of other values; `range` is that of its type. */
export const derivedInterval = (numbers: Numbers, op: Op, range: Interval): Interval => {
  switch (op.kind) {
    case 'load':
      return range === uint256 || (range.min === 0n && range.max > 255n) ? keptInterval(numbers, op, range) : range
    case 'cast':
      return converted(numbers, op, numbers.interval(op.args[0]))
    case 'bin': {
      const a = numbers.interval(op.args[0])
      // What is left of the time, or of a number of few bits, without wrapping is no more than that.
      if (op.operator === '-' && a.max < range.max && !op.flag && range.min === 0n && !numbers.canOverflow(op))
        return a.min === 0n ? a : { min: 0n, max: a.max }
      return withinRange(op, range, a, numbers.interval(op.args[1]))
    }
    case 'select':
      return join(chosenInterval(numbers, op, true), chosenInterval(numbers, op, false))
    case 'phi':
      return phiInterval(numbers, op, range)
    default:
      return range
  }
}

/** A field of a struct in memory that was read from storage as a whole. */
const isPartOfCopy = ({ location: { space, part, parent } }: LoadOp): boolean => {
  const base = space === 'memory' && part === 'field' ? (parent?.base ?? null) : null
  return base !== null && base.kind === 'load' && base.location.space === 'state'
}

const keptInterval = (numbers: Numbers, { location }: LoadOp, range: Interval): Interval => {
  if (location.space === 'state') return stateInterval(numbers, location, range)
  const content = contentOf(numbers.flow, location)
  if (content === null || content.values.length > 0) return range
  return content.copies.map((copy) => stateInterval(numbers, copy, range)).reduce(join)
}

/** `x < y ? x : y`: the one that is taken is what the comparison says. */
const chosenInterval = (
  numbers: Numbers,
  { args: [condition, yes, no] }: OpOf<'select'>,
  isFirst: boolean,
): Interval => {
  const relations: Relation[] = []
  if (condition.kind === 'bin') addRelation(relations, condition, isFirst)
  return bounded(numbers, isFirst ? yes : no, relations, 2)
}

const isLoopHead = ({ id, preds }: BasicBlock): boolean => {
  for (let i = 0; i < preds.length; i++) if (preds[i]! >= id) return true
  return false
}

/** A loop's counter: from where it starts, step by step; other phis join. */
const phiInterval = (numbers: Numbers, phi: Op, range: Interval): Interval => {
  if (!isLoopHead(numbers.flow.blocks[phi.block]!)) {
    let all: Interval | null = null
    for (let edge = 0; edge < phi.args.length; edge++) {
      const arg = phi.args[edge]!
      if (arg === phi) continue
      const part = bounded(numbers, arg, relationsOnEdge(numbers.flow, phi, edge), 2)
      all = all === null ? part : join(all, part)
    }
    return all ?? range
  }
  const start = phi.args[0]
  const next = phi.args[1] === undefined ? undefined : stripCasts(phi.args[1])
  if (start === undefined || next === undefined) return range
  if (next.kind !== 'bin')
    return next.kind === 'phi' && range.min === 0n ? sumInterval(numbers, phi, next, range) : range
  if (next.args[0] !== phi && next.args[1] !== phi) return range
  const from = numbers.interval(start)
  const step = next.args[0] === phi ? next.args[1] : next.args[0]
  if (step.kind !== 'const')
    return next.operator === '+' && range.min === 0n ? sumInterval(numbers, phi, next, range) : range
  if (step.constant === null || step.constant < 0n) return range
  if (next.operator === '+') {
    // The counter of nearly every loop, without calculating.
    if (from === zero && step.constant === 1n && range === uint256) return length
    // Steps one by one and nobody can pay for 2^48 rounds, but the type may be smaller than what it counts up to.
    const most = from.max + step.constant * length.max
    return { min: from.min, max: most < range.max ? most : range.max }
  }
  if (next.operator === '-') return { min: range.min, max: from.max }
  return range
}

/** What a loop adds up, on some of its ways or on all: as many small numbers as it can have rounds. */
const sumInterval = (numbers: Numbers, sum: Op, next: Op, range: Interval): Interval => {
  const step = largestStep(numbers, sum, next, range.max / length.max, 0)
  if (step === null) return range
  const { min, max } = numbers.interval(sum.args[0]!)
  const most = max + step * length.max
  return most < range.max ? { min, max: most } : range
}

/** The most that one round adds; null when it does something else, or adds more than `limit`. */
const largestStep = (numbers: Numbers, sum: Op, value: Op, limit: bigint, depth: number): bigint | null => {
  const op = stripCasts(value)
  if (op === sum) return 0n
  if (op.kind === 'bin' && op.operator === '+') {
    const added = op.args[0] === sum ? op.args[1] : op.args[1] === sum ? op.args[0] : null
    if (added === null) return null
    const { min, max } = numbers.interval(added)
    return min < 0n || max > limit ? null : max
  }
  if (op.kind !== 'phi' || depth > budget.depth.limitedPhi || isLoopHead(numbers.flow.blocks[op.block]!)) return null
  let most = 0n
  for (const arg of op.args) {
    const step = largestStep(numbers, sum, arg, limit, depth + 1)
    if (step === null) return null
    if (step > most) most = step
  }
  return most
}

const withinRange = (op: Op, range: Interval, a: Interval, b: Interval): Interval => {
  if (a === range && b === range && isWide(op.operator, range)) return range
  const exact = exactBounds(op.operator, a, b)
  if (exact === null) return range
  if (exact.min >= range.min && exact.max <= range.max) return exact
  // Wraps around, or reverts beyond the range.
  if (!op.flag) return range
  return { min: exact.min < range.min ? range.min : exact.min, max: exact.max > range.max ? range.max : exact.max }
}

/** Of two values that can be anything, a sum, a difference or a product can be anything too. */
const isWide = (operator: string, range: Interval): boolean =>
  (operator === '+' || operator === '-' || operator === '*') && range.max > 1n
