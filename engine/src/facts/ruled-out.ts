/**
 * Places that no execution reaches because two conditions on the path exclude each other: what the entry requires of an argument, or of
 * an element of it, also holds in the helpers it calls. `require(path[0] == dai)`, and in the helper a branch for `path[0] == address(0)`.
 */
import {
  type ContractFlow,
  type Flow,
  isEquality,
  type LoadOp,
  type Location,
  type Op,
  sameValue,
  stripCasts,
} from '../ir/index.ts'
import { guardsAt } from './guards.ts'

/** Conditions further back than so many are not held against each other. */
const fewFacts = 64

/** Numbers that a value is, or is not. */
type Numbers = Map<bigint, boolean>

/** `if (token != address(0)) …; else send(token)`, and in `send` a branch for other tokens: two conditions on the path exclude each other. */
export const isRuledOut = (flow: Flow, op: Op): boolean => {
  const known = new Map<Op, Numbers>()
  return guardsAt(flow, op)
    .slice(-fewFacts)
    .some(({ condition, polarity }) => {
      const comparison = comparisonIn(flow, condition, polarity)
      if (comparison === null) return false
      const { value, number, isSame } = comparison
      const numbers = numbersOf(flow, known, value)
      const before = numbers.get(number)
      numbers.set(number, isSame)
      return before !== undefined && before !== isSame
    })
}

interface Comparison {
  readonly value: Op
  readonly number: bigint
  readonly isSame: boolean
}

/** A value compared with a constant. Equal to an account of the configuration, it is not zero. */
const comparisonIn = (flow: Flow, condition: Op, polarity: boolean): Comparison | null => {
  if (condition.kind !== 'bin' || !isEquality(condition.operator)) return null
  const [left, right] = condition.args.map(stripCasts) as [Op, Op]
  const isSame = (condition.operator === '==') === polarity
  const [value, other] = right.kind === 'const' || isElement(left) ? [left, right] : [right, left]
  if (other.kind === 'const') return other.constant === null ? null : { value, number: other.constant, isSame }
  return isSame && isElement(value) && isConfiguredAccount(flow, other) ? { value, number: 0n, isSame: false } : null
}

const isElement = (value: Op): value is LoadOp =>
  value.kind === 'load' && value.location.space === 'memory' && value.location.part === 'index'

const numbersOf = (flow: Flow, known: Map<Op, Numbers>, value: Op): Numbers => {
  let numbers = known.get(value)
  if (numbers !== undefined) return numbers
  if (isElement(value))
    for (const [other, its] of known) if (isElement(other) && isSameElement(flow, other, value)) numbers = its
  numbers ??= new Map()
  known.set(value, numbers)
  return numbers
}

/** `path[path.length - 1]` read twice, with nothing written to the list in between. */
const isSameElement = (flow: Flow, first: LoadOp, second: LoadOp): boolean => {
  const [a, b] = [first.location, second.location]
  if (a.parent !== b.parent || a.base !== b.base || !sameValue(a.index!, b.index!)) return false
  const isBetween = (op: Op): boolean => flow.canFollow(first, op) && flow.canFollow(op, second)
  return !flow.memoryStoresTo(b).some(isBetween)
}

/** An account that is stored by the set-up and never cleared: what is equal to it is not zero. */
const isConfiguredAccount = ({ contractFlow }: Flow, value: Op): boolean =>
  value.kind === 'load' &&
  value.location.space === 'state' &&
  (value.location.type?.kind === 'address' || value.location.type?.kind === 'contract') &&
  contractFlow.answerAt(value.location, isSetToAccounts)

const isSetToAccounts = (contractFlow: ContractFlow, place: Location): boolean => {
  if (place.variable?.isConstant) return true
  for (let at: Location | null = place; at !== null; at = at.parent) if (at.index !== null) return false
  const writers = contractFlow.writersTo(place)
  return writers.length > 0 && writers.every(({ op }) => stripCasts(op.args[0]).kind !== 'const' && !op.flag)
}
