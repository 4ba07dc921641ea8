import { addRelation, type Relation, relationsAt } from '../../facts/index.ts'
import { unreachable } from '../../idioms/index.ts'
import {
  type BinaryOp,
  type ContractFlow,
  type Flow,
  holding,
  isComparison,
  type LoadOp,
  type Op,
  stripCasts,
} from '../../ir/index.ts'
import type { VariableModel } from '../../model/index.ts'
import { defineDetector } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly op: BinaryOp
}

/** `a != X || a != Y`: what is one of the two is not the other. */
const differsFromBoth = (left: BinaryOp, right: BinaryOp): Op | null => {
  if (left.operator !== '!=' || right.operator !== '!=') return null
  for (const [value, other] of sidesOf(left))
    for (const [same, another] of sidesOf(right))
      if (value === same && other !== another && isTold(other) && isTold(another) && !isSame(other, another))
        return value
  return null
}

const sidesOf = ({ args }: BinaryOp): readonly (readonly [Op, Op])[] => {
  const [left, right] = args.map(stripCasts) as [Op, Op]
  return [
    [left, right],
    [right, left],
  ]
}

/** A constant, or what is kept in a variable of its own. */
const isTold = (op: Op): boolean => op.kind === 'const' || (op.kind === 'load' && op.location.part === 'root')

const isSame = (one: Op, other: Op): boolean =>
  one.kind === 'const' ? one.constant === other.constant : one.location !== null && one.location === other.location

/** `x >= first || x <= last`, where nothing lies behind the last and before the first. */
const isAroundBoth = (flow: Flow, left: BinaryOp, right: BinaryOp): Op | null => {
  const [low, high] = [relationOf(left), relationOf(right)]
  if (low === null || high === null) return null
  for (const [above, below] of [
    [low, high],
    [high, low],
  ] as const) {
    const value = stripCasts(above.greater)
    if (value === stripCasts(below.smaller) && isInOrder(flow, stripCasts(above.smaller), stripCasts(below.greater)))
      return value
  }
  return null
}

const relationOf = (op: BinaryOp): Relation | null => {
  const found: Relation[] = []
  addRelation(found, op, true)
  return found.length === 1 ? found[0]! : null
}

/** The first lies before the last: by what is written into the code, or because that is demanded where both are set. */
const isInOrder = ({ contractFlow }: Flow, first: Op, last: Op): boolean => {
  if (first.kind === 'const' && last.kind === 'const') return first.constant! <= last.constant!
  const [from, to] = [rootVariable(first), rootVariable(last)]
  return from !== null && to !== null && from !== to && contractFlow.answer(createOrders)(from, to)
}

const rootVariable = (op: Op): VariableModel | null =>
  op.kind === 'load' && op.location.part === 'root' ? (op as LoadOp).location.variable : null

const createOrders = (contractFlow: ContractFlow) => (from: VariableModel, to: VariableModel) => {
  const setters = contractFlow.writersOf(from)
  return (
    setters.length > 0 &&
    setters.every(({ flow, op: first }) => {
      const last = flow.stateStores().find(({ location }) => location.variable === to)
      if (last === undefined) return false
      const [early, late] = [stripCasts(first.args[0]), stripCasts(last.args[0])]
      return [first, last].some((at) =>
        relationsAt(flow, at).some(
          ({ greater, smaller }) => stripCasts(smaller) === early && stripCasts(greater) === late,
        ),
      )
    })
  )
}

const isCompared = (op: Op): op is BinaryOp => op.kind === 'bin' && isComparison(op.operator)

export default defineDetector<Candidate>({
  id: 'always-true-condition',
  swc: null,
  title: 'A condition that nothing can fail',
  severity: 'medium',
  confidence: 'medium',
  description:
    'Two comparisons are joined so that one of them always holds: what differs from one value or from another, what lies after the first moment or before the last. Whoever wrote it meant both, and nobody is kept out.',
  recommendation: 'Join the two with `&&`.',
  references: ['https://cwe.mitre.org/data/definitions/571.html'],
  cwe: ['CWE-571'],

  needs: [holding.arithmetic],
  *candidates({ functions }) {
    for (const flow of functions)
      for (const op of flow.ops('bin')) {
        if (op.operator !== '||') continue
        const [left, right] = op.args.map(stripCasts) as [Op, Op]
        if (!isCompared(left) || !isCompared(right)) continue
        const value = differsFromBoth(left, right) ?? isAroundBoth(flow, left, right)
        if (value !== null) yield { flow, op }
      }
  },
  excuses: [unreachable],
  finding: ({ flow, op }) => ({
    at: op,
    message: 'One of the two always holds, so that this is never false.',
    trace: flow.trace(op),
  }),
})
