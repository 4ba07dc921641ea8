/** Whether one value is at least another, by what was compared and by how they are made. */
import { budget, type Op, rangeOf, sameValue, stripCasts } from '../ir/index.ts'
import { lowerBoundsOf } from './bounds-of.ts'
import { relationsAt, relationsOnPath } from './guards.ts'
import { bounded } from './intervals.ts'
import { isNarrowed } from './narrowing.ts'
import type { Numbers } from './numbers.ts'
import { type Relation, relationsOf } from './relations.ts'

/** Whether `a >= b` certainly holds at `at`. */
export const holdsAtLeast = (numbers: Numbers, a: Op, b: Op, at: Op): boolean => {
  const relations = relationsAt(numbers.flow, at)
  if (isPlainlyAtLeast(numbers, a, b, relations)) return true
  if (relations.length === 0) return numbers.interval(a).min >= numbers.interval(b).max
  const low = bounded(numbers, a, relations, 0)
  return low.min >= bounded(numbers, b, relations, 0).max
}

/** The same by what was compared and how the values are made, without a look at what they may be. */
export const isPlainlyAtLeast = (numbers: Numbers, a: Op, b: Op, relations: readonly Relation[]): boolean => {
  if (sameValue(a, b) || isWithin(numbers, b, a, 0) || isLessByOne(relations, stripCasts(a), b)) return true
  return (
    lowerBoundsOf(numbers.flow, relations, a).some(
      ({ smaller }) =>
        sameValue(smaller, b) ||
        isWithin(numbers, b, smaller, 0) ||
        lowerBoundsOf(numbers.flow, relations, smaller).some((next) => sameValue(next.smaller, b)),
    ) || largerOf(numbers, a).some((either) => isPlainlyAtLeast(numbers, either, b, relations))
  )
}

/** `n - 1` where `n > b` was required: `i < n` and then `n - 1 - i`. */
const isLessByOne = (relations: readonly Relation[], a: Op, b: Op): boolean =>
  a.kind === 'bin' &&
  a.operator === '-' &&
  stripCasts(a.args[1]).constant === 1n &&
  relations.some(({ greater, smaller, strict }) => strict && sameValue(greater, a.args[0]) && sameValue(smaller, b))

const neither: readonly Op[] = []

/** The two that `max(x, y)` chooses from: it is at least each of them. */
const largerOf = ({ flow }: Numbers, value: Op): readonly Op[] => {
  const op = stripCasts(value)
  if (isNarrowed(flow, value)) return neither
  if (op.kind === 'select') return isChosen(op.args[0], op.args[1], op.args[2]) ? op.args.slice(1) : neither
  if (op.kind !== 'phi' || op.args.length !== 2 || flow.blocks[op.block]!.preds.some((pred) => pred >= op.block))
    return neither
  const isLarger = op.args.every((arg, i) =>
    relationsOnPath(flow, op.block, i).some((r) => sameValue(r.greater, arg) && sameValue(r.smaller, op.args[1 - i]!)),
  )
  return isLarger ? op.args : neither
}

/** Where the condition holds, `more` is at least `less`. */
const isChosen = (condition: Op, more: Op, less: Op): boolean =>
  relationsOf(condition, true).some((r) => sameValue(r.greater, more) && sameValue(r.smaller, less))

/** `part` can never exceed `whole`: `x % y`, `x / y`, `x * 3 / 100`, `x >> n`, `min(x, y)`, or `whole` adds to it. */
export const isWithin = (numbers: Numbers, part: Op, whole: Op, depth: number): boolean => {
  const p = stripCasts(part)
  const w = stripCasts(whole)
  if (depth > budget.depth.within) return false
  if (sameValue(p, w)) return true
  if (p.kind === 'const' && p.constant === 0n) return rangeOf(numbers.flow.typeOf(w)).min === 0n
  if (w.kind === 'bin' && w.operator === '+' && (w.flag || !numbers.canOverflow(w))) {
    if (w.args.some((arg) => sameValue(arg, p))) return true
  }
  if (p.kind === 'bin') {
    const [x, y] = p.args as [Op, Op]
    if (p.operator === '/' || p.operator === '%' || p.operator === '>>') {
      if (isWithin(numbers, x, w, depth + 1)) return true
      if (p.operator === '/') return productsIn(x).some((product) => isShare(numbers, product, y, w))
    }
    if (p.operator === '-' && isWithin(numbers, x, w, depth + 1)) return p.flag || !numbers.canOverflow(p)
    if (p.operator === '&') return isWithin(numbers, x, w, depth + 1) || isWithin(numbers, y, w, depth + 1)
  }
  if (p.kind === 'select') {
    return (
      isChosenSmaller(p.args, w) ||
      (isWithin(numbers, p.args[1], w, depth + 1) && isWithin(numbers, p.args[2], w, depth + 1))
    )
  }
  if (p.kind === 'phi' && p.args.length === 2) return isSmallerPhi(numbers, p, w, depth)
  return false
}

/** `c ? x : y` where the condition picks the smaller. */
const isChosenSmaller = (choice: readonly Op[], whole: Op): boolean => {
  const [condition, x, y] = choice as [Op, Op, Op]
  return (sameValue(x, whole) || sameValue(y, whole)) && isChosen(condition, y, x)
}

const isSmallerPhi = (numbers: Numbers, phi: Op, whole: Op, depth: number): boolean => {
  if (numbers.flow.blocks[phi.block]!.preds.some((pred) => pred >= phi.block)) return false
  return phi.args.every((arg, i) => {
    if (arg === phi) return false
    if (isWithin(numbers, arg, whole, depth + 1)) return true
    return relationsOnPath(numbers.flow, phi.block, i).some(
      (r) => sameValue(r.greater, whole) && sameValue(r.smaller, arg),
    )
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
const isShare = (numbers: Numbers, product: Op, divisor: Op, whole: Op): boolean => {
  const [x, y] = product.args as [Op, Op]
  const factor = sameValue(x, whole) ? y : sameValue(y, whole) ? x : null
  if (factor === null) return false
  if (sameValue(factor, divisor)) return true
  const least = numbers.interval(divisor).min
  return numbers.interval(factor).max <= least || (least > 1n && numbers.interval(factor, product).max <= least)
}
