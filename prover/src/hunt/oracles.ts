/**
 * What counts as harm where no finding says what to look for. Each oracle is evaluated on the chain as an outsider's calls left it, and compares with the
 * chain before them. Time does not pass in between, so interest and rewards of honest use are no gain.
 */
import { actorWords, formatChange, gainAssertion, pricedGainAssertion, tokenOf } from '../attacks/attack.ts'
import { changeOf, gainOf, lossOf, profitOf } from '../scene/assets.ts'
import type { Chain } from '../scene/chain.ts'
import { payloadMark } from '../scene/stand-ins.ts'
import type { CallStep, Instance, Step } from '../scene/step.ts'
import type { Attempt } from '../search/explore.ts'
import { stillPays } from './exits.ts'
import type { Harm } from './harm.ts'
import { type HuntScene, honest, type Standing, standingOf } from './hunt-scene.ts'
import { gainedRight } from './rights.ts'
import { passedBySecret } from './stored-secret.ts'

/** Rounding gives or takes a few units: less than a millionth of what others have is no harm. */
const isWorth = (amount: bigint, held: bigint): boolean => amount * 1_000_000n >= held

export const calledContract = (chain: Chain, steps: readonly Step[]): Instance | undefined => {
  const calls = steps.filter((step): step is CallStep => step.kind === 'call' && step.actor === 'attacker')
  return calls.map(({ to }) => to).findLast(({ address }) => chain.instances.some((each) => each.address === address))
}

const heldByContracts = ({ contracts }: Standing, asset: number): bigint =>
  [...contracts.values()].reduce((sum, held) => sum + (held[asset] ?? 0n), 0n)

const gained = ({ chain, before }: HuntScene, after: Standing, at: Instance): Harm | undefined => {
  const gain = gainOf(after.loot, before.loot)
  if (!gain || !isWorth(gain.amount, heldByContracts(before, gain.asset))) return undefined
  return {
    oracle: 'attacker-gains',
    harm: `an outsider without any role gained ${formatChange({ chain }, gain)}`,
    assertion: pricedGainAssertion({ chain }, gain, { after: after.loot, before: before.loot }),
    at,
  }
}

/** More of a token than all others have together, for nothing. */
const diluted = ({ chain, before }: HuntScene, after: Standing, at: Instance): Harm | undefined => {
  const gain = profitOf(after.loot, before.loot)
  const others = before.loot[gain?.asset ?? 0]?.others ?? 0n
  const isUnique = chain.tokens[(gain?.asset ?? 0) - 1]?.isUnique
  if (!gain || gain.asset === 0 || isUnique || others === 0n || gain.amount < others) return undefined
  return {
    oracle: 'token-diluted',
    harm: `an outsider without any role created ${formatChange({ chain }, gain)}, more than all others have`,
    assertion: gainAssertion({ chain }, { ...gain, amount: others }),
    at,
  }
}

const robbed = ({ chain, before }: HuntScene, after: Standing, at: Instance): Harm | undefined => {
  for (const who of honest) {
    const loss = lossOf(after.people.get(who) ?? [], before.people.get(who) ?? [])
    const held = before.people.get(who)?.[loss?.asset ?? 0]?.own ?? 0n
    if (!loss || !isWorth(loss.amount, held)) continue
    return {
      oracle: 'honest-account-loses',
      harm: `an outsider without any role made ${actorWords[who]} lose ${formatChange({ chain }, loss)}`,
      assertion: { kind: 'poorer', who, most: -loss.amount, ...tokenOf({ chain }, loss.asset) },
      at,
    }
  }
  return undefined
}

/** A contract that the attacker did not call, and only named as an argument, has less. */
const madeToPay = ({ chain, before }: HuntScene, { steps }: Attempt, after: Standing): Harm | undefined => {
  const calls = steps.filter((step): step is CallStep => step.kind === 'call')
  for (const victim of chain.instances) {
    const isNamed = calls.some(({ args }) => args.includes(victim.address))
    if (!isNamed || calls.some(({ to }) => to.address === victim.address)) continue
    const was = before.contracts.get(victim.address) ?? []
    const changes = (after.contracts.get(victim.address) ?? []).map((held, asset) => held - (was[asset] ?? 0n))
    const asset = changes.findIndex((change) => change < 0n)
    const amount = -(changes[asset] ?? 0n)
    if (asset < 0 || changes.some((change) => change > 0n) || !isWorth(amount, was[asset] ?? 0n)) continue
    return {
      oracle: 'contract-loses',
      harm: `an outsider named ${victim.contract.name} in a call to another contract, and it lost ${formatChange({ chain }, { asset, amount })}`,
      assertion: { kind: 'lost', least: amount, ...tokenOf({ chain }, asset) },
      at: victim,
    }
  }
  return undefined
}

/** Code of the attacker ran in a contract's name: it left its mark in the storage. */
const delegated = ({ chain }: HuntScene): Harm | undefined => {
  const at = chain.instances.find(({ address }) => chain.machine.slotOf(address, payloadMark) === 1n)
  return (
    at && {
      oracle: 'attacker-code-runs',
      harm: `${at.contract.name} executed code of an outsider by delegatecall`,
      assertion: { kind: 'slot', slot: payloadMark, value: 1n },
      at,
    }
  )
}

/** The owner's initializer was called before: an outsider's call of it overwrote what it had written. */
const initializedTwice = (scene: HuntScene, { steps }: Attempt): Harm | undefined => {
  const { chain, storage } = scene
  for (const step of steps) {
    if (step.kind !== 'call' || step.actor !== 'attacker' || !step.fn || !/^_*(?:re)?init/i.test(step.fn.name)) continue
    const isRun = chain.prologue.some(
      (each) => each.kind === 'call' && each.to.address === step.to.address && each.fn === step.fn,
    )
    if (!isRun && !chain.setUpAtCreation.has(step.to.address)) continue
    const now = chain.machine.storageOf(step.to.address)
    const changed = [...(storage.get(step.to.address) ?? [])].find(([slot, value]) => (now.get(slot) ?? 0n) !== value)
    if (!changed) continue
    const [slot] = changed
    return {
      oracle: 'initialized-twice',
      harm: `an outsider ran ${step.fn.name}() again after the owner, and overwrote slot ${slot} of ${step.to.contract.name}`,
      assertion: { kind: 'slot', slot, value: now.get(slot) ?? 0n },
      at: step.to,
    }
  }
  return undefined
}

/** What depositors could take out before, the contract still holds, and they cannot get: one after the other. */
const locked = async (scene: HuntScene, after: Standing): Promise<Harm | undefined> => {
  const { chain, before, exits } = scene
  for (const exit of exits) {
    const { who, step, asset, amount } = exit
    const spent = -changeOf(after.loot, before.loot, asset)
    const held = after.contracts.get(step.to.address)?.[asset] ?? 0n
    // What the attacker had to lock up too, or what was paid out to others, is another matter.
    if (100n * spent > amount || held < amount) continue
    if (await stillPays(chain, exit)) continue
    return {
      oracle: 'withdrawal-blocked',
      harm: `an outsider made ${actorWords[who]} unable to withdraw ${formatChange({ chain }, { asset, amount })} by ${step.fn?.name}()`,
      assertion: { kind: 'blocked' },
      at: step.to,
      witness: step,
      control: {
        change: 'without the calls of the attacker',
        result: `${actorWords[who]} withdraws ${formatChange({ chain }, { asset, amount })}`,
      },
    }
  }
  return undefined
}

/** The most severe harm that a run did; the chain is as the run left it, and is so again afterwards. */
export const judge = async (scene: HuntScene, attempt: Attempt, withProbes: boolean): Promise<Harm | undefined> => {
  const { chain } = scene
  const at = calledContract(chain, attempt.steps)
  if (!at || !attempt.outcome.ok || attempt.outcomes.length < attempt.steps.length) return undefined
  const after = standingOf(chain)
  const seen =
    gained(scene, after, at) ??
    robbed(scene, after, at) ??
    delegated(scene) ??
    diluted(scene, after, at) ??
    madeToPay(scene, attempt, after) ??
    initializedTwice(scene, attempt)
  if (seen || !withProbes) return seen
  const here = chain.snapshot()
  const probed = (await gainedRight(scene)) ?? (await locked(scene, after)) ?? (await passedBySecret(scene, attempt))
  chain.restore(here)
  return probed
}
