import type { Proof } from '../attacks/attack.ts'
import type { Snapshot } from '../evm/machine.ts'
import type { StandIn } from '../scene/stand-ins.ts'
import type { Instance } from '../scene/step.ts'
import type { Oracle } from './harm.ts'
import type { HuntScene } from './hunt-scene.ts'

/** What a hunter hands over: the steps, and the contract that was harmed. */
export interface Catch {
  readonly oracle: Oracle
  readonly at: Instance
  readonly proof: Proof
  /** The function with the fault, where it is not the one that the attacker called last. */
  readonly function?: string
  /** The chain from which the steps were run, where it is not the scene as it was set. */
  readonly base?: Snapshot
}

export interface Hunter {
  /** Nobody has deposited anything before the attack. */
  readonly isUnused?: boolean
  /** What a contract gets that wants any token; a plain one, if nothing is said. */
  readonly token?: StandIn
  run(scene: HuntScene, onCatch: (found: Catch) => Promise<void>): Promise<void>
}
