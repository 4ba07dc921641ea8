/** What a run came to, and what a written test can hold on to where two runs of the same calls differ. */
import type { Outcome } from '../evm/machine.ts'
import { gainOf, type Holdings } from '../scene/assets.ts'
import type { Step } from '../scene/step.ts'
import { runSteps } from '../search/explore.ts'
import { branchesOf } from '../search/feedback.ts'
import { gainAssertion, type Proof, type Scene } from './attack.ts'

export interface Run {
  readonly outcome: Outcome
  /** Branches that the target took. */
  readonly path: string
  readonly loot: Holdings
  readonly storage: ReadonlyMap<bigint, bigint>
  readonly steps: readonly Step[]
}

/** Runs the steps and leaves the chain as it was; undefined when they broke off before the last. */
export const runApart = async ({ chain, base, target }: Scene, steps: readonly Step[]): Promise<Run | undefined> => {
  const { outcome, outcomes } = await runSteps(chain, base, steps)
  const run = {
    outcome,
    path: branchesOf(outcome, target.address).join(' '),
    loot: chain.loot(),
    storage: chain.machine.storageOf(target.address),
    steps,
  }
  chain.restore(base)
  return outcomes.length === steps.length ? run : undefined
}

/** Something that came out differently: success, the attacker's assets, the answer, a slot. */
export const difference = (scene: Scene, before: Run, after: Run, start: Holdings): Proof['assertion'] | undefined => {
  if (!after.outcome.ok) return before.outcome.ok ? { kind: 'blocked' } : undefined
  if (!before.outcome.ok) return { kind: 'succeeds' }
  const gain = gainOf(after.loot, before.loot) && gainOf(after.loot, start)
  if (gain) return gainAssertion(scene, gain)
  const word = ({ outcome }: Run): bigint => BigInt(outcome.returned.slice(0, 66).padEnd(66, '0'))
  if (after.outcome.returned !== '0x' && word(after) !== word(before)) return { kind: 'returns', word: word(after) }
  for (const slot of [...after.storage.keys(), ...before.storage.keys()]) {
    const value = after.storage.get(slot) ?? 0n
    if ((before.storage.get(slot) ?? 0n) !== value) return { kind: 'slot', slot, value }
  }
  return undefined
}
