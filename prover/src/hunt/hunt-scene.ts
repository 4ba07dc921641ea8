/** What a hunt works on: a chain with deployed contracts, and what everybody has before any attack. */
import type { Scene } from '../attacks/attack.ts'
import type { Snapshot } from '../evm/machine.ts'
import type { Holdings } from '../scene/assets.ts'
import type { Chain } from '../scene/chain.ts'
import type { Actor, Instance } from '../scene/step.ts'
import { looksLikeAsset } from '../scene/tokens.ts'
import type { Budget } from '../search/budget.ts'
import type { Exit } from './exits.ts'

export const honest = ['alice', 'bob', 'owner'] as const

/** What everybody has at one moment. */
export interface Standing {
  readonly loot: Holdings
  readonly people: ReadonlyMap<Actor, Holdings>
  /** By address: ether, then the tokens of the scene. */
  readonly contracts: ReadonlyMap<string, readonly bigint[]>
}

export interface HuntScene {
  readonly chain: Chain
  /** The contract that the scene was set for. */
  readonly target: Instance
  readonly base: Snapshot
  readonly budget: Budget
  readonly before: Standing
  /** How honest depositors get back what is theirs, without an attack. */
  readonly exits: readonly Exit[]
  /** By address: storage of the contracts before any attack. */
  readonly storage: ReadonlyMap<string, ReadonlyMap<bigint, bigint>>
}

export const standingOf = (chain: Chain): Standing => ({
  loot: chain.loot(),
  people: new Map(honest.map((who) => [who, chain.holdingsOf(who)])),
  contracts: new Map(chain.instances.map((instance) => [instance.address, chain.instanceHoldings(instance)])),
})

/** Contracts whose functions are called: a token beside the target only moves what people have. */
export const calledInstances = ({ chain, target }: HuntScene): Instance[] =>
  chain.instances.filter((each) => each.address === target.address || !looksLikeAsset(each.contract))

/** All code counts as flagged: a hunt has no finding. */
const everything: ReadonlySet<number> = Object.assign(new Set<number>(), { has: () => true })

/** The same scene for an attack that is written for findings. */
export const asScene = ({ chain, base, budget }: HuntScene, target: Instance, fn: string | null = null): Scene => ({
  chain,
  target,
  finding: { function: fn },
  flagged: everything,
  related: everything,
  base,
  budget,
})
