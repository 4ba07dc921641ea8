/** What happens in a scene, as data: the prover executes it, the Foundry test and the evidence are written from it. */
import type { CompiledContract } from '../compile/compilation.ts'
import type { AbiFunction, AbiValue } from '../evm/abi.ts'

export type Actor = 'owner' | 'alice' | 'bob' | 'attacker'

/** A contract of the attacker's through which a call is made. */
export type Via = 'agent' | 'refuser'

/** A deployed contract of the given files. */
export interface Instance {
  readonly name: string
  readonly contract: CompiledContract
  readonly address: string
}

export interface CallStep {
  readonly kind: 'call'
  readonly actor: Actor
  readonly via: Via | null
  readonly to: Instance
  /** null: ether without a call. */
  readonly fn: AbiFunction | null
  readonly args: readonly AbiValue[]
  readonly value: bigint
}

export interface DeployStep {
  readonly kind: 'deploy'
  readonly actor: Actor
  readonly instance: Instance
  readonly args: readonly AbiValue[]
  readonly value: bigint
}

/** The agent is told what to call when it is next paid or called, and how often. */
export interface PrepareStep {
  readonly kind: 'prepare'
  readonly to: Instance
  readonly fn: AbiFunction | null
  readonly args: readonly AbiValue[]
  readonly times: number
}

/** Ether that arrives without asking: a contract destroys itself in favour of another. */
export interface ForceStep {
  readonly kind: 'force'
  readonly actor: Actor
  readonly to: Instance
  readonly value: bigint
}

export interface AdvanceStep {
  readonly kind: 'advance'
  readonly seconds: bigint
  readonly blocks: bigint
  /** Another draw of what a block's proposer or chance decides. */
  readonly salt?: number
}

export type Step = CallStep | DeployStep | PrepareStep | ForceStep | AdvanceStep
