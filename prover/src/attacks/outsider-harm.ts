/** What calls of an outsider did: the attacker has more, an honest user has less, or a role changed hands. */
import type { Snapshot } from '../evm/machine.ts'
import { gainOf, type Holdings, lossOf, profitOf } from '../scene/assets.ts'
import type { Actor, Step } from '../scene/step.ts'
import { type Attempt, runSteps } from '../search/explore.ts'
import {
  actorWords,
  flaggedEvents,
  formatChange,
  gainAssertion,
  type Proof,
  pricedGainAssertion,
  type Scene,
  tokenOf,
} from './attack.ts'
import { changedToAttacker, roleNamedOf, takenRole } from './taken-role.ts'

const honest = ['alice', 'bob', 'owner'] as const

interface Standing {
  readonly loot: Holdings
  readonly people: ReadonlyMap<Actor, Holdings>
  /** Of the target. */
  readonly held: readonly bigint[]
  readonly storage: ReadonlyMap<bigint, bigint>
}

const standingOf = ({ chain, target }: Scene): Standing => ({
  loot: chain.loot(),
  people: new Map(honest.map((who) => [who, chain.holdingsOf(who)])),
  held: chain.instanceHoldings(target),
  storage: chain.machine.storageOf(target.address),
})

type Harm = Pick<Proof, 'harm' | 'assertion'>

export interface Oracle {
  /** What the attacker was given for nothing counts too, because only a missing guard gives it. */
  readonly isFree?: boolean
  /** What the contract pays to nobody of the scene counts too, because nobody was to make it pay. */
  readonly isPushed?: boolean
  /** Nothing but the attacker's gain counts: trades take no role. */
  readonly isGainOnly?: boolean
}

/** The contract has less of an asset, and nobody has more of it: an outsider made it pay another contract. */
const pushedOut = (scene: Scene, after: Standing, before: Standing): Harm | undefined => {
  const totalHeld = ({ loot, people }: Standing, asset: number): bigint =>
    [loot, ...people.values()].reduce((sum, holdings) => sum + (holdings[asset]?.own ?? 0n), 0n)
  const asset = before.held.findIndex(
    (amount, at) => (after.held[at] ?? 0n) < amount && totalHeld(after, at) === totalHeld(before, at),
  )
  if (asset < 0) return undefined
  const amount = (before.held[asset] ?? 0n) - (after.held[asset] ?? 0n)
  return {
    harm: `an outsider without any role made ${scene.target.contract.name} pay out ${formatChange(scene, { asset, amount })}`,
    assertion: { kind: 'lost', least: amount, ...tokenOf(scene, asset) },
  }
}

const harmIn = (
  scene: Scene,
  after: Standing,
  before: Standing,
  { isFree = false, isPushed = false, isGainOnly = false }: Oracle,
): Harm | undefined => {
  const gain = isFree ? profitOf(after.loot, before.loot) : gainOf(after.loot, before.loot)
  if (gain)
    return {
      harm: `an outsider without any role took ${formatChange(scene, gain)}`,
      assertion: pricedGainAssertion(
        scene,
        { ...gain, amount: gain.amount < largest ? gain.amount : largest },
        { after: after.loot, before: before.loot },
      ),
    }
  if (isGainOnly) return undefined
  for (const who of honest) {
    const loss = lossOf(after.people.get(who) ?? [], before.people.get(who) ?? [])
    if (loss)
      return {
        harm: `an outsider without any role made ${actorWords[who]} lose ${formatChange(scene, loss)}`,
        assertion: { kind: 'poorer', who, most: -loss.amount, ...tokenOf(scene, loss.asset) },
      }
  }
  const pushed = isPushed ? pushedOut(scene, after, before) : undefined
  if (pushed) return pushed
  const role = takenRole(scene, after.storage)
  return role && { harm: `an outsider took over the owner's role in ${scene.target.contract.name}`, assertion: role }
}

/** A written test adds it to what there was before. */
const largest = 1n << 200n

const withoutFlagged = (scene: Scene, { steps, outcomes }: Attempt): Step[] =>
  steps.filter((_, index) => {
    const outcome = outcomes[index]
    return !outcome || flaggedEvents(scene, outcome).length === 0
  })

/** Paid twice by the same call, which leaves the contract's storage as it was: nothing records that it was paid. */
export const paidAgain = async (scene: Scene, { steps, outcome, outcomes }: Attempt): Promise<Proof | undefined> => {
  const { chain, base } = scene
  const last = steps.at(-1) as Step
  if (!outcome.ok || outcomes.length < steps.length || flaggedEvents(scene, outcome).length === 0) return undefined
  await runSteps(chain, base, steps)
  const once = standingOf(scene)
  const again = await chain.perform(last)
  const twice = standingOf(scene)
  chain.restore(base)
  const gain = gainOf(twice.loot, once.loot)
  if (!again.ok || !gain || !isSame(once.storage, twice.storage)) return undefined
  const total = changeIn(twice.loot, chain.loot(), gain.asset)
  return {
    steps: [...steps, last],
    status: 'confirmed',
    effects: [],
    harm: `the same claim was paid twice, and nothing records it: ${formatChange(scene, gain)} more`,
    control: {
      change: 'the same calls without the second claim',
      result: `the attacker has ${formatChange(scene, gain)} less`,
    },
    assertion: gainAssertion(scene, { asset: gain.asset, amount: total }),
  }
}

const changeIn = (after: Holdings, before: Holdings, asset: number): bigint =>
  (after[asset]?.own ?? 0n) - (before[asset]?.own ?? 0n)

const isSame = (a: ReadonlyMap<bigint, bigint>, b: ReadonlyMap<bigint, bigint>): boolean =>
  a.size === b.size && [...a].every(([slot, value]) => b.get(slot) === value)

/** The contract names the attacker where it named another account or none, and the attacker paid nothing for it. */
const namedRole = async (scene: Scene, here: Snapshot, { loot, storage }: Standing): Promise<Harm | undefined> => {
  const { chain, target, base } = scene
  const changed = changedToAttacker(chain, chain.machine.storageOf(target.address), storage)
  if (!changed || profitOf(chain.loot(), loot)) return undefined
  const named = await roleNamedOf(chain, target, { base, here })
  chain.restore(base)
  return named === undefined
    ? undefined
    : {
        harm: `an outsider took over ${target.contract.name}: ${named}() answers with the outsider`,
        assertion: changed,
      }
}

/** What a flagged call did is compared with the same steps without it. */
export const judge = async (scene: Scene, attempt: Attempt, oracle: Oracle): Promise<Proof | undefined> => {
  const { chain, base } = scene
  const { steps, outcome, outcomes } = attempt
  if (!outcome.ok || !outcomes.some((each) => flaggedEvents(scene, each).length > 0)) return undefined
  const after = standingOf(scene)
  const here = chain.snapshot()
  chain.restore(base)
  const harm =
    harmIn(scene, after, standingOf(scene), oracle) ??
    (oracle.isGainOnly ? undefined : await namedRole(scene, here, after))
  if (!harm) return undefined
  await runSteps(chain, base, withoutFlagged(scene, attempt))
  const without = standingOf(scene)
  chain.restore(base)
  if (
    harmIn(scene, without, standingOf(scene), oracle) ??
    changedToAttacker(scene.chain, scene.chain.machine.storageOf(scene.target.address), without.storage)
  )
    return undefined
  return {
    steps,
    status: 'confirmed',
    effects: [],
    ...harm,
    control: {
      change: 'the same steps without the flagged call',
      result: 'nobody gains or loses, and no role changes hands',
    },
  }
}
