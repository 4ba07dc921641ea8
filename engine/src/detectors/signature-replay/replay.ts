import { type Recovery, stateReadsOf } from '../../facts/index.ts'
import type { Flow, LoadOp, Op } from '../../ir/index.ts'

interface Signed {
  readonly flow: Flow
  readonly recovery: Recovery
}

/** A signed message that can do its work again: for the same account, or for another that its nonce is looked up by. */
export type Replay = Signed &
  ({ readonly effect: Op; readonly nonce: null } | { readonly effect: null; readonly nonce: LoadOp })

/** State that a value is made of. */
export const loadsIn = (flow: Flow, value: Op): LoadOp[] =>
  stateReadsOf(flow, value).filter(({ location }) => location.variable !== null)
