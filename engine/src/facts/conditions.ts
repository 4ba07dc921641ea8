/** A condition that certainly holds at some point, taken apart into its parts. */

import { budget, type Flow, isEquality, isLogical, type Op, type OpOf, opposites, stripCasts } from '../ir/index.ts'

export interface Fact {
  readonly condition: Op
  /** What `condition` evaluates to. */
  readonly polarity: boolean
  /** The `require` or the branch that establishes it. */
  readonly op: Op
}

/** What is evaluated while the conditions of a flow are taken apart. */
export interface Points {
  readonly flow: Flow
  /** How many conditions that were computed from conditions are being followed. */
  phiDepth: number
  /** What holds at the end of a block. */
  factsAtEnd(block: number): readonly Fact[]
}

const maxFacts = budget.work.conditionFacts
/** How far a condition that was computed from conditions is followed. */
const maxPhiDepth = budget.depth.conditionPhis
/** How many alternatives of one value are taken together. */
const maxTestDepth = budget.depth.conditionAlternatives

/** Takes a condition apart into what must hold for it to come out this way. */
export const addFacts = (points: Points, condition: Op, polarity: boolean, op: Op, out: Fact[]): void => {
  const work: { value: Op; polarity: boolean }[] = [{ value: condition, polarity }]
  const seen: Op[] = []
  while (work.length > 0 && out.length < maxFacts) {
    const { value, polarity: holds } = work.pop()!
    if (value.kind === 'un' && value.operator === '!') {
      work.push({ value: value.args[0], polarity: !holds })
      continue
    }
    if (value.kind === 'bin') {
      if ((value.operator === '&&' && holds) || (value.operator === '||' && !holds)) {
        work.push({ value: value.args[0], polarity: holds }, { value: value.args[1], polarity: holds })
        continue
      }
      const rest = besideConstant(value)
      if (rest !== null) {
        work.push({ value: rest, polarity: holds })
        continue
      }
      const flat = comparedWithBoolean(points.flow, value)
      if (flat !== null) {
        work.push({ value: flat.value, polarity: flat.same ? holds : !holds })
        continue
      }
    }
    if (isTautology(value, holds)) continue
    out.push({ condition: value, polarity: holds, op })
    const test = points.phiDepth < maxPhiDepth ? testOf(value, holds, maxTestDepth) : null
    if (test === null || seen.includes(test.choice)) continue
    seen.push(test.choice)
    if (test.choice.kind === 'select') {
      const decided = controlledBy(test.choice, test.allows)
      if (decided === null) continue
      work.push({ value: test.choice.args[0], polarity: decided.isFirst })
      if (test.choice === value && decided.value.kind !== 'const') work.push({ value: decided.value, polarity: holds })
      continue
    }
    points.phiDepth++
    const last = addPathFacts(points, test.choice, test.allows, out)
    if (test.choice === value && last !== null && last.kind !== 'const') work.push({ value: last, polarity: holds })
    points.phiDepth--
  }
}

/** It always comes out this way, and says nothing: `x || !x`, `x == x`, `c ? true : true`. */
const isTautology = (value: Op, holds: boolean): boolean => {
  if (value.kind === 'const') return value.constant !== null && (value.constant !== 0n) === holds
  if (value.kind === 'select') return value.args.slice(1).every((side) => isTautology(side, holds))
  if (value.kind !== 'bin') return false
  if (value.operator === (holds ? '==' : '!=')) return isIdentical(value.args[0], value.args[1])
  if (value.operator !== (holds ? '||' : '&&')) return false
  const parts = alternativesOf(value, holds)
  return parts.some(
    (one, i) => isTautology(one.value, one.holds) || parts.slice(i + 1).some((other) => areOpposite(one, other)),
  )
}

interface Part {
  readonly value: Op
  readonly holds: boolean
}

/** Of which one must come out like this, negations taken in; a few of them, where there are many. */
const alternativesOf = (value: Op, holds: boolean): Part[] => {
  const parts: Part[] = []
  const work: Part[] = [{ value, holds }]
  for (let part = work.pop(); part !== undefined && parts.length < maxTestDepth; part = work.pop()) {
    const { value: op, holds: positive } = part
    if (op.kind === 'un' && op.operator === '!') work.push({ value: op.args[0], holds: !positive })
    else if (op.kind === 'bin' && op.operator === (positive ? '||' : '&&'))
      work.push({ value: op.args[1], holds: positive }, { value: op.args[0], holds: positive })
    else parts.push(part)
  }
  return parts
}

/** The same number whatever it is, conversions included: `uint128(x)` is another than `x`. */
const isIdentical = (a: Op, b: Op, depth = 0): boolean => {
  if (a === b) return true
  if (depth === maxTestDepth || a.kind !== b.kind || a.operator !== b.operator) return false
  if (a.kind !== 'bin' && a.kind !== 'un' && (a.kind !== 'builtin' || a.operator !== 'ecrecover')) return false
  return a.args.every((arg, i) => isIdentical(arg, b.args[i]!, depth + 1))
}

const areOpposite = (one: Part, other: Part): boolean => {
  if (isIdentical(one.value, other.value)) return one.holds !== other.holds
  if (one.value.kind !== 'bin' || other.value.kind !== 'bin') return false
  const [a, b] = [one.value, other.value]
  return (
    one.holds === other.holds &&
    opposites[a.operator] === b.operator &&
    isIdentical(a.args[0], b.args[0]) &&
    isIdentical(a.args[1], b.args[1])
  )
}

/** `x || false` and `x && true` are `x`. */
const besideConstant = ({ operator, args }: OpOf<'bin'>): Op | null => {
  if (!isLogical(operator) || (operator !== '||' && operator !== '&&')) return null
  const neutral = operator === '||' ? 0n : 1n
  const at = args.findIndex(({ kind, constant }) => kind === 'const' && constant === neutral)
  return at === -1 ? null : args[1 - at]!
}

/** The side of `c ? a : b` that it must be, where the other one is a constant that it cannot be. */
const controlledBy = (
  { args }: OpOf<'select'>,
  allows: (constant: bigint) => boolean,
): { readonly isFirst: boolean; readonly value: Op } | null => {
  const isExcluded = ({ kind, constant }: Op): boolean => kind === 'const' && constant !== null && !allows(constant)
  const [, first, second] = args as readonly [Op, Op, Op]
  if (isExcluded(first) === isExcluded(second)) return null
  const isFirst = isExcluded(second)
  return { isFirst, value: isFirst ? first : second }
}

/** `x == true`, `x != false`… */
export const comparedWithBoolean = (flow: Flow, op: Op): { value: Op; same: boolean } | null => {
  if (!isEquality(op.operator)) return null
  for (let i = 0; i < 2; i++) {
    const side = op.args[i]!
    const other = op.args[1 - i]!
    if (side.kind !== 'const' || side.constant === null || side.constant > 1n || side.constant < 0n) continue
    if (!isBoolean(flow, other)) continue
    return { value: other, same: (op.operator === '==') === (side.constant === 1n) }
  }
  return null
}

const isBoolean = (flow: Flow, op: Op): boolean => {
  if (op.kind === 'bin') return isLogical(op.operator)
  if (op.kind === 'un') return op.operator === '!'
  return flow.typeOf(op)?.kind === 'bool'
}

/** A value that is chosen from several, and which constants it may be for a condition to come out as it must. */
interface Test {
  readonly choice: OpOf<'phi'> | OpOf<'select'>
  readonly allows: (constant: bigint) => boolean
}

/** `isOpen`, `state == State.Open`, `count > 0`, `state == State.Open || state == State.Late`. */
const testOf = (condition: Op, holds: boolean, depth: number): Test | null => {
  if (isChoice(condition)) return { choice: condition, allows: (constant) => (constant !== 0n) === holds }
  if (condition.kind !== 'bin' || depth === 0) return null
  if (condition.operator in comparisons) return comparisonTest(condition, holds)
  if (condition.operator !== (holds ? '||' : '&&')) return null
  const left = testOf(condition.args[0], holds, depth - 1)
  const right = left === null ? null : testOf(condition.args[1], holds, depth - 1)
  if (left === null || right === null || left.choice !== right.choice) return null
  return { choice: left.choice, allows: (constant) => left.allows(constant) || right.allows(constant) }
}

const isChoice = (op: Op): op is OpOf<'phi'> | OpOf<'select'> => op.kind === 'phi' || op.kind === 'select'

const comparisons: Readonly<Record<string, (left: bigint, right: bigint) => boolean>> = {
  '==': (left, right) => left === right,
  '!=': (left, right) => left !== right,
  '<': (left, right) => left < right,
  '<=': (left, right) => left <= right,
  '>': (left, right) => left > right,
  '>=': (left, right) => left >= right,
}

const comparisonTest = ({ operator, args }: OpOf<'bin'>, holds: boolean): Test | null => {
  // Behind a conversion the value may be another: `uint8(code()) == 1`.
  const [left, right] = args as readonly [Op, Op]
  const choice = isChoice(left) ? left : right
  const { kind, constant } = stripCasts(choice === left ? right : left)
  if (!isChoice(choice) || kind !== 'const' || constant === null) return null
  const compare = comparisons[operator]!
  return {
    choice,
    allows: (other) => (choice === left ? compare(other, constant) : compare(constant, other)) === holds,
  }
}

/**
 * A helper that gives one answer on one path and others on the others: when it is this answer, that path was taken, so what
 * holds at the end of it holds now. Returns the value of that path.
 */
const addPathFacts = (
  points: Points,
  phi: OpOf<'phi'>,
  allows: (constant: bigint) => boolean,
  out: Fact[],
): Op | null => {
  const { blocks } = points.flow
  let only = -1
  for (let i = 0; i < phi.args.length; i++) {
    const arg = phi.args[i]!
    if (arg.kind === 'const' && arg.constant !== null && !allows(arg.constant)) continue
    if (only !== -1) return null
    only = i
  }
  if (only === -1) return null
  const pred = blocks[phi.block]!.preds[only]
  if (pred === undefined || pred >= phi.block) return phi.args[only]!
  for (const fact of points.factsAtEnd(pred)) if (out.length < maxFacts) out.push(fact)
  const from = blocks[pred]!
  if (from.condition !== null && from.succs.length === 2) {
    const flat: Fact[] = []
    addFacts(points, from.condition, from.succs[0] === phi.block, from.condition, flat)
    out.push(...flat)
  }
  return phi.args[only]!
}
