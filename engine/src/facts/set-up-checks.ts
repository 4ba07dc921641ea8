/** Conditions on the sender that hold only once a set-up has ended. */

import { bothOrders, type ContractFlow, type Flow, type Location, type Op, stripCasts } from '../ir/index.ts'
import type { Fact } from './conditions.ts'
import { fromFactsAt } from './guards.ts'
import { answerOnEachPath, isTruth, type Question } from './paths.ts'
import { isOnePlace, joinGuards, type SenderGuard, senderGuardOf } from './sender-conditions.ts'

/**
 * Who passes to `op` once a set-up has ended: `require(!configured || dao.passed(msg.sender))`, where `configured` is set once and
 * never cleared. Until then anyone passes, as with an initializer; what was written by then is no later caller's choice.
 */
export const guardsAfterSetUp = (flow: Flow, op: Op): readonly SenderGuard[] => fromFactsAt(flow, op, guardAfterSetUp)

const guardAfterSetUp = (flow: Flow, fact: Fact): readonly SenderGuard[] => {
  const found = answerOnEachPath(flow, fact, setUpQuestion)
  return found?.isOpen === true && found.guard !== null ? [found.guard] : []
}

/** One alternative is open during the set-up; the check of the others, where they are not about a place that is still unset. */
interface SetUp {
  readonly isOpen: boolean
  readonly guard: SenderGuard | null
}

const setUpQuestion: Question<SetUp> = {
  evaluate: (flow, fact) => {
    if (isSetUpOpen(flow, fact)) return { isOpen: true, guard: null }
    if (isUnset(fact)) return { isOpen: false, guard: null }
    const guard = senderGuardOf(flow, fact)
    return guard === null ? null : { isOpen: false, guard }
  },
  join: (one, other) => ({
    isOpen: one.isOpen || other.isOpen,
    guard: one.guard === null || other.guard === null ? (one.guard ?? other.guard) : joinGuards(one.guard, other.guard),
  }),
  prefer: (one, other) => (one.guard === null ? one : other),
}

/** `!configured`: a flag that some function sets, and none ever puts back. */
const isSetUpOpen = (flow: Flow, { condition, polarity }: Fact): boolean => {
  if (polarity || condition.kind !== 'load' || !isOnePlace(condition.location)) return false
  const { variable, type } = condition.location
  if (variable === null || type?.kind !== 'bool') return false
  return flow.contractFlow.answerAt(condition.location, isOnlyRaised)
}

const isOnlyRaised = (contractFlow: ContractFlow, { variable }: Location): boolean => {
  const writers = contractFlow.writersOf(variable!).filter(({ flow: writer }) => !writer.isConstructor)
  return writers.length > 0 && writers.every(({ op }) => isTruth(stripCasts(op.args[0]), true))
}

/** `keeper == address(0)`: nobody is there yet. */
const isUnset = ({ condition, polarity }: Fact): boolean => {
  if (condition.kind !== 'bin' || condition.operator !== (polarity ? '==' : '!=')) return false
  return bothOrders(condition).some(
    ([kept, zero]) =>
      zero.kind === 'const' && zero.constant === 0n && kept.kind === 'load' && kept.location.space === 'state',
  )
}
