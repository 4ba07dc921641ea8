import { canHold, canHoldWithin, dependsOn, intervalOf, loopAround } from '../../facts/index.ts'
import {
  type BinaryOp,
  budget,
  type Flow,
  isZero,
  type Op,
  sameValue,
  sameValueOrPlace,
  stripCasts,
} from '../../ir/index.ts'
import type { VariableModel } from '../../model/index.ts'
import { excuse } from '../define-detector.ts'
import { isGasComparison, type Violation } from './violation.ts'

/** An excuse about what is asserted. */
const aboutCondition = (name: string, sentence: string, holds: (flow: Flow, condition: Op, check: Op) => boolean) =>
  excuse<Violation>(name, sentence, ({ flow, condition, op }) => condition !== null && holds(flow, condition, op))

/** Why nobody can make it fail. */
export const excuses = [
  aboutCondition('cannot-fail', 'earlier checks and types guarantee the condition', cannotFail),
  aboutCondition('overflow-check', 'it is an overflow check, reported as integer overflow', isOverflowCheck),
  aboutCondition(
    'conservation',
    'it compares state before and after, an invariant that the code preserves',
    isConservation,
  ),
  aboutCondition('gas-goes-down', 'remaining gas only decreases', goesDown),
  excuse<Violation>(
    'no-rounds',
    'a loop over an empty array never reads an element',
    ({ flow, op, condition }) => condition === null && loopAround(flow, op) !== undefined,
  ),
]

function cannotFail(flow: Flow, condition: Op, check: Op): boolean {
  return (
    !canHold(flow, condition, false) ||
    !canHoldWithin(flow, (value) => intervalOf(flow, value, check), condition, false)
  )
}

/** `assert(c >= a)` after `c = a + b`, `assert(b <= a)` before `a - b`. */
function isOverflowCheck(flow: Flow, condition: Op): boolean {
  if (condition.kind !== 'bin') return false
  const [left, right] = condition.args
  if (condition.operator === '||' || condition.operator === '&&')
    return isOverflowCheck(flow, left) || isOverflowCheck(flow, right)
  if (isPartOf(left, right) || isPartOf(right, left)) return true
  if (condition.operator === '>' && isZero(right) && isCountedDown(flow, left)) return true
  return flow
    .answer(differencesOf)
    .some(
      ({ args: [a, b] }) => (sameValue(a, left) && sameValue(b, right)) || (sameValue(a, right) && sameValue(b, left)),
    )
}

/** `assert(count > 0)` before `count - 1`, also when the count is read again. */
const isCountedDown = (flow: Flow, count: Op): boolean =>
  flow.answer(differencesOf).some(({ args: [a, b] }) => stripCasts(b).constant === 1n && sameValueOrPlace(a, count))

const differencesOf = (flow: Flow): readonly BinaryOp[] => flow.ops('bin').filter(({ operator }) => operator === '-')

const isPartOf = (value: Op, whole: Op, depth = 0): boolean => {
  const op = stripCasts(whole)
  if (op.kind !== 'bin' || !'+-*/'.includes(op.operator) || depth > budget.depth.checkedParts) return false
  return op.args.some((arg) => sameValue(arg, value) || isPartOf(value, arg, depth + 1))
}

function isConservation(flow: Flow, condition: Op): boolean {
  if (
    condition.kind !== 'bin' ||
    !condition.args.every((side) => dependsOn(flow, side, isOfVariable, { isKept: true }))
  )
    return false
  const left = stateIn(flow, condition.args[0])
  return [...stateIn(flow, condition.args[1])].some((variable) => left.has(variable))
}

const isOfVariable = (op: Op): boolean => op.kind === 'load' && op.location.variable !== null

const stateIn = (flow: Flow, value: Op): Set<VariableModel> => {
  const found = new Set<VariableModel>()
  dependsOn(flow, value, (op) => {
    if (op.kind === 'load' && op.location.variable !== null) found.add(op.location.variable)
    return false
  })
  return found
}

/** The later reading is the smaller one. */
function goesDown(flow: Flow, condition: Op): boolean {
  if (condition.kind !== 'bin' || !isGasComparison(condition)) return false
  const [left, right] = condition.args.map(stripCasts) as [Op, Op]
  const [greater, less] = condition.operator.startsWith('<') ? [right, left] : [left, right]
  return greater !== less && flow.dominates(greater, less)
}
