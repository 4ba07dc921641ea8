/** Operations that any call reaches whose arguments are well formed. */
import type { Flow, Op } from '../ir/index.ts'
import type { Fact } from './conditions.ts'
import { dependsOn, isSaidByOthers } from './dependencies.ts'
import { fromFactsAt } from './guards.ts'

/** Who calls, what is on record, what time it is, what a hash comes to: anything but the arguments and what was fixed at deployment. */
const isExternalInput = (op: Op): boolean =>
  (isSaidByOthers(op) && !isFixed(op)) || op.kind === 'builtin' || op.kind === 'unknown'

const isFixed = (op: Op): boolean =>
  op.kind === 'load' && op.location.variable !== null && op.location.variable.isImmutable

const questionsIn = (flow: Flow, fact: Fact): readonly Fact[] =>
  dependsOn(flow, fact.condition, isExternalInput, { isKept: true }) ? [fact] : []

/** Nothing is checked on the path but the arguments themselves. */
export const isUnconditional = (flow: Flow, op: Op): boolean => fromFactsAt(flow, op, questionsIn).length === 0
