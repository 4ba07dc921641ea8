import { isAtLeast, relationsAt } from '../facts/index.ts'
import {
  type CallOp,
  type Flow,
  isBefore,
  isInLoop,
  type LoopMark,
  type Op,
  sameValue,
  stripCasts,
} from '../ir/index.ts'
import { tokenCallOf } from './token-calls.ts'

/** What shows how many tokens really moved, though the answer of the call is ignored. */
export const checksOfMove = (flow: Flow, op: CallOp): readonly string[] => [
  ...(tokenCallOf(op) !== null && isCounted(flow, op)
    ? ['the received amount is measured from the balance afterwards']
    : []),
  ...(isCheckedBefore(flow, op, 'balanceOf') ? ['the token balance was checked first'] : []),
  ...(isCheckedBefore(flow, op, 'allowance') ? ['the allowance was checked first'] : []),
]

/** `balanceOf(…)` is queried after the call, and what it was before is subtracted. */
const isCounted = (flow: Flow, op: CallOp): boolean =>
  flow.answer(holdingsCompared).some(([after, before]) => flow.canFollow(op, after) && flow.canFollow(before, op))

const holdingsCompared = (flow: Flow): readonly (readonly [after: Op, before: Op])[] =>
  flow.ops('bin').flatMap(({ operator, args: [now, then] }) => {
    const [after, before] = [stripCasts(now), stripCasts(then)]
    return operator === '-' && isHolding(after) && isHolding(before) ? [[after, before] as const] : []
  })

const isHolding = ({ kind, call }: Op): boolean => kind === 'call' && call.name === 'balanceOf'

/**
 * `require(token.balanceOf(from) >= amount)`: a token that answers false does so when there is too little, or too little is allowed.
 * Since then nobody else can have moved any.
 */
const isCheckedBefore = (flow: Flow, op: CallOp, question: 'balanceOf' | 'allowance'): boolean => {
  const move = tokenCallOf(op)
  if (move === null || move.token === null || move.from === null) return false
  const { token, from, amount } = move
  return relationsAt(flow, op).some(({ greater, smaller }) => {
    const queriedCall = stripCasts(greater)
    const { kind, call, args } = queriedCall
    if (kind !== 'call' || call.name !== question || call.target === null || !sameValue(call.target, token))
      return false
    if (args[0] === undefined || !sameValue(args[0], from) || !isAtLeast(flow, smaller, amount, op)) return false
    return !isDisturbed(flow, queriedCall, op)
  })
}

/** Something that can change what was answered runs between the question and `op`, on an earlier round of a loop too. */
const isDisturbed = (flow: Flow, queriedCall: Op, op: CallOp): boolean => {
  const isAgain = (mark: LoopMark): boolean => isInLoop(mark, op) && !isInLoop(mark, queriedCall)
  const rounds = flow.ir.loops.filter(isAgain)
  return flow
    .ops('call')
    .some(
      (other) =>
        canChange(other) &&
        ((isBefore(queriedCall, other) && isBefore(other, op) && flow.canFollow(other, op)) ||
          rounds.some((mark) => isInLoop(mark, other))),
    )
}

/** Its code is elsewhere, and it is more than a question. */
const canChange = ({ call: { inlined, isStatic, definition } }: CallOp): boolean =>
  !inlined && !isStatic && definition?.mutability !== 'view' && definition?.mutability !== 'pure'
