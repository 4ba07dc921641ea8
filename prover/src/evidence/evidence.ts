/** What is said about a finding after the attempt to execute it. Plain JSON: it travels with the finding. */

export type EvidenceStatus = 'confirmed' | 'not-reproduced' | 'not-attempted'

export interface EvidenceStep {
  /** `owner`, `alice`, `bob`, `attacker`, or a contract of the attacker's such as `attacker's contract`. */
  readonly actor: string
  /** `Vault.withdraw(uint256)`, or words for what is no call. */
  readonly call: string
  readonly arguments: readonly string[]
  /** Wei, as decimal digits. */
  readonly value: string
  readonly effect: string
}

/** Wei of everybody in the scene, as decimal digits. */
export interface EvidenceBalance {
  readonly holder: string
  readonly before: string
  readonly after: string
}

export interface EvidenceControl {
  /** The weakness's own lever, and what it was replaced by. */
  readonly change: string
  readonly result: string
}

export interface Evidence {
  readonly status: EvidenceStatus
  /** One sentence: the harm that was seen, how much was tried, or why nothing was. */
  readonly summary: string
  readonly steps: readonly EvidenceStep[]
  readonly balances: readonly EvidenceBalance[]
  readonly control: EvidenceControl | null
  /** Calls and contract creations that were executed for this finding. */
  readonly callsTried: number
  /** Of the search; the same seed gives the same evidence. */
  readonly seed: number
  readonly compiler: string | null
  /** A Foundry test that executes the attack again. */
  readonly foundryTest: { readonly file: string; readonly text: string } | null
}

export const notAttempted = (reason: string, compiler: string | null = null): Evidence => ({
  status: 'not-attempted',
  summary: `not attempted: ${reason}`,
  steps: [],
  balances: [],
  control: null,
  callsTried: 0,
  seed: 0,
  compiler,
  foundryTest: null,
})
