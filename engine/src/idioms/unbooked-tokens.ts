/** Tokens that the caller names in a function that nothing else comes of: whoever names one that answers false bears it. */
import { writesState } from '../facts/index.ts'
import { type CallOp, type Flow, type Op, stripCasts } from '../ir/index.ts'

/** The caller names the token, and nothing is booked about it, here or by another contract that is told, and nothing paid for it. */
export const isBorneByCaller = (flow: Flow, move: CallOp, token: Op | null): boolean =>
  token !== null && stripCasts(token).kind === 'param' && !writesState(flow) && !isActedOn(flow, move)

const isActedOn = (flow: Flow, move: CallOp): boolean =>
  flow.externalCalls().some((other) => other !== move && !other.call.isStatic && flow.canFollow(move, other))
