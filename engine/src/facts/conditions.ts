/** A condition that certainly holds at some point, taken apart into its parts. */

import { budget, type Flow, isEquality, isLogical, type Op, type OpOf, stripCasts } from '../ir/index.ts'

export interface Fact {
  readonly condition: Op
  /** What `condition` evaluates to. */
  readonly polarity: boolean
  /** The `require` or the branch that establishes it. */
  readonly op: Op
}

/** What is asked while the conditions of a flow are taken apart. */
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
      const flat = comparedWithBoolean(points.flow, value)
      if (flat !== null) {
        work.push({ value: flat.value, polarity: flat.same ? holds : !holds })
        continue
      }
    }
    out.push({ condition: value, polarity: holds, op })
    const test = points.phiDepth < maxPhiDepth ? testOf(value, holds, maxTestDepth) : null
    if (test !== null && !seen.includes(test.phi)) {
      seen.push(test.phi)
      points.phiDepth++
      const last = addWayFacts(points, test, out)
      if (test.phi === value && last !== null && last.kind !== 'const') work.push({ value: last, polarity: holds })
      points.phiDepth--
    }
  }
}

/** `x == true`, `x != false`… */
const comparedWithBoolean = (flow: Flow, op: Op): { value: Op; same: boolean } | null => {
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

/** A value that comes from several ways, and which constants it may be for a condition to come out as it must. */
interface Test {
  readonly phi: OpOf<'phi'>
  readonly allows: (constant: bigint) => boolean
}

/** `isOpen`, `state == State.Open`, `state == State.Open || state == State.Late`. */
const testOf = (condition: Op, holds: boolean, depth: number): Test | null => {
  if (condition.kind === 'phi') return { phi: condition, allows: (constant) => (constant !== 0n) === holds }
  if (condition.kind !== 'bin' || depth === 0) return null
  if (isEquality(condition.operator)) return equalityTest(condition, (condition.operator === '==') === holds)
  if (condition.operator !== (holds ? '||' : '&&')) return null
  const left = testOf(condition.args[0], holds, depth - 1)
  const right = left === null ? null : testOf(condition.args[1], holds, depth - 1)
  if (left === null || right === null || left.phi !== right.phi) return null
  return { phi: left.phi, allows: (constant) => left.allows(constant) || right.allows(constant) }
}

const equalityTest = ({ args }: OpOf<'bin'>, same: boolean): Test | null => {
  // Behind a conversion the value may be another: `uint8(code()) == 1`.
  const [left, right] = args as readonly [Op, Op]
  const phi = left.kind === 'phi' ? left : right
  const { kind, constant } = stripCasts(phi === left ? right : left)
  if (phi.kind !== 'phi' || kind !== 'const' || constant === null) return null
  return { phi, allows: (other) => (other === constant) === same }
}

/**
 * A helper that gives one answer on one path and others on the others: when it is this answer, that path was taken, so what
 * holds at the end of it holds now. Returns the value of that path.
 */
const addWayFacts = (points: Points, { phi, allows }: Test, out: Fact[]): Op | null => {
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
