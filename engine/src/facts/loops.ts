/** What bounds a loop, where that bound comes from and who can make it grow. */

import {
  alternativesOf,
  budget,
  type Flow,
  fieldPath,
  isOrdering,
  type Location,
  type LoopMark,
  type Op,
  sameValue,
  stripCasts,
} from '../ir/index.ts'
import type { VariableModel } from '../model/index.ts'
import type { Span } from '../syntax/index.ts'
import { isPartOf } from './arithmetic.ts'
import { dependsOn } from './dependencies.ts'
import type { GrownBy } from './growth.ts'
import { grownBy } from './growth.ts'
import { relationsAt } from './guards.ts'

/** chain: goes on until the time or other accounts say otherwise. */
export type BoundKind = 'constant' | 'storage-length' | 'storage' | 'param' | 'call' | 'chain' | 'unknown'

export interface Loop extends Span {
  readonly mark: LoopMark
  /** The condition that keeps it going; null for none. */
  readonly condition: Op | null
  /** The value the counter runs up to (or down from). */
  readonly bound: Op | null
  readonly boundKind: BoundKind
  /** The state variable behind a storage bound. */
  readonly variable: VariableModel | null
  /** The fields in that variable: `.members` of `groups[id].members`. */
  readonly path: string
  /** For storage bounds: who can make the bound larger. */
  readonly grownBy: GrownBy
}

const noLoops: readonly Loop[] = []

/** Loops in program order with what bounds them. */
export const loopsOf = (flow: Flow): readonly Loop[] =>
  flow.ir.loops.length === 0 ? noLoops : flow.answer(describeLoops)

const describeLoops = (flow: Flow): readonly Loop[] => flow.ir.loops.map((mark) => describeLoop(flow, mark))

/** The innermost loop around an operation, with what bounds it. */
export const loopAround = (flow: Flow, op: Op): Loop | undefined => {
  const mark = flow.loopMarkAround(op)
  return mark === null ? undefined : loopsOf(flow)[flow.ir.loops.indexOf(mark)]
}

const describeLoop = (flow: Flow, mark: LoopMark): Loop => {
  const condition = mark.test === -1 ? null : flow.blocks[mark.test]!.condition
  let best: Bound | null = null
  let bound: Op | null = null
  if (condition !== null)
    for (const value of boundsOf(flow, mark, condition)) {
      const found = classify(value, 0)
      if (best !== null && rank(found.kind) >= rank(best.kind)) continue
      best = found
      bound = value
    }
  const isOpen = best === null && waitsForChain(flow, mark, condition)
  const kind = isOpen ? 'chain' : (best?.kind ?? 'unknown')
  const variable = best?.variable ?? null
  const growth = (): GrownBy => {
    if (isOpen) return 'privileged'
    if (variable === null) return hiddenGrowth(bound)
    const grown = grownBy(flow.contractFlow, variable, kind === 'storage-length', best!.path, roundsFor(flow, mark))
    return grown === 'anyone' ? limitedTo(flow, bound!, condition!) : grown
  }
  return {
    mark,
    condition,
    bound,
    boundKind: kind,
    variable,
    path: best?.path ?? '',
    grownBy: growth(),
    start: mark.start,
    end: mark.end,
  }
}

/** `if (list.length > most) return`: the bound is as large as that limit at most, and grows with it. */
const limitedTo = (flow: Flow, bound: Op, condition: Op): GrownBy => {
  for (const { smaller, greater } of relationsAt(flow, condition)) {
    if (!isSamePlace(smaller, stripCasts(bound))) continue
    const { kind, variable, path } = classify(greater, 0)
    if (kind === 'constant') return 'none'
    if (kind !== 'storage' || variable === null) continue
    const grown = grownBy(flow.contractFlow, variable, false, path)
    if (grown !== 'anyone') return grown
  }
  return 'anyone'
}

/** So many rounds fit into a block: some 25,000 gas each where there is no other loop and no call inside, else 200,000. */
const roundsFor = (flow: Flow, { header, last }: LoopMark): bigint => {
  const inside = { header: header + 1, last }
  const [call] = flow.within(inside, flow.externalCalls())
  const isHeavy = call !== undefined || flow.ir.loops.some((mark) => mark.header > header && mark.header <= last)
  return isHeavy ? 64n : 512n
}

/** Where a bound comes from, and the state variable behind it. */
interface Bound {
  readonly kind: BoundKind
  readonly variable: VariableModel | null
  /** The fields that lead to it. */
  readonly path: string | null
}

const constantBound: Bound = { kind: 'constant', variable: null, path: null }
const paramBound: Bound = { kind: 'param', variable: null, path: null }
const callBound: Bound = { kind: 'call', variable: null, path: null }
const unknownBound: Bound = { kind: 'unknown', variable: null, path: null }

/** `while (true)` whose every way out asks the time, or whether some account has code. */
const waitsForChain = (flow: Flow, mark: LoopMark, condition: Op | null): boolean => {
  if ((condition !== null && condition.kind !== 'const') || isBisection(flow, mark)) return false
  const { header, last } = mark
  // A search that starts at the present does not grow longer as time goes by.
  for (const { args } of flow.blocks[header]!.phis) if (dependsOn(flow, args[0]!, isOfChain)) return false
  const goesOn = new Set<number>([header])
  for (let block = last; block > header; block--)
    if (flow.blocks[block]!.succs.some((next) => goesOn.has(next))) goesOn.add(block)
  const exits: Op[] = []
  for (const block of goesOn) {
    const { condition: exitCondition, succs } = flow.blocks[block]!
    if (exitCondition !== null && exitCondition !== condition && !succs.every((next) => goesOn.has(next)))
      exits.push(exitCondition)
  }
  return (
    exits.length > 0 &&
    exits.every((exit) => dependsOn(flow, exit, isOfChain) && !dependsOn(flow, exit, isRecord, { keys: true }))
  )
}

/** `start[id]`: as many rounds as there are records, however late it is. */
const isRecord = ({ kind, location }: Op): boolean =>
  kind === 'load' && location?.space === 'state' && location.part !== 'root'

/** `middle = (left + right) / 2`: each round halves what is left to search. */
const isBisection = (flow: Flow, mark: LoopMark): boolean => {
  for (const { operator, args } of flow.within(mark, flow.ops('bin'))) {
    const sum = stripCasts(args[0])
    if ((operator === '/' || operator === '>>') && stripCasts(args[1]).kind === 'const' && sum.kind === 'bin')
      if (sum.operator === '+' && sum.args.every((part) => changesIn(mark, stripCasts(part)))) return true
  }
  return false
}

const isOfChain = (op: Op): boolean =>
  (op.kind === 'env' && (op.operator === 'block.timestamp' || op.operator === 'block.number')) ||
  (op.kind === 'builtin' && op.operator === 'extcodesize')

/** A list behind a function of a missing file: someone fills it, and it is not known who. */
const hiddenGrowth = (bound: Op | null): GrownBy => {
  const place = bound?.location
  if (place?.space !== 'pointer' || place.part !== 'length') return 'none'
  return place.base!.kind === 'param' ? 'none' : 'privileged'
}

/** Lower comes first: one finite bound that nobody can raise is enough. */
const rank = (kind: BoundKind): number => ranks.indexOf(kind)

const ranks: readonly BoundKind[] = ['constant', 'param', 'storage-length', 'storage', 'call', 'unknown']

/** Every conjunct of the condition bounds the loop by itself. */
const boundsOf = (flow: Flow, mark: LoopMark, condition: Op): Op[] => {
  const bounds: Op[] = []
  const work = [condition]
  while (work.length > 0 && bounds.length < 16) {
    const op = work.pop()!
    if (op.kind !== 'bin') continue
    if (op.operator === '&&') {
      work.push(op.args[0], op.args[1])
      continue
    }
    if (!isOrdering(op.operator) && op.operator !== '!=') continue
    const left = stripCasts(op.args[0])
    const right = stripCasts(op.args[1])
    const leftMoves = changesIn(mark, left)
    const rightMoves = changesIn(mark, right)
    if (leftMoves && !rightMoves)
      bounds.push(right.kind === 'const' ? (startOf(mark, left, op.operator) ?? right) : pageOf(flow, left, right))
    else if (rightMoves && !leftMoves)
      bounds.push(left.kind === 'const' ? (startOf(mark, right, op.operator) ?? left) : pageOf(flow, right, left))
    else if (leftMoves && isCounter(left) !== isCounter(right)) bounds.push(isCounter(left) ? right : left)
    else if (leftMoves) bounds.push(...[left, right].filter(onlyShrinks).map((value) => stripCasts(value.args[0]!)))
  }
  return bounds
}

/**
 * The size of a page: from `start` to `start + size`, or from `end - size` to `end`, there are `size` rounds, also when the
 * end is cut to the length of a list. Otherwise the end itself.
 */
const pageOf = (flow: Flow, moving: Op, end: Op): Op => {
  // Checked after the round, the counter has gone on already.
  const counter = moving.kind === 'bin' && moving.args[1].kind === 'const' ? stripCasts(moving.args[0]) : moving
  if (counter.kind !== 'phi') return end
  const start = stripCasts(counter.args[0])
  const back = start.kind === 'bin' ? distanceTo(start, end) : null
  if (back !== null) return back
  if (end.kind !== 'phi' && end.kind !== 'select' && end.kind !== 'bin') return end
  const limits = end.kind === 'bin' ? [end] : upperLimits(flow, end, start)
  for (const limit of limits) {
    if (limit.kind !== 'bin' || limit.operator !== '+') continue
    const [a, b] = limit.args as [Op, Op]
    if (sameValue(a, start)) return stripCasts(b)
    if (sameValue(b, start)) return stripCasts(a)
  }
  return limits.find(({ kind }) => kind === 'const' || kind === 'param') ?? end
}

/** How far a counter that starts at `end - size` or, running down, at `end + size`, has to go. */
const distanceTo = ({ operator, args }: Op, end: Op): Op | null => {
  const [a, b] = args as [Op, Op]
  if (operator !== '-' && operator !== '+') return null
  if (isSamePlace(a, end)) return stripCasts(b)
  return operator === '+' && isSamePlace(b, end) ? stripCasts(a) : null
}

const isSamePlace = (value: Op, end: Op): boolean => {
  const op = stripCasts(value)
  return sameValue(op, end) || (op.kind === 'load' && end.kind === 'load' && op.location === end.location)
}

/** The values of a choice that the chosen one never exceeds: both, for the smaller of two; all but the start, which is no round. */
const upperLimits = (flow: Flow, choice: Op, start: Op): Op[] => {
  const values = alternativesOf(choice).map(stripCasts)
  const others = values.filter((value) => value !== choice && !sameValue(value, start))
  if (others.length === 1 && values.length === 2) return others
  return others.filter((value) => isPartOf(flow, choice, value))
}

const changesIn = (mark: LoopMark, value: Op): boolean => {
  if (value.kind === 'phi') return value.block === mark.header
  if (value.kind === 'bin' || value.kind === 'un') return value.args.some((arg) => changesIn(mark, stripCasts(arg)))
  return false
}

/** Goes on by a constant each round. */
const isCounter = (value: Op): boolean => {
  if (value.kind !== 'phi' || value.args[1] === undefined) return false
  const next = stripCasts(value.args[1])
  return next.kind === 'bin' && next.args[0] === value && next.args[1].kind === 'const'
}

/** Stays or goes down by a constant each round, whatever way the round takes: where it started bounds the loop. */
const onlyShrinks = (value: Op): boolean => {
  if (value.kind !== 'phi' || value.args.length < 2) return false
  let shrinks = false
  const seen = new Set<Op>([value])
  const work = value.args.slice(1).map(stripCasts)
  while (work.length > 0) {
    const op = work.pop()!
    if (seen.has(op)) continue
    seen.add(op)
    if (seen.size > 30) return false
    if (op.kind === 'phi') work.push(...op.args.map(stripCasts))
    else if (op.kind === 'bin' && op.operator === '-' && op.args[1].kind === 'const') {
      shrinks = true
      work.push(stripCasts(op.args[0]))
    } else return false
  }
  return shrinks
}

/** A counter that runs down starts at the bound: `for (i = n; i > 0; i--)`. */
const startOf = (mark: LoopMark, counter: Op, operator: string): Op | null => {
  if (counter.kind !== 'phi' || counter.block !== mark.header || counter.args.length < 2) return null
  const step = stripCasts(counter.args[1]!)
  const down = step.kind === 'bin' && (step.operator === '-' || step.operator === '/' || step.operator === '>>')
  if (!down || operator === '<' || operator === '<=') return null
  return stripCasts(counter.args[0])
}

const classify = (value: Op, depth: number): Bound => {
  const op = stripCasts(value)
  if (depth > budget.depth.loopBound) return unknownBound
  switch (op.kind) {
    case 'const':
      return constantBound
    case 'param':
    case 'env':
      return paramBound
    case 'load': {
      const place = op.location
      if (place.space === 'memory') return place.base === null ? unknownBound : classifyMemory(place, depth + 1)
      if (place.part !== 'length') return { kind: 'storage', variable: place.variable, path: fieldPath(place) }
      return { kind: 'storage-length', variable: place.variable, path: fieldPath(place) }
    }
    case 'call':
    case 'extract':
      return callBound
    case 'bin':
    case 'phi':
    case 'select':
    case 'un':
      if (isRequested(op)) return paramBound
      return widest(
        (op.kind === 'select' ? op.args.slice(1) : op.args)
          .filter((arg) => arg !== op)
          .map((arg) => classify(arg, depth + 1)),
      )
    default:
      return unknownBound
  }
}

/** What the caller asks for is one of the choices: `count == 0 ? list.length : count`, `start + count` or what is left. */
const isRequested = (choice: Op): boolean => hasRequestedChoice(choice, 0, new Map())

/** `known` holds what was queried before: choices of choices share their parts, and would be walked once for every way to them. */
const hasRequestedChoice = (choice: Op, depth: number, known: Map<Op, boolean>): boolean => {
  if (choice.kind !== 'select' && choice.kind !== 'phi') return false
  if (choice.kind === 'phi' && choice.args.some(({ id }) => id >= choice.id)) return false
  const before = known.get(choice)
  if (before !== undefined) return before
  const values = alternativesOf(choice)
  const isRequestedPart = values.some((value) => isOfParameters(value, depth + 1, known))
  known.set(choice, isRequestedPart)
  return isRequestedPart
}

const isOfParameters = (value: Op, depth: number, known: Map<Op, boolean>): boolean => {
  const op = stripCasts(value)
  if (op.kind === 'param') return true
  if (depth > budget.depth.loopParameters) return false
  if (op.kind !== 'bin') return hasRequestedChoice(op, depth, known)
  const [a, b] = op.args as [Op, Op]
  if (a.kind === 'const' || b.kind === 'const') return isOfParameters(a.kind === 'const' ? b : a, depth + 1, known)
  return isOfParameters(a, depth + 1, known) && isOfParameters(b, depth + 1, known)
}

const classifyMemory = (place: Location, depth: number): Bound => {
  const op = stripCasts(place.base!)
  if (op.kind === 'make')
    return op.args.length > 0 && op.operator === 'new' ? classify(op.args[0]!, depth) : constantBound
  if (op.kind === 'load' && op.location.space !== 'memory')
    return {
      kind: 'storage-length',
      variable: op.location.variable,
      path: fieldPath(op.location) + fieldPath(place),
    }
  return classify(op, depth)
}

/** The part of an expression that can become largest decides. */
const widest = (parts: readonly Bound[]): Bound => {
  let worst = parts[0] ?? unknownBound
  for (const part of parts) if (widths.indexOf(part.kind) > widths.indexOf(worst.kind)) worst = part
  return worst
}

const widths: readonly BoundKind[] = ['constant', 'param', 'unknown', 'call', 'storage', 'storage-length']
