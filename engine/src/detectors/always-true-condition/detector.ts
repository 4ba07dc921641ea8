import { addRelation, type Relation, relationsAt } from '../../facts/index.ts'
import { disabledGuard, quoteValue, withOpenFunctions } from '../../idioms/index.ts'
import {
  type BinaryOp,
  type ContractFlow,
  type Flow,
  holding,
  isComparison,
  type LoadOp,
  type Op,
  sameValue,
  stripCasts,
} from '../../ir/index.ts'
import type { Type, VariableModel } from '../../model/index.ts'
import type { Expression } from '../../syntax/index.ts'
import { defineDetector } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly op: BinaryOp
  /** All functions of the scan: the check may stand in a modifier of several. */
  readonly functions: readonly Flow[]
}

/** Two comparisons of which one suffices: `a || b`, or the negation of both in `!(a && b)`. */
interface Joined {
  readonly left: BinaryOp
  readonly right: BinaryOp
  readonly polarity: boolean
}

const joinedBy = (flow: Flow, op: BinaryOp): Joined | null => {
  const { operator, args } = op
  const polarity = operator === '||'
  if (!polarity && (operator !== '&&' || !isRefused(flow, op))) return null
  const [left, right] = args.map(stripCasts) as [Op, Op]
  return isCompared(left) && isCompared(right) ? { left, right, polarity } : null
}

/** `if (a && b) revert()`, `require(!(a && b))` */
const isRefused = (flow: Flow, op: Op): boolean =>
  flow
    .usersOf(op)
    .some((no) => no.kind === 'un' && no.operator === '!' && flow.usersOf(no).some(({ kind }) => kind === 'assume'))

/** `a != X || a != Y`: a value that equals one differs from the other. Two state variables may be equal, and `a == x && a == y` may mean just that. */
const differsFromBoth = ({ left, right, polarity }: Joined): boolean => {
  const expected = polarity ? '!=' : '=='
  if (left.operator !== expected || right.operator !== expected) return false
  return sidesOf(left).some(([value, other]) =>
    sidesOf(right).some(
      ([same, another]) =>
        value === same &&
        value.kind !== 'const' &&
        isFixedValue(other, polarity) &&
        isFixedValue(another, polarity) &&
        !isSame(other, another),
    ),
  )
}

const sidesOf = ({ args }: BinaryOp): readonly (readonly [Op, Op])[] => {
  const [left, right] = args.map(stripCasts) as [Op, Op]
  return [
    [left, right],
    [right, left],
  ]
}

/** A constant, or a state variable of elementary type. */
const isFixedValue = (op: Op, isStateToo: boolean): boolean =>
  (op.kind === 'const' && op.constant !== null) || (isStateToo && op.kind === 'load' && op.location.part === 'root')

const isSame = (one: Op, other: Op): boolean =>
  one.kind === 'const' ? one.constant === other.constant : one.location !== null && one.location === other.location

/** `x >= first || x <= last` with `first <= last`: every value satisfies one of the two. */
const isAroundBoth = (flow: Flow, { left, right, polarity }: Joined): boolean => {
  const [low, high] = [relationOf(left, polarity), relationOf(right, polarity)]
  if (low === null || high === null) return false
  return [
    [low, high],
    [high, low],
  ].some(([above, below]) => {
    if (stripCasts(above!.greater) !== stripCasts(below!.smaller)) return false
    // `x > 5 || x < 5` leaves out the one that is neither.
    const isGap = above!.strict && below!.strict
    return isInOrder(flow, stripCasts(above!.smaller), stripCasts(below!.greater), isGap)
  })
}

const relationOf = (op: BinaryOp, polarity: boolean): Relation | null => {
  const found: Relation[] = []
  addRelation(found, op, polarity)
  return found.length === 1 ? found[0]! : null
}

/** `first` is less than `last`: both are constants, the first is the least of its type, or every setter requires it. */
const isInOrder = (flow: Flow, first: Op, last: Op, isApart: boolean): boolean => {
  if (first.kind === 'const' && last.kind === 'const')
    return first.constant !== null && last.constant !== null && first.constant + (isApart ? 1n : 0n) <= last.constant
  if (first.kind === 'const' && first.constant === 0n && !isApart && isUnsigned(flow.typeOf(last))) return true
  const [from, to] = [rootVariable(first), rootVariable(last)]
  return from !== null && to !== null && from !== to && flow.contractFlow.answer(createOrders)(from, to)
}

const isUnsigned = (type: Type | null): boolean => type?.kind === 'int' && !type.signed

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

/** `owner == owner`: a value compared with itself, as it is written, decides nothing. */
const isItself = (flow: Flow, op: BinaryOp): boolean => {
  const node = op.node as Expression | null
  if (!isCompared(op) || node?.kind !== 'Binary' || !sameValue(op.args[0], op.args[1])) return false
  const { left, right } = node
  if (left.kind !== 'Identifier' || right.kind !== 'Identifier' || left.name !== right.name) return false
  return flow.model.declarationOf(left) === flow.model.declarationOf(right)
}

const isCompared = (op: Op): op is BinaryOp => op.kind === 'bin' && isComparison(op.operator)

const messageOf = (flow: Flow, op: BinaryOp): string => {
  const condition = quoteValue(flow, op, 'this condition')
  if (isComparison(op.operator))
    return `${condition} in \`${flow.name}()\` compares a value with itself, so the check has the same result for every input and stops nobody.`
  return op.operator === '||'
    ? `In \`${flow.name}()\`, one side of ${condition} is true for every value, so the condition is always true and the check decides nothing.`
    : `In \`${flow.name}()\`, the two sides of ${condition} are never true together, so the condition is always false and the check decides nothing.`
}

export default defineDetector<Candidate>({
  id: 'always-true-condition',
  swc: null,
  title: 'Condition is always true or always false',
  aliases: {
    slither: ['tautology', 'tautological-compare'],
    aderyn: ['tautology-or-contradiction', 'tautological-compare'],
    owasp: ['SC03:2025'],
    words: ['tautology', 'contradiction', 'wrong logical operator'],
  },
  severity: 'medium',
  confidence: 'medium',
  description:
    'Two comparisons are joined with the wrong operator, for example `a != x || a != y` or `t > start || t < end`. One of them always holds, so the check never rejects anything.',
  recommendation: 'Swap the operator: use `&&` to require both conditions, `||` to reject either.',
  references: ['https://cwe.mitre.org/data/definitions/571.html'],
  cwe: ['CWE-571'],

  needs: [holding.arithmetic],
  *candidates({ functions }) {
    for (const flow of functions)
      for (const op of flow.ops('bin')) {
        const joined = joinedBy(flow, op)
        const isDecided = joined !== null && (differsFromBoth(joined) || isAroundBoth(flow, joined))
        // In a helper, equal arguments of one call say nothing about the others: it is judged as it is written.
        const isOfCall = isDecided && flow.trace(op).length > 0
        if ((isDecided && !isOfCall) || isItself(flow, op)) yield { flow, op, functions }
      }
  },
  finding: ({ flow, op, functions }) =>
    withOpenFunctions(disabledGuard(functions, op), {
      at: op,
      message: messageOf(flow, op),
      trace: flow.trace(op),
    }),
})
