import type { Assertion } from '../attacks/attack.ts'
import type { CallStep, Instance } from '../scene/step.ts'

/** By what harm was seen. */
export type Oracle =
  | 'attacker-gains'
  | 'attacker-code-runs'
  | 'honest-account-loses'
  | 'contract-loses'
  | 'token-diluted'
  | 'role-taken'
  | 'initialized-twice'
  | 'secret-read'
  | 'call-smuggled'
  | 'answer-changed'
  | 'argument-out-of-range'
  | 'lock-bypassed'
  | 'withdrawal-blocked'
  | 'call-blocked-by-donation'

export interface Harm {
  readonly oracle: Oracle
  readonly harm: string
  readonly assertion: Assertion
  /** The contract that was harmed. */
  readonly at: Instance
  /** A call that shows the harm, behind those of the attack. */
  readonly witness?: CallStep
  readonly control?: { readonly change: string; readonly result: string }
}
