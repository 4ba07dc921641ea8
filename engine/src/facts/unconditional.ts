/** Operations that any call reaches whose arguments are well formed. */
import { bothOrders, type Flow, isEquality, type Op, sameValue, stripCasts } from '../ir/index.ts'
import type { Fact } from './conditions.ts'
import { dependsOn, isSaidByOthers } from './dependencies.ts'
import { fromFactsAt } from './guards.ts'
import { lockedAt } from './locks.ts'
import { checksAround, isOpenPath } from './open-paths.ts'

/** Who calls, what is on record, what time it is, what a hash comes to: anything but the arguments and what was fixed at deployment. */
const isExternalInput = (op: Op): boolean =>
  (isSaidByOthers(op) && !isFixed(op)) || op.kind === 'builtin' || op.kind === 'unknown'

const isFixed = (op: Op): boolean =>
  op.kind === 'load' && op.location.variable !== null && op.location.variable.isImmutable

const isQuestion = (flow: Flow, condition: Op): boolean => dependsOn(flow, condition, isExternalInput, { isKept: true })

const questionsIn = (flow: Flow, fact: Fact): readonly Fact[] => (isQuestion(flow, fact.condition) ? [fact] : [])

/** `if (kept == next) return; kept = next;`: the caller need only say something else than what stands there. */
const isOfNoChange = (op: Op, condition: Op): boolean =>
  op.kind === 'store' &&
  condition.kind === 'bin' &&
  isEquality(condition.operator) &&
  bothOrders(condition).some(([one, other]) => {
    const old = stripCasts(one)
    return old.kind === 'load' && old.location === op.location && sameValue(other, op.args[0])
  })

/** Nothing is checked on the path but the arguments themselves, and that no call of the same contract is under way. */
export const isUnconditional = (flow: Flow, op: Op): boolean => {
  const questions = fromFactsAt(flow, op, questionsIn).filter(({ condition }) => !isOfNoChange(op, condition))
  if (questions.length === 0) return true
  const lock = lockedAt(flow, op)?.location ?? null
  const isOther = (part: Op): boolean => isExternalInput(part) && !(part.kind === 'load' && part.location === lock)
  return lock !== null && !questions.some(({ condition }) => dependsOn(flow, condition, isOther, { isKept: true }))
}

/** The same on every branch and after it too, and all functions on the path were read: it can be done by anyone, at any time. */
export const isFreelyDone = (flow: Flow, op: Op): boolean => {
  if (!isOpenPath(flow, op)) return false
  for (const condition of checksAround(flow, op)) if (isQuestion(flow, condition)) return false
  return true
}
