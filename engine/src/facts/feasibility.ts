/** Places that no execution reaches: a condition on the path contradicts the bounds of what it compares. */

import { type Flow, type Interval, isZero, type Op, stripCasts } from '../ir/index.ts'
import { intervalOf } from './arithmetic.ts'
import type { Fact } from './conditions.ts'
import { fromFactsAt } from './guards.ts'
import { isNarrowed } from './narrowing.ts'
import { canHoldWithin } from './outcomes.ts'
import { isRuledOut } from './ruled-out.ts'
import { isOrigin } from './sender-conditions.ts'
import { runnerCallsOf } from './test-runners.ts'

/** Whether a condition can come out this way, judged by bounds alone. */
export const canHold = (flow: Flow, condition: Op, polarity: boolean): boolean =>
  canHoldWithin(flow, (value) => boundsOf(flow, value), condition, polarity)

/** A state variable into which nothing but constants is ever stored holds one of them, or zero. */
const boundsOf = (flow: Flow, value: Op): Interval | null => {
  const op = stripCasts(value)
  const variable = op.kind === 'load' && op.location.part === 'root' ? op.location.variable : null
  if (variable === null || variable.isConstant || isNarrowed(flow, value)) return intervalOf(flow, value)
  let min = 0n
  let max = 0n
  for (const { op: store } of flow.contractFlow.writersOf(variable)) {
    const stored = stripCasts(store.args[0])
    if (stored.kind !== 'const' || stored.constant === null) return intervalOf(flow, value)
    if (stored.constant < min) min = stored.constant
    if (stored.constant > max) max = stored.constant
  }
  return { min, max }
}

/** False when a condition on every path to `op` can never come out as it must, or contradicts another one of them. */
export const isReachable = (flow: Flow, op: Op): boolean =>
  fromFactsAt(flow, op, contradictionsIn).length === 0 && !isRuledOut(flow, op)

const contradictionsIn = (flow: Flow, { condition, polarity }: Fact): readonly Op[] =>
  isSimulated(condition, polarity) || !canHold(flow, condition, polarity) ? [condition] : none

/** `tx.origin == address(0)`: only of a simulated call, of which nothing is kept. */
const isSimulated = ({ kind, operator, args }: Op, polarity: boolean): boolean =>
  kind === 'bin' &&
  operator === (polarity ? '==' : '!=') &&
  args.some(isOrigin) &&
  args.some((arg) => isZero(stripCasts(arg)))

const none: readonly Op[] = []

/** After it nothing but a revert can follow: what it did was tried, and is undone. */
export const isUndone = (flow: Flow, op: Op): boolean =>
  ![...flow.ops('return'), ...flow.builtins('selfdestruct')].some((end) => flow.canFollow(op, end)) ||
  runnerCallsOf(flow).some((call) => call !== op && (flow.dominates(call, op) || flow.isFollowedBy(op, call)))

/** `require(address(this) != self)`, where `self` is noted at construction: it runs in the contracts that delegate to it, by their will. */
export const runsElsewhere = (flow: Flow, op: Op): boolean => fromFactsAt(flow, op, refusalsOfItself).length > 0

const refusalsOfItself = (flow: Flow, { condition, polarity }: Fact): readonly Op[] => {
  if (condition.kind !== 'bin' || condition.operator !== (polarity ? '!=' : '==')) return none
  const [left, right] = condition.args.map(stripCasts) as [Op, Op]
  const noted = isThis(left) ? right : isThis(right) ? left : null
  const variable = noted?.kind === 'load' && noted.location.part === 'root' ? noted.location.variable : null
  if (!variable?.isImmutable) return none
  const isSelf = flow.contractFlow.writersOf(variable).every((write) => isThis(stripCasts(write.op.args[0])))
  return isSelf ? [condition] : none
}

const isThis = ({ kind, operator }: Op): boolean => kind === 'env' && operator === 'this'
