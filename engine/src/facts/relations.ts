/** Comparisons between two values, used as they stand: `a >= b` makes `a - b` safe, whoever says it. */

import { type Op, stripCasts } from '../ir/index.ts'
import type { Fact } from './conditions.ts'
import type { Flow } from './flow.ts'
import { bounded } from './intervals.ts'
import { rangeOf } from './ranges.ts'

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
    if (condition.kind !== 'bin') continue
    if (condition.operator === (polarity ? '||' : '&&')) addEither(relations, condition, polarity)
    else addRelation(relations, condition, polarity)
  }
  return relations
}

/** Of several ways to pass, what every one of them says: `a == 0 || (a >= 3 && a <= 9)` keeps `a` below 10. */
const addEither = (out: Relation[], { args }: Op, polarity: boolean): void => {
  const [left, right] = args.map((side) => relationsOfSide(side, polarity, 0)) as [Relation[], Relation[]]
  for (const one of left)
    for (const other of right) {
      const wider = widerOf(one, other)
      if (wider !== null) out.push(wider)
    }
}

const relationsOfSide = (side: Op, polarity: boolean, depth: number): Relation[] => {
  const relations: Relation[] = []
  if (side.kind !== 'bin' || depth > 3) return relations
  if (side.operator === (polarity ? '||' : '&&')) addEither(relations, side, polarity)
  else if (side.operator === (polarity ? '&&' : '||'))
    for (const part of side.args) relations.push(...relationsOfSide(part, polarity, depth + 1))
  else addRelation(relations, side, polarity)
  return relations
}

/** Two bounds of the same value by constants: the one that says less. */
const widerOf = (one: Relation, other: Relation): Relation | null => {
  const [a, b] = [one.greater, other.greater]
  if (isNumber(a) && isNumber(b) && sameValue(one.smaller, other.smaller))
    return a.constant! >= b.constant! ? one : other
  const [c, d] = [one.smaller, other.smaller]
  if (isNumber(c) && isNumber(d) && sameValue(one.greater, other.greater))
    return c.constant! <= d.constant! ? one : other
  return null
}

const isNumber = ({ kind, constant }: Op): boolean => kind === 'const' && constant !== null

export const addRelation = (out: Relation[], op: Op, holds: boolean): void => {
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
  // A list in memory keeps its length.
  if (x.kind === 'load' && x.location === y.location)
    return x.location!.part === 'length' && x.location!.space === 'memory'
  return false
}

const sameArguments = (x: Op, y: Op, depth: number): boolean => {
  for (let i = 0; i < x.args.length; i++) if (!sameValue(x.args[i]!, y.args[i]!, depth)) return false
  return true
}

/** Whether `a >= b` certainly holds at `at`. */
export const isAtLeast = (flow: Flow, a: Op, b: Op, at: Op): boolean => {
  const relations = relationsAt(flow, at)
  if (isPlainlyAtLeast(flow, a, b, relations) || isOrderedPair(flow, stripCasts(a), stripCasts(b))) return true
  if (relations.length === 0) return flow.interval(a).min >= flow.interval(b).max
  const low = bounded(flow, a, relations, 0)
  return low.min >= bounded(flow, b, relations, 0).max
}

/** The same by what was compared and how the values are made, without a look at what they may be. */
export const isPlainlyAtLeast = (flow: Flow, a: Op, b: Op, relations: readonly Relation[]): boolean => {
  if (sameValue(a, b) || isPartOf(flow, b, a, 0)) return true
  for (const { greater, smaller } of relations) {
    if (!sameValue(greater, a)) continue
    if (sameValue(smaller, b) || isPartOf(flow, b, smaller, 0)) return true
    // One step further: a >= m, m >= b.
    for (const next of relations) if (sameValue(next.greater, smaller) && sameValue(next.smaller, b)) return true
  }
  return false
}

/** `part` can never exceed `whole`: `x % y`, `x / y`, `x * 3 / 100`, `x >> n`, `min(x, y)`, or `whole` adds to it. */
export const isPartOf = (flow: Flow, part: Op, whole: Op, depth: number): boolean => {
  const p = stripCasts(part)
  const w = stripCasts(whole)
  if (depth > 4) return false
  if (sameValue(p, w)) return true
  if (p.kind === 'const' && p.constant === 0n) return rangeOf(flow.typeOf(w)).min === 0n
  if (w.kind === 'bin' && w.operator === '+' && (w.flag || !flow.canOverflow(w))) {
    if (w.args.some((arg) => sameValue(arg, p))) return true
  }
  if (p.kind === 'bin') {
    const [x, y] = p.args as [Op, Op]
    if (p.operator === '/' || p.operator === '%' || p.operator === '>>') {
      if (isPartOf(flow, x, w, depth + 1)) return true
      if (p.operator === '/') return productsIn(x).some((product) => isShare(flow, product, y, w))
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

export const bothWays = ({ args }: Op): readonly (readonly [Op, Op])[] => {
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

/** `if (a > b) (a, b) = (b, a)`: on each way here the one is at least the other. */
const isOrderedPair = (flow: Flow, a: Op, b: Op): boolean => {
  if (a.kind !== 'phi' || b.kind !== 'phi' || a.block !== b.block) return false
  if (flow.blocks[a.block]!.preds.some((pred) => pred >= a.block)) return false
  return a.args.every((more, i) => {
    const less = b.args[i]!
    return relationsOnWay(flow, a, i).some((r) => sameValue(r.greater, more) && sameValue(r.smaller, less))
  })
}

/** What was compared on the way that gives a phi its value. */
export const relationsOnWay = (flow: Flow, { block }: Op, way: number): Relation[] => {
  const relations: Relation[] = []
  const pred = flow.blocks[block]!.preds[way]
  if (pred === undefined) return relations
  for (const fact of flow.guardsAtEnd(pred))
    if (fact.condition.kind === 'bin') addRelation(relations, fact.condition, fact.polarity)
  const from = flow.blocks[pred]!
  if (from.condition !== null && from.condition.kind === 'bin' && from.succs.length === 2)
    addRelation(relations, from.condition, from.succs[0] === block)
  return relations
}

const isSmallerPhi = (flow: Flow, phi: Op, whole: Op, depth: number): boolean => {
  if (flow.blocks[phi.block]!.preds.some((pred) => pred >= phi.block)) return false
  return phi.args.every((arg, i) => {
    if (arg === phi) return false
    if (isPartOf(flow, arg, whole, depth + 1)) return true
    return relationsOnWay(flow, phi, i).some((r) => sameValue(r.greater, whole) && sameValue(r.smaller, arg))
  })
}

const noProducts: readonly Op[] = []

/** A product, also one that is left at nothing when a factor is nothing. */
const productsIn = (value: Op): readonly Op[] => {
  const op = stripCasts(value)
  if (op.kind === 'bin') return op.operator === '*' ? [op] : noProducts
  if (op.kind !== 'phi' || op.args.length !== 2) return noProducts
  const [a, b] = op.args as [Op, Op]
  if (a.kind === 'const' && a.constant === 0n) return b.kind === 'bin' ? productsIn(b) : noProducts
  return b.kind === 'const' && b.constant === 0n && a.kind === 'bin' ? productsIn(a) : noProducts
}

/** `whole * a / b` with `a <= b`. */
const isShare = (flow: Flow, product: Op, divisor: Op, whole: Op): boolean => {
  const [x, y] = product.args as [Op, Op]
  const factor = sameValue(x, whole) ? y : sameValue(y, whole) ? x : null
  if (factor === null) return false
  if (sameValue(factor, divisor)) return true
  const least = flow.interval(divisor).min
  return flow.interval(factor).max <= least || (least > 1n && flow.interval(factor, product).max <= least)
}

// Overflow

/** What a sum is made of. */
export const addendsOf = (value: Op): Op[] => {
  const found: Op[] = []
  const work = [value]
  while (work.length > 0 && found.length < 8) {
    const op = stripCasts(work.pop()!)
    if (op.kind === 'bin' && op.operator === '+') work.push(op.args[0]!, op.args[1]!)
    else found.push(op)
  }
  return found
}

export const isAmong = (some: readonly Op[], all: readonly Op[]): boolean => {
  const rest = [...all]
  return some.every((part) => {
    const at = rest.findIndex((other) => sameValue(other, part))
    if (at >= 0) rest.splice(at, 1)
    return at >= 0
  })
}
