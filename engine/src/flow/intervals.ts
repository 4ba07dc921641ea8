/**
 * Bounds of numbers, on demand: from types, constants, what the chain can hold, and the conditions that dominate a
 * place. Comparisons between two values are used as they stand (`a >= b` makes `a - b` safe), so that a check before or
 * after the arithmetic counts whatever it is called: SafeMath is recognised by its shape.
 */
import type { Type } from '../model/index.ts'
import type { ContractFlow } from './contract-flow.ts'
import { type Fact, factsOf, stripCasts } from './facts.ts'
import type { Flow } from './flow.ts'
import type { BasicBlock, Location, Op } from './ir.ts'
import { isLogical, isOrdering, isOverflowing } from './operators.ts'
import { mayOverlapAcross } from './overlap.ts'

export interface Interval {
  readonly min: bigint
  readonly max: bigint
}

const uint256: Interval = { min: 0n, max: (1n << 256n) - 1n }
/** More than all ether, in wei, that will exist. */
const ether: Interval = { min: 0n, max: 1n << 100n }
/** Seconds or blocks until long after us. */
const time: Interval = { min: 0n, max: 1n << 40n }
/** Nobody can pay for more elements. */
const length: Interval = { min: 0n, max: 1n << 48n }
const address: Interval = { min: 0n, max: (1n << 160n) - 1n }
const bool: Interval = { min: 0n, max: 1n }
const byte: Interval = { min: 0n, max: 255n }

const rangeCache = new Map<number, Interval>()

/** One object per type, so that a value that can be anything is told by identity. */
const intRange = (bits: number, signed: boolean): Interval => {
  if (bits === 256 && !signed) return uint256
  const key = signed ? -bits : bits
  let range = rangeCache.get(key)
  if (range === undefined) {
    range = signed
      ? { min: -(1n << BigInt(bits - 1)), max: (1n << BigInt(bits - 1)) - 1n }
      : { min: 0n, max: (1n << BigInt(bits)) - 1n }
    rangeCache.set(key, range)
  }
  return range
}

export const rangeOf = (type: Type | null): Interval => {
  if (type === null) return uint256
  switch (type.kind) {
    case 'int':
      return intRange(type.bits, type.signed)
    case 'bool':
      return bool
    case 'address':
    case 'contract':
      return address
    case 'enum':
      return byte
    case 'fixedBytes':
      return intRange(type.size * 8, false)
    case 'userValue':
      return rangeOf(type.definition.underlying)
    default:
      return uint256
  }
}

/** Bounds of `op` by the conditions that hold at `at`. */
export const intervalAt = (flow: Flow, op: Op, at: Op): Interval => bounded(flow, op, flow.relationsAt(at), 0)

/** Bounds that follow from the operation alone; null where they follow from other bounds. */
export const ownInterval = (flow: Flow, op: Op): Interval | null => {
  switch (op.kind) {
    case 'const':
      return op.constant === null ? uint256 : constantInterval(op.constant)
    case 'env':
      if (op.operator === 'block.timestamp' || op.operator === 'block.number') return time
      if (op.operator === 'msg.value') return ether
      if (op.operator === 'msg.sender' || op.operator === 'this') return address
      return rangeOf(flow.typeOf(op))
    case 'builtin':
      if (op.operator === 'balance') return ether
      if (op.operator === 'gasleft') return time
      return rangeOf(flow.typeOf(op))
    case 'load':
      if (op.location!.part === 'length') return lengthOf(op.location!.parent?.type ?? null)
      return op.location!.space === 'state' ? null : rangeOf(flow.typeOf(op))
    case 'bin':
      return isLogical(op.operator) ? bool : null
    case 'cast':
    case 'select':
    case 'phi':
      return null
    default:
      return rangeOf(flow.typeOf(op))
  }
}

/** Conditions sharpen a value and, two levels deep, what it is computed from; below that its own bounds are enough. */
const bounded = (flow: Flow, value: Op, relations: readonly Relation[], depth: number): Interval => {
  const own = depth < 2 && relations.length > 0 ? sharpened(flow, value, relations, depth) : flow.interval(value)
  let { min, max } = own
  for (const { greater, smaller, strict } of relations) {
    if (sameValue(smaller, value) && greater !== value) {
      const limit = flow.interval(greater).max - (strict ? 1n : 0n)
      if (limit < max) max = limit
    } else if (sameValue(greater, value) && smaller !== value) {
      const limit = flow.interval(smaller).min + (strict ? 1n : 0n)
      if (limit > min) min = limit
    }
  }
  if (min === own.min && max === own.max) return max < min ? { min, max: min } : own
  return max < min ? { min, max: min } : { min, max }
}

const sharpened = (flow: Flow, op: Op, relations: readonly Relation[], depth: number): Interval => {
  if (op.kind === 'cast') {
    const inner = bounded(flow, op.args[0]!, relations, depth + 1)
    const range = rangeOf(flow.typeOf(op))
    return inner.min >= range.min && inner.max <= range.max ? inner : range
  }
  if (op.kind === 'bin' && hasExactBounds(op.operator)) {
    const a = bounded(flow, op.args[0]!, relations, depth + 1)
    return withinRange(op, rangeOf(flow.typeOf(op)), a, bounded(flow, op.args[1]!, relations, depth + 1))
  }
  return flow.interval(op)
}

const hasExactBounds = (operator: string): boolean =>
  isOverflowing(operator) || operator === '/' || operator === '%' || operator === '&' || operator === '>>'

/** Bounds that follow from those of other values; `range` is that of its type. */
export const derivedInterval = (flow: Flow, op: Op, range: Interval): Interval => {
  switch (op.kind) {
    case 'load':
      return range === uint256 || (range.min === 0n && range.max > 255n)
        ? stateInterval(flow, op.location!, range)
        : range
    case 'cast': {
      const inner = flow.interval(op.args[0]!)
      return inner.min >= range.min && inner.max <= range.max ? inner : range
    }
    case 'bin':
      return withinRange(op, range, flow.interval(op.args[0]!), flow.interval(op.args[1]!))
    case 'select':
      return join(flow.interval(op.args[1]!), flow.interval(op.args[2]!))
    case 'phi':
      return phiInterval(flow, op, range)
    default:
      return range
  }
}

const zero: Interval = { min: 0n, max: 0n }
const one: Interval = { min: 1n, max: 1n }

const constantInterval = (value: bigint): Interval =>
  value === 0n ? zero : value === 1n ? one : { min: value, max: value }

/** Of a fixed array it is written down. */
const lengthOf = (type: Type | null): Interval => {
  if (type?.kind !== 'array' || type.length === null || type.length === undefined) return length
  return { min: type.length, max: type.length }
}

/** What nobody reaches by adding ether, time or constants, however often. */
const accumulated = 1n << 150n
const smallSteps: Interval = { min: 0n, max: accumulated }
/** What a deployer or owner in his right mind sets. */
const sensible: Interval = { min: 0n, max: 1n << 128n }

/**
 * State that only the privileged set is taken to be sensible; state that every function changes by constants, ether or
 * time, stays far below the largest number. Everything else has its type's range.
 */
const stateInterval = (flow: Flow, place: Location, range: Interval): Interval => {
  const limit = flow.whole.stateLimit(place, limitByWrites)
  if (limit === null) return range
  return limit.max < range.max ? limit : { min: limit.min, max: range.max }
}

const limitByWrites = (whole: ContractFlow, place: Location): Interval | null => {
  const writes = whole.writersOf(place.variable!).filter((write) => mayOverlapAcross(write.op.location!, place))
  const constants = constantWrites(place, writes)
  if (constants !== null) return constants
  if (!whole.outsiderCanSetPlace(place)) return sensible
  return writes.every((write) => isSmallStep(write.flow, write.op, place)) ? smallSteps : null
}

/** Only constants are ever stored: the value is one of them, or zero when nothing sets it at the start. */
const constantWrites = (
  place: Location,
  writes: readonly { readonly flow: Flow; readonly op: Op }[],
): Interval | null => {
  if (place.depth > 0) return null
  let min: bigint | null = null
  let max: bigint | null = null
  let initialised = false
  for (const { flow, op } of writes) {
    const value = stripCasts(op.args[0]!)
    if (value.kind !== 'const' || value.constant === null) return null
    if (flow.isConstructor) initialised = true
    if (min === null || value.constant < min) min = value.constant
    if (max === null || value.constant > max) max = value.constant
  }
  if (!initialised || min === null || max === null) {
    min = min === null || min > 0n ? 0n : min
    max = max === null || max < 0n ? 0n : max
  }
  return { min, max }
}

const isSmallStep = (flow: Flow, store: Op, place: Location): boolean => {
  const value = stripCasts(partFor(place, store))
  if (isSmall(flow, value, 0) || isSameKind(value, place)) return true
  if (value.kind !== 'bin' || (value.operator !== '+' && value.operator !== '-')) return false
  const [a, b] = value.args.map(stripCasts) as [Op, Op]
  const isOld = (op: Op): boolean => op.kind === 'load' && op.location!.variable === place.variable
  if (value.operator === '-') return isOld(a) && (value.flag || isAtLeast(flow, a, b, value))
  if ((isOld(a) && isSmall(flow, b, 0)) || (isOld(b) && isSmall(flow, a, 0))) return true
  return isOld(a) && isMoved(flow, b, place)
}

/** As much is taken from another element, which has it: the sum over all stays what it was. */
const isMoved = (flow: Flow, amount: Op, place: Location): boolean =>
  flow.stateStores().some((store) => {
    const value = stripCasts(store.args[0]!)
    if (store.location!.variable !== place.variable || value.kind !== 'bin' || value.operator !== '-') return false
    const [have, taken] = value.args as [Op, Op]
    if (stripCasts(have).kind !== 'load' || stripCasts(have).location !== store.location) return false
    return sameValue(taken, amount) && (value.flag || isAtLeast(flow, have, taken, value))
  })

/** What a store of a whole struct puts into the field that is asked about. */
export const partFor = (place: Location, store: Op): Op => {
  const value = stripCasts(store.args[0]!)
  const type = store.location!.type
  if (value.kind !== 'make' || type?.kind !== 'struct' || place.part !== 'field') return value
  const { fields } = type.struct
  if (place.depth !== store.location!.depth + 1 || value.args.length !== fields.length) return value
  return value.args[fields.findIndex(({ name }) => name === place.name)] ?? value
}

/** Another element, or what was there before: it is bounded as this one is. */
const isSameKind = (value: Op, place: Location): boolean => {
  if (value.kind !== 'load' || value.location!.variable !== place.variable || place.variable === null) return false
  const from = value.location!
  return from.depth === place.depth && from.part === place.part && from.name === place.name
}

const isSmall = (flow: Flow, op: Op, depth: number): boolean => {
  if (op.kind === 'load' && op.location!.space === 'state' && flow.interval(op).max <= accumulated) return true
  if (op.kind === 'const') return op.constant !== null && op.constant <= sensible.max
  if (op.kind === 'env')
    return op.operator === 'msg.value' || op.operator === 'block.timestamp' || op.operator === 'block.number'
  if (op.kind === 'builtin') return op.operator === 'balance'
  if (op.kind === 'bin' && depth < 4 && (op.operator === '+' || op.operator === '/' || op.operator === '%')) {
    return op.args.every((arg, i) => (op.operator === '/' && i === 1) || isSmall(flow, stripCasts(arg), depth + 1))
  }
  const type = flow.typeOf(op)
  return type?.kind === 'int' && !type.signed && type.bits <= 128
}

const join = (a: Interval, b: Interval): Interval => ({
  min: a.min < b.min ? a.min : b.min,
  max: a.max > b.max ? a.max : b.max,
})

const isLoopHead = ({ id, preds }: BasicBlock): boolean => {
  for (let i = 0; i < preds.length; i++) if (preds[i]! >= id) return true
  return false
}

/** A loop's counter: from where it starts, step by step; other phis join. */
const phiInterval = (flow: Flow, phi: Op, range: Interval): Interval => {
  if (!isLoopHead(flow.blocks[phi.block]!)) {
    let all: Interval | null = null
    for (const arg of phi.args) {
      if (arg === phi) continue
      const part = flow.interval(arg)
      all = all === null ? part : join(all, part)
    }
    return all ?? range
  }
  const start = phi.args[0]
  const next = phi.args[1] === undefined ? undefined : stripCasts(phi.args[1])
  if (start === undefined || next === undefined || next.kind !== 'bin') return range
  if (next.args[0] !== phi && next.args[1] !== phi) return range
  const from = flow.interval(start)
  const step = next.args[0] === phi ? next.args[1]! : next.args[0]!
  if (step.kind !== 'const' || step.constant === null || step.constant < 0n) return range
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

/** Bounds of the exact result, whatever the type can hold. */
export const exactBounds = (operator: string, a: Interval, b: Interval): Interval | null => {
  switch (operator) {
    case '+':
      return { min: a.min + b.min, max: a.max + b.max }
    case '-':
      return { min: a.min - b.max, max: a.max - b.min }
    case '*': {
      if (a.min >= 0n && b.min >= 0n) return { min: a.min * b.min, max: a.max * b.max }
      const products = [a.min * b.min, a.min * b.max, a.max * b.min, a.max * b.max]
      return { min: products.reduce((x, y) => (x < y ? x : y)), max: products.reduce((x, y) => (x > y ? x : y)) }
    }
    case '/':
      if (a.min < 0n || b.min < 0n) return null
      return { min: b.max === 0n ? 0n : a.min / b.max, max: b.min > 0n ? a.max / b.min : a.max }
    case '%':
      if (a.min < 0n || b.min < 0n) return null
      return { min: 0n, max: b.max > 0n && b.max - 1n < a.max ? b.max - 1n : a.max }
    case '&':
      if (a.min < 0n || b.min < 0n) return null
      return { min: 0n, max: a.max < b.max ? a.max : b.max }
    case '>>':
      if (a.min < 0n || b.min < 0n || b.min > 512n) return null
      return { min: 0n, max: a.max >> b.min }
    case '**':
      if (a.min < 0n || b.min < 0n || b.max > 300n || a.max > 1n << 40n) return null
      return { min: a.min ** b.min, max: a.max ** b.max }
    default:
      return null
  }
}

// Relations between values

export interface Relation {
  readonly greater: Op
  readonly smaller: Op
  readonly strict: boolean
}

const noRelations: readonly Relation[] = []

/** Comparisons that hold when `at` runs; an equality gives both directions. */
export const relationsAt = (flow: Flow, at: Op): readonly Relation[] => flow.relationsAt(at)

/** The comparisons among facts. */
export const relationsIn = (facts: readonly Fact[]): readonly Relation[] => {
  if (facts.length === 0) return noRelations
  const relations: Relation[] = []
  for (let i = 0; i < facts.length; i++) {
    const { condition, polarity } = facts[i]!
    if (condition.kind === 'bin') addRelation(relations, condition, polarity)
  }
  return relations
}

const addRelation = (out: Relation[], op: Op, holds: boolean): void => {
  const [a, b] = op.args as [Op, Op]
  switch (op.operator) {
    case '>':
      out.push(holds ? { greater: a, smaller: b, strict: true } : { greater: b, smaller: a, strict: false })
      return
    case '>=':
      out.push(holds ? { greater: a, smaller: b, strict: false } : { greater: b, smaller: a, strict: true })
      return
    case '<':
      out.push(holds ? { greater: b, smaller: a, strict: true } : { greater: a, smaller: b, strict: false })
      return
    case '<=':
      out.push(holds ? { greater: b, smaller: a, strict: false } : { greater: a, smaller: b, strict: true })
      return
    case '==':
    case '!=':
      if ((op.operator === '==') === holds) {
        out.push({ greater: a, smaller: b, strict: false }, { greater: b, smaller: a, strict: false })
      } else if (b.kind === 'const' && b.constant === 0n) out.push({ greater: a, smaller: b, strict: true })
      else if (a.kind === 'const' && a.constant === 0n) out.push({ greater: b, smaller: a, strict: true })
  }
}

/** The same value, also when an expression is written twice. */
export const sameValue = (a: Op, b: Op, depth = 0): boolean => {
  const x = stripCasts(a)
  const y = stripCasts(b)
  if (x === y) return true
  if (depth > 3 || x.kind !== y.kind || x.operator !== y.operator) return false
  if (x.kind === 'bin' || x.kind === 'un') {
    if (sameArguments(x, y, depth + 1)) return true
    if (x.operator !== '+' && x.operator !== '*') return false
    return sameValue(x.args[0]!, y.args[1]!, depth + 1) && sameValue(x.args[1]!, y.args[0]!, depth + 1)
  }
  if (x.kind === 'builtin' && x.operator === 'balance') return sameValue(x.args[0]!, y.args[0]!, depth + 1)
  return false
}

const sameArguments = (x: Op, y: Op, depth: number): boolean => {
  for (let i = 0; i < x.args.length; i++) if (!sameValue(x.args[i]!, y.args[i]!, depth)) return false
  return true
}

/** Whether `a >= b` certainly holds at `at`. */
export const isAtLeast = (flow: Flow, a: Op, b: Op, at: Op): boolean => {
  if (sameValue(a, b) || isPartOf(flow, b, a, 0)) return true
  const relations = relationsAt(flow, at)
  for (const { greater, smaller } of relations) {
    if (!sameValue(greater, a)) continue
    if (sameValue(smaller, b) || isPartOf(flow, b, smaller, 0)) return true
    // One step further: a >= m, m >= b.
    for (const next of relations) if (sameValue(next.greater, smaller) && sameValue(next.smaller, b)) return true
  }
  if (relations.length === 0) return flow.interval(a).min >= flow.interval(b).max
  const low = bounded(flow, a, relations, 0)
  return low.min >= bounded(flow, b, relations, 0).max
}

/** `part` can never exceed `whole`: `x % y`, `x / y`, `x * 3 / 100`, `x >> n`, `min(x, y)`, or `whole` adds to it. */
export const isPartOf = (flow: Flow, part: Op, whole: Op, depth: number): boolean => {
  const p = stripCasts(part)
  const w = stripCasts(whole)
  if (depth > 4) return false
  if (sameValue(p, w)) return true
  if (w.kind === 'bin' && w.operator === '+' && (w.flag || !flow.canOverflow(w))) {
    if (w.args.some((arg) => sameValue(arg, p))) return true
  }
  if (p.kind === 'bin') {
    const [x, y] = p.args as [Op, Op]
    if (p.operator === '/' || p.operator === '%' || p.operator === '>>') {
      if (isPartOf(flow, x, w, depth + 1)) return true
      if (p.operator === '/' && x.kind === 'bin' && x.operator === '*') return isShare(flow, x, y, w)
    }
    if (p.operator === '-' && isPartOf(flow, x, w, depth + 1)) return p.flag || !flow.canOverflow(p)
    if (p.operator === '&') return isPartOf(flow, x, w, depth + 1) || isPartOf(flow, y, w, depth + 1)
    if (p.operator === '^') {
      const choice = choiceOf(p)
      return choice !== null && isChosenSmaller(choice, w)
    }
  }
  if (p.kind === 'select') {
    return (
      isChosenSmaller(p.args, w) ||
      (isPartOf(flow, p.args[1]!, w, depth + 1) && isPartOf(flow, p.args[2]!, w, depth + 1))
    )
  }
  if (p.kind === 'phi' && p.args.length === 2) return isSmallerPhi(flow, p, w, depth)
  return false
}

/** `c ? x : y` where the condition picks the smaller. */
const isChosenSmaller = (choice: readonly Op[], whole: Op): boolean => {
  const [condition, x, y] = choice as [Op, Op, Op]
  if (condition.kind !== 'bin' || !(sameValue(x, whole) || sameValue(y, whole))) return false
  const relations: Relation[] = []
  addRelation(relations, condition, true)
  return relations.some((r) => sameValue(r.smaller, x) && sameValue(r.greater, y))
}

/** `y ^ ((x ^ y) * c)`: `c ? x : y` without a branch, as libraries write it to save gas. */
const choiceOf = (op: Op): readonly [Op, Op, Op] | null => {
  for (const [y, masked] of bothWays(op)) {
    if (masked.kind !== 'bin' || masked.operator !== '*') continue
    for (const [difference, condition] of bothWays(masked)) {
      if (difference.kind !== 'bin' || difference.operator !== '^') continue
      for (const [x, other] of bothWays(difference)) if (sameValue(other, y)) return [plainCondition(condition), x, y]
    }
  }
  return null
}

const bothWays = ({ args }: Op): readonly (readonly [Op, Op])[] => {
  const [a, b] = args.map(stripCasts) as [Op, Op]
  return [
    [a, b],
    [b, a],
  ]
}

/** Without the double negation that turns a condition into the number 0 or 1. */
const plainCondition = (value: Op): Op => {
  const op = stripCasts(value)
  if (!isNegation(op)) return op
  const inner = stripCasts(op.args[0]!)
  return isNegation(inner) ? plainCondition(inner.args[0]!) : op
}

const isNegation = ({ kind, operator }: Op): boolean =>
  (kind === 'un' && operator === '!') || (kind === 'builtin' && operator === 'iszero')

const isSmallerPhi = (flow: Flow, phi: Op, whole: Op, depth: number): boolean => {
  if (flow.blocks[phi.block]!.preds.some((pred) => pred >= phi.block)) return false
  return phi.args.every((arg, i) => {
    if (arg === phi) return false
    if (isPartOf(flow, arg, whole, depth + 1)) return true
    const pred = flow.blocks[phi.block]!.preds[i]
    if (pred === undefined) return false
    const relations: Relation[] = []
    for (const fact of flow.guardsAtEnd(pred))
      if (fact.condition.kind === 'bin') addRelation(relations, fact.condition, fact.polarity)
    const from = flow.blocks[pred]!
    if (from.condition !== null && from.condition.kind === 'bin' && from.succs.length === 2) {
      addRelation(relations, from.condition, from.succs[0] === phi.block)
    }
    return relations.some((r) => sameValue(r.greater, whole) && sameValue(r.smaller, arg))
  })
}

/** `whole * a / b` with `a <= b`. */
const isShare = (flow: Flow, product: Op, divisor: Op, whole: Op): boolean => {
  const [x, y] = product.args as [Op, Op]
  const factor = sameValue(x, whole) ? y : sameValue(y, whole) ? x : null
  if (factor === null) return false
  if (sameValue(factor, divisor)) return true
  const f = flow.interval(factor)
  const d = flow.interval(divisor)
  return f.max <= d.min
}

// Overflow

export const canOverflow = (flow: Flow, op: Op): boolean => {
  if (op.kind !== 'bin' || op.flag || !isOverflowing(op.operator)) return false
  const type = flow.typeOf(op)
  if (type !== null && type.kind !== 'int' && type.kind !== 'unknown' && type.kind !== 'rational') return false
  if (type?.kind === 'rational') return false
  const range = rangeOf(type)
  const a = op.args[0]!
  const b = op.args[1]!
  const left = flow.interval(a)
  const right = flow.interval(b)
  // Where either side can be anything there is no need to calculate.
  const isOpen = left === range && right === range && range.max > 1n
  if (!isOpen && fits(exactBounds(op.operator, left, right), range)) return false
  const relations = relationsAt(flow, op)
  if (op.operator === '-' && range.min === 0n && (isAtLeast(flow, a, b, op) || isTimeSince(flow, a, b))) return false
  if (relations.length > 0) {
    if (isImpossible(flow, relations)) return false
    const sharp = exactBounds(op.operator, bounded(flow, a, relations, 0), bounded(flow, b, relations, 0))
    if (fits(sharp, range)) return false
  }
  if (isMeanWithQuotient(flow, op) || isRestored(op)) return false
  if (isCheckedBefore(flow, op, relations) || isCheckedAfter(flow, op)) return false
  return !isCheckedBeside(flow, op, range) && !isBoundedByIndex(flow, op, range)
}

/** `b * (a / b)`, which is never more than `a`, and with `a % b` added it is `a` again. */
const isRestored = (op: Op): boolean => {
  const [a, b] = op.args.map(stripCasts) as [Op, Op]
  if (op.operator === '*') return dividendOf(a, b) !== null || dividendOf(b, a) !== null
  return op.operator === '+' && (isRestOf(a, b) || isRestOf(b, a))
}

/** The `a` of a quotient `a / divisor`. */
const dividendOf = (quotient: Op, divisor: Op): Op | null =>
  quotient.kind === 'bin' && quotient.operator === '/' && sameValue(quotient.args[1]!, divisor)
    ? quotient.args[0]!
    : null

const isRestOf = (rest: Op, product: Op): boolean => {
  if (rest.kind !== 'bin' || rest.operator !== '%' || product.kind !== 'bin' || product.operator !== '*') return false
  const [a, b] = product.args.map(stripCasts) as [Op, Op]
  const dividend = dividendOf(a, b) ?? dividendOf(b, a)
  const divisor = dividendOf(a, b) === null ? a : b
  return dividend !== null && sameValue(rest.args[0]!, dividend) && sameValue(rest.args[1]!, divisor)
}

/** `n > 0 && list[n - 1] == x`: the right side of `&&` runs only when the left one holds, that of `||` when it does not. */
const isCheckedBeside = (flow: Flow, op: Op, range: Interval): boolean => {
  const [a, b] = op.args as [Op, Op]
  const relations: Relation[] = []
  for (const junction of flow.ops('bin')) {
    if (junction.id < op.id || (junction.operator !== '&&' && junction.operator !== '||')) continue
    const node = junction.node as { kind?: string; right?: { start: number; end: number } } | null
    if (junction.site !== op.site || node?.kind !== 'Binary' || node.right === undefined) continue
    if (op.start < node.right.start || op.end > node.right.end) continue
    const facts: Fact[] = []
    factsOf(flow, junction.args[0]!, junction.operator === '&&', junction, facts)
    for (const { condition, polarity } of facts)
      if (condition.kind === 'bin') addRelation(relations, condition, polarity)
  }
  if (relations.length === 0) return false
  if (op.operator === '-' && relations.some((r) => sameValue(r.greater, a) && sameValue(r.smaller, b))) return true
  return fits(exactBounds(op.operator, bounded(flow, a, relations, 0), bounded(flow, b, relations, 0)), range)
}

const isFixed = ({ length: count }: Type & { kind: 'array' }): boolean => typeof count === 'bigint'

/** `slots[k]` with a fixed number of slots, on every way here: `k` is one of them. */
const isBoundedByIndex = (flow: Flow, op: Op, range: Interval): boolean => {
  const [a, b] = op.args as [Op, Op]
  const places = flow.ir.locations.filter(
    ({ part, index, parent }) =>
      part === 'index' && parent?.type?.kind === 'array' && isFixed(parent.type) && sameValue(index!, a),
  )
  for (const place of places) {
    const type = place.parent!.type as Type & { kind: 'array' }
    const isAccess = (access: Op): boolean =>
      access.location === place && access.id < op.id && flow.dominates(access, op)
    if (!flow.ops('load').some(isAccess) && !flow.ops('store').some(isAccess)) continue
    const last: Interval = { min: 0n, max: type.length! - 1n }
    if (fits(exactBounds(op.operator, last, flow.interval(b)), range)) return true
  }
  return false
}

/** `(y / x + x) / 2`, a step towards the root of `y`: from 1 to `y`, `x` and `y / x` together are never more than `y + 1`. */
const isMeanWithQuotient = (flow: Flow, op: Op): boolean => {
  if (op.operator !== '+') return false
  const isQuotientBy = (quotient: Op, divisor: Op): boolean =>
    quotient.kind === 'bin' && quotient.operator === '/' && sameValue(quotient.args[1]!, divisor)
  const a = stripCasts(op.args[0]!)
  const b = stripCasts(op.args[1]!)
  if (!isQuotientBy(a, b) && !isQuotientBy(b, a)) return false
  const users = flow.usersOf(op)
  return users.length > 0 && users.every((user) => user.kind === 'bin' && isHalf(user))
}

const isHalf = ({ operator, args: [, by] }: Op): boolean =>
  by?.kind === 'const' && ((operator === '/' && by.constant === 2n) || (operator === '>>' && by.constant === 1n))

const fits = (exact: Interval | null, range: Interval): boolean =>
  exact !== null && exact.min >= range.min && exact.max <= range.max

/** The conditions on the way here contradict what the state can be: this code never runs. */
const isImpossible = (flow: Flow, relations: readonly Relation[]): boolean =>
  relations.some(({ greater, smaller, strict }) => {
    if (!strict || stripCasts(greater).kind !== 'load') return false
    return flow.interval(greater).max <= flow.interval(smaller).min
  })

/** `now - last` where `last` only ever holds a moment that has passed. */
const isTimeSince = (flow: Flow, now: Op, then: Op): boolean => {
  const load = stripCasts(then)
  if (!isNow(stripCasts(now), 0) || load.kind !== 'load' || load.location!.space !== 'state') return false
  const place = load.location!
  return flow.whole
    .writersOf(place.variable!)
    .filter((write) => mayOverlapAcross(write.op.location!, place))
    .every((write) => {
      const value = stripCasts(write.op.args[0]!)
      return value.kind === 'const' || isNow(value, 0)
    })
}

const isNow = (op: Op, depth: number): boolean => {
  if (op.kind === 'env') return op.operator === 'block.timestamp' || op.operator === 'block.number'
  return op.kind === 'bin' && op.operator === '%' && depth < 2 && isNow(stripCasts(op.args[0]!), depth + 1)
}

/** `require(a + b >= a)`, `require(b <= MAX - a)`, `require(a <= MAX / b)` on every way here. */
const isCheckedBefore = (flow: Flow, op: Op, relations: readonly Relation[]): boolean => {
  const [a, b] = op.args as [Op, Op]
  for (const { greater, smaller } of relations) {
    if (greater !== op && isCheckOf(greater, smaller, op)) return true
    const limit = stripCasts(greater)
    if (limit.kind !== 'bin') continue
    if (op.operator === '+' && limit.operator === '-') {
      if (sameValue(limit.args[1]!, a) && sameValue(smaller, b)) return true
      if (sameValue(limit.args[1]!, b) && sameValue(smaller, a)) return true
    }
    if (op.operator === '*' && limit.operator === '/') {
      if (sameValue(limit.args[1]!, a) && sameValue(smaller, b)) return true
      if (sameValue(limit.args[1]!, b) && sameValue(smaller, a)) return true
    }
  }
  for (const fact of flow.guardsAt(op)) if (fact.op !== op && checksResult(fact.condition, op)) return true
  return false
}

/** `sum >= part` where `sum` is this addition written again, or `part >= difference`. */
const isCheckOf = (greater: Op, smaller: Op, op: Op): boolean => {
  if (op.operator === '+') return sameValue(greater, op) && op.args.some((arg) => sameValue(arg, smaller))
  if (op.operator === '-') return sameValue(smaller, op) && sameValue(greater, op.args[0]!)
  return false
}

/** The result is compared with an operand, and every way on goes through that comparison. */
const isCheckedAfter = (flow: Flow, op: Op): boolean => {
  if (flow.usersOf(op).length === 0) return false
  const seen = new Set<Op>()
  const work: Op[] = [op]
  while (work.length > 0 && seen.size < 40) {
    const value = work.pop()!
    if (seen.has(value)) continue
    seen.add(value)
    for (const user of flow.usersOf(value)) {
      if (user.kind === 'cast' || (user.kind === 'bin' && user.operator === '/')) work.push(user)
      else if (user.kind === 'bin' && user.operator === '||') work.push(user)
      else if (user.kind === 'un' && user.operator === '!') work.push(user)
      else if (user.kind === 'bin' && checksResult(user, op) && decides(flow, user, op)) return true
      else if (user.kind === 'bin' && (user.operator === '||' || user.operator === '&&')) work.push(user)
    }
  }
  return false
}

/** `c >= a`, `c < a`, `c / a == b`, `a - b <= a` and their turns. */
const checksResult = (condition: Op, op: Op): boolean => {
  if (condition.kind !== 'bin') return false
  const left = stripCasts(condition.args[0]!)
  const right = stripCasts(condition.args[1]!)
  if (condition.operator === '||') return checksResult(left, op) || checksResult(right, op)
  if (isOrdering(condition.operator) && op.operator !== '*' && op.operator !== '**') {
    const mine = sameValue(left, op) ? right : sameValue(right, op) ? left : null
    return mine !== null && op.args.some((arg) => sameValue(arg, mine))
  }
  if (condition.operator === '==' || condition.operator === '!=') {
    for (const [quotient, rest] of [
      [left, right],
      [right, left],
    ] as const) {
      if (quotient.kind !== 'bin' || !sameValue(quotient.args[0]!, op)) continue
      if (quotient.operator === '/' && op.operator === '*') {
        if (op.args.some((arg) => sameValue(arg, rest)) && op.args.some((arg) => sameValue(arg, quotient.args[1]!)))
          return true
      }
      if (quotient.operator === '-' && op.operator === '+' && op.args.some((arg) => sameValue(arg, rest))) return true
    }
  }
  return false
}

/** The comparison ends up in a `require` or a branch that every way on from the operation takes. */
const decides = (flow: Flow, comparison: Op, op: Op): boolean => {
  const seen = new Set<Op>()
  const work: Op[] = [comparison]
  while (work.length > 0 && seen.size < 20) {
    const value = work.pop()!
    if (seen.has(value)) continue
    seen.add(value)
    for (const block of flow.branchesOn(value)) {
      if (block.id === op.block || isBlockAfter(flow, op.block, block.id)) return true
    }
    for (const user of flow.usersOf(value)) {
      if (user.kind === 'assume') {
        if (flow.isFollowedBy(op, user)) return true
      } else if (user.kind === 'bin' || user.kind === 'un' || user.kind === 'phi') work.push(user)
    }
  }
  return false
}

const isBlockAfter = (flow: Flow, from: number, to: number): boolean => {
  const post = flow.ipdom
  let x = from
  while (x !== -1 && x < to) x = post[x]!
  return x === to
}
