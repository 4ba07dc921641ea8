/** What each claim of this detector comes to. */
import type { Flow, Op } from '../../ir/index.ts'

export interface Candidate {
  readonly flow: Flow
  readonly op: Op
  readonly message: string
  /** What the attacker gains or others lose, after "An attacker calls `f()` and". */
  readonly gain: string
  /** Whose consent is missing, if it is one account's. */
  readonly account: Op | null
  /** What the account would lose or be given; null where a right is taken. */
  readonly amount: Op | null
  /** What the caller has on record of their own does not make it theirs. */
  readonly isOfOthers?: true
  /** An account comes onto a list of those who may do something. */
  readonly isMembership?: true
  /** A token is instructed to create the amount. */
  readonly isCreation?: true
  /** The caller gets rights over the whole contract: a record that anyone can open for themselves admits nobody to that. */
  readonly isTakeover?: true
  /** Where it harms less than what the detector is for. */
  readonly severity?: 'medium' | 'high'
}

/** An account that the caller names. */
export const isNamed = (flow: Flow, key: Op): boolean => key.kind === 'param' && flow.typeOf(key)?.kind === 'address'
