/** Tokens that the caller names in a function that writes nothing down: whoever names one that answers false bears it. */
import { writesState } from '../facts/index.ts'
import { type Flow, type Op, stripCasts } from '../ir/index.ts'

/** The caller names the token, and nothing is booked about it. */
export const isBorneByCaller = (flow: Flow, token: Op | null): boolean =>
  token !== null && stripCasts(token).kind === 'param' && !writesState(flow)
