/** A condition that certainly holds at some point, taken apart into its parts. */

import { budget, type Flow, isEquality, isLogical, type Op } from '../ir/index.ts'

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
    if (value.kind === 'phi' && points.phiDepth < maxPhiDepth && !seen.includes(value)) {
      seen.push(value)
      points.phiDepth++
      addPhiFacts(points, value, holds, work, out)
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

/**
 * A helper that returns true on one path and false on the others: when its result is true, that path was taken, so what
 * holds at the end of it holds now.
 */
const addPhiFacts = (
  points: Points,
  phi: Op,
  holds: boolean,
  work: { value: Op; polarity: boolean }[],
  out: Fact[],
): void => {
  const { blocks } = points.flow
  let only = -1
  for (let i = 0; i < phi.args.length; i++) {
    const arg = phi.args[i]!
    const impossible = arg.kind === 'const' && arg.constant !== null && (arg.constant !== 0n) !== holds
    if (impossible) continue
    if (only !== -1) return
    only = i
  }
  if (only === -1) return
  const arg = phi.args[only]!
  if (arg.kind !== 'const') work.push({ value: arg, polarity: holds })
  const pred = blocks[phi.block]!.preds[only]
  if (pred === undefined || pred >= phi.block) return
  for (const fact of points.factsAtEnd(pred)) if (out.length < maxFacts) out.push(fact)
  const from = blocks[pred]!
  if (from.condition !== null && from.succs.length === 2) {
    const flat: Fact[] = []
    addFacts(points, from.condition, from.succs[0] === phi.block, from.condition, flat)
    out.push(...flat)
  }
}
