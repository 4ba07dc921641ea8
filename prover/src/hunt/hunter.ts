import type { Proof } from '../attacks/attack.ts'
import type { StandIn } from '../scene/stand-ins.ts'
import type { Instance } from '../scene/step.ts'
import type { Oracle } from './harm.ts'
import type { HuntScene } from './hunt-scene.ts'

/** What a hunter hands over: the steps, and the contract that was harmed. */
export interface Catch {
  readonly oracle: Oracle
  readonly at: Instance
  readonly proof: Proof
}

export interface Hunter {
  /** Nobody has deposited anything before the attack. */
  readonly isUnused?: boolean
  /** What a contract gets that wants any token; a plain one, if nothing is said. */
  readonly token?: StandIn
  run(scene: HuntScene, onCatch: (found: Catch) => Promise<void>): Promise<void>
}
