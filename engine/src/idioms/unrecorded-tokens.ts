/** Tokens that the caller names in a function that nothing else comes of: anyone who names one that answers false bears it. */
import { writesState } from '../facts/index.ts'
import { type CallOp, type Flow, stripCasts } from '../ir/index.ts'
import { tokenCallOf } from './token-calls.ts'

/** The caller names the token, and nothing is recorded about it, here or by another contract that is notified, and nothing paid for it. */
export const isBorneByCaller = (flow: Flow, op: CallOp): boolean => {
  const move = tokenCallOf(op)
  if (move === null || move.token === null || stripCasts(move.token).kind !== 'param' || writesState(flow)) return false
  const isAfter = (other: CallOp): boolean => other !== op && !other.call.isStatic && flow.canFollow(op, other)
  return flow.externalCalls().every((other) => !isAfter(other))
}
