/**
 * The denominator that a stored ratio is counted in: `amount * fee / 10000` says basis points, if what comes out is a part of the amount. A ratio that one
 * function divides by 10,000 and another by 1,000 is ten times as large in one of them.
 */
import { type Column, columnOf, isConstant, keptIn, keyOfColumn } from '../../idioms/index.ts'
import {
  addendsOf,
  type BinaryOp,
  bothOrders,
  type ContractFlow,
  type Flow,
  fieldPath,
  groupBy,
  type Op,
  type OpOf,
  sameValueOrPlace,
  stripCasts,
} from '../../ir/index.ts'

export interface RatioUse {
  readonly flow: Flow
  readonly op: Op
  readonly column: Column
  readonly denominator: bigint
  /** What the ratio is taken of. */
  readonly whole: Op
  /** The result is added to the whole or taken off it. */
  readonly isPart: boolean
}

/** 100, 1,000, … */
const isPowerOfTen = (value: bigint | null): value is bigint =>
  value !== null && value >= 100n && /^10+$/.test(value.toString())

const columnBehind = (value: Op): Column | null => {
  const kept = keptIn(stripCasts(value))
  const column = kept === null ? null : columnOf(kept.place)
  return column === null ? null : { variable: column.variable, path: fieldPath(kept!.place) + kept!.path }
}

/** `x * y / 10000`, rounded either way, or `mulDiv(x, y, 10000)`. */
const productOver = (op: BinaryOp | OpOf<'compute'>): { factors: readonly Op[]; denominator: bigint } | null => {
  if (op.kind === 'compute') {
    const [a, b, divisor] = op.args.map(stripCasts)
    if (op.operator !== 'mulDiv' || divisor === undefined || divisor.kind !== 'const') return null
    return isPowerOfTen(divisor.constant) ? { factors: [a!, b!], denominator: divisor.constant } : null
  }
  if (op.operator !== '/') return null
  const divisor = stripCasts(op.args[1])
  if (divisor.kind !== 'const' || !isPowerOfTen(divisor.constant)) return null
  const [product, ...others] = addendsOf(op.args[0]).filter((part) => !isConstant(part))
  if (product?.kind !== 'bin' || product.operator !== '*' || others.length > 0) return null
  return { factors: product.args.map(stripCasts), denominator: divisor.constant }
}

const isFactor = ({ kind, operator }: Op): boolean => kind !== 'const' && !(kind === 'bin' && operator === '*')

function* usesIn(flow: Flow): Iterable<RatioUse> {
  if (!flow.has('bin') && !flow.has('compute')) return
  for (const op of [...flow.ops('bin'), ...flow.ops('compute')]) {
    const found = productOver(op)
    if (found === null || !found.factors.every(isFactor) || isScaledOn(flow, op)) continue
    const [a, b] = found.factors as [Op, Op]
    for (const [ratio, whole] of [
      [a, b],
      [b, a],
    ] as const) {
      const { denominator } = found
      const column = columnBehind(ratio)
      const rest = complementOf(ratio)
      if (column !== null) yield { flow, op, column, whole, denominator, isPart: isPartOf(flow, op, whole) }
      else if (rest?.whole === denominator) yield { flow, op, column: rest.column, whole, denominator, isPart: true }
    }
  }
}

/** `x * a / 100 * 3`, `x * a / 100 / 100`: the denominator is another one. */
const isScaledOn = (flow: Flow, op: Op): boolean =>
  flow
    .usersOf(op)
    .some(
      ({ kind, operator, args }) =>
        kind === 'bin' && (operator === '/' || operator === '*') && args.some((arg) => arg !== op && isConstant(arg)),
    )

/** `x - x * fee / 10000` */
const isPartOf = (flow: Flow, op: Op, whole: Op): boolean =>
  flow
    .usersOf(op)
    .some(
      (user) =>
        user.kind === 'bin' &&
        (user.operator === '+' || user.operator === '-') &&
        bothOrders(user).some(([one, other]) => stripCasts(op) === one && sameValueOrPlace(other, whole)),
    )

/** `10000 - fee`: what is left of the whole. */
const complementOf = ({ kind, operator, args }: Op): { column: Column; whole: bigint } | null => {
  const whole = kind === 'bin' && operator === '-' ? stripCasts(args[0]) : null
  const column = whole?.kind === 'const' && isPowerOfTen(whole.constant) ? columnBehind(args[1]!) : null
  return column === null ? null : { column, whole: whole!.constant! }
}

export interface MixedRatio {
  readonly odd: RatioUse
  readonly usual: RatioUse
}

/** Ratios that are counted in two denominators. */
export const mixedRatios = ({ flows }: ContractFlow): readonly MixedRatio[] => {
  const uses = flows.flatMap((flow) => [...usesIn(flow)])
  if (uses.length < 2) return []
  const isSurely = (column: Column | null, denominator: bigint): boolean => {
    const key = column === null ? '' : keyOfColumn(column)
    return uses.some((use) => use.isPart && use.denominator === denominator && keyOfColumn(use.column) === key)
  }
  // What is taken of a ratio by another one is counted in that one's denominator.
  const isOfRatio = ({ whole, denominator }: RatioUse): boolean => isSurely(columnBehind(whole), denominator)
  const byColumn = groupBy(
    uses.filter((use) => use.isPart || !isOfRatio(use)),
    ({ column }) => keyOfColumn(column),
  )
  return [...byColumn.values()].flatMap((all) => {
    const usual = all.find(({ column, denominator }) => isSurely(column, denominator))
    const odd = usual && all.find(({ denominator }) => denominator !== usual.denominator)
    return usual && odd ? [{ usual, odd }] : []
  })
}
