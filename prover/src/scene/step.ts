/** What happens in a scene, as data: the prover executes it, the Foundry test and the evidence are written from it. */
import type { CompiledContract } from '../compile/compilation.ts'
import type { AbiFunction, AbiValue } from '../evm/abi.ts'
import type { StandIn } from './stand-ins.ts'

export type Actor = 'owner' | 'alice' | 'bob' | 'attacker'

/** A contract of the attacker's through which a call is made. */
export type Via = 'agent' | 'refuser' | 'fickle'

export const standInOf = {
  agent: 'AssayAgent',
  refuser: 'AssayRefuser',
  fickle: 'AssayFickle',
} as const satisfies Record<Via, StandIn>

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
  /** Calldata as it is sent, where it is not the arguments as the ABI encodes them. */
  readonly data?: string
  /** More than a call usually gets: as much as a block has. */
  readonly gas?: bigint
}

/** A call that the attacker makes itself, not through a contract. */
export const attackerCall = (
  to: Instance,
  fn: AbiFunction | null,
  args: readonly AbiValue[] = [],
  value = 0n,
): CallStep => ({ kind: 'call', actor: 'attacker', via: null, to, fn, args, value })

export interface DeployStep {
  readonly kind: 'deploy'
  readonly actor: Actor
  readonly instance: Instance
  readonly args: readonly AbiValue[]
  readonly value: bigint
}

/** The agent is set to what it calls when it is next paid or called, and how often. */
export interface PrepareStep {
  readonly kind: 'prepare'
  readonly to: Instance
  readonly fn: AbiFunction | null
  readonly args: readonly AbiValue[]
  readonly times: number
  /** Ether that goes along each time; the attacker gives it to the agent beforehand. */
  readonly value: bigint
  /** The word that it answers with to every call. */
  readonly answer: bigint
}

/** Ether that arrives without asking: a contract destroys itself in favour of another. */
export interface ForceStep {
  readonly kind: 'force'
  readonly actor: Actor
  readonly to: { readonly address: string; readonly label: string }
  readonly value: bigint
}

/** What stands at an address that the contract pays or asks: a wallet that needs more than 2,300 gas, a contract that refuses, or a token that says no. */
export interface PlantStep {
  readonly kind: 'plant'
  readonly address: string
  readonly code: 'AssayWallet' | 'AssayRefuser' | 'AssayDenier'
}

/** One call many times in a single transaction that may fill a block, through a contract of the actor's. */
export interface RepeatStep {
  readonly kind: 'repeat'
  readonly call: CallStep
  readonly times: number
  /** Every call from an account of its own. */
  readonly isApart: boolean
  /** Of the word in the calldata that grows by one from call to call; null: all calls are the same. */
  readonly place: number | null
}

export interface AdvanceStep {
  readonly kind: 'advance'
  readonly seconds: bigint
  readonly blocks: bigint
  /** Another draw of what a block's proposer or chance decides. */
  readonly salt?: number
}

/** A contract that another one created: named from here on. */
export interface FindStep {
  readonly kind: 'find'
  readonly instance: Instance
}

export type Step = CallStep | FindStep | DeployStep | PrepareStep | ForceStep | PlantStep | RepeatStep | AdvanceStep
