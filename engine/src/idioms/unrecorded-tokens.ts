/** Tokens that the caller names in a function that nothing else comes of: anyone who names one that answers false bears it. */
import { keepsNothing, writesState } from '../facts/index.ts'
import { type CallOp, type Flow, type Op, sameValue, stripCasts } from '../ir/index.ts'
import { isSelf, type TokenCall, tokenCallOf } from './token-calls.ts'

/** The caller names the token, and nothing is recorded about it, here or by another contract that is notified, and nothing paid for it. */
export const isBorneByCaller = (flow: Flow, op: CallOp): boolean => {
  const move = tokenCallOf(op)
  if (move === null || move.token === null || stripCasts(move.token).kind !== 'param' || writesState(flow)) return false
  const isAfter = (other: CallOp): boolean => other !== op && !other.call.isStatic && flow.canFollow(op, other)
  return flow.externalCalls().every((other) => !isAfter(other) || isOnlyPassedOn(flow, move, other))
}

/**
 * More of the same token that this contract pays out, or what it took in: of a contract that keeps nothing for anyone, no matter who is to have
 * that has to find it there.
 */
const isOnlyPassedOn = (flow: Flow, { token, from, to }: TokenCall, other: CallOp): boolean => {
  const { target, value } = other.call
  if (target === null || value !== null) return false
  if (from === null || isSelf(from)) return sameValue(target, token!)
  return (
    isSelf(to) && keepsNothing(flow.contractFlow) && (sameValue(target, token!) || isApproved(flow, token!, target))
  )
}

const isApproved = (flow: Flow, token: Op, spender: Op): boolean =>
  flow.externalCalls().some((call) => {
    const approval = tokenCallOf(call)
    if (approval?.name !== 'approve' || approval.token === null) return false
    return sameValue(approval.token, token) && sameValue(approval.to, spender)
  })
