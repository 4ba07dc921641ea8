/** SWC-105: an outsider without any role, who put less in, takes ether out. */
import type { AbiFunction } from '../evm/abi.ts'
import { op } from '../evm/trace.ts'
import { gainOf } from '../scene/assets.ts'
import { ether } from '../scene/chain.ts'
import type { Via } from '../scene/step.ts'
import { type Attempt, explore, runSteps } from '../search/explore.ts'
import {
  type Attack,
  allEntries,
  attackerPool,
  changeWords,
  entriesOf,
  flaggedEvents,
  formatChange,
  gainAssertion,
  type Proof,
  type Scene,
} from './attack.ts'

/** The steps without the calls that execute the flagged code. */
const withoutFlagged = (scene: Scene, { steps, outcomes }: Attempt) =>
  steps.filter((_, index) => {
    const outcome = outcomes[index]
    return !outcome || flaggedEvents(scene, outcome).length === 0
  })

/** Paid back, but not more than was put in: perhaps it pays again. */
const again = (scene: Scene, { steps, outcomes, outcome }: Attempt) => {
  const last = steps.at(-1)
  const isWhole = outcomes.length === steps.length && outcome.ok
  const pays = outcome.trace.some(
    (event) => event.op === op.CALL && event.address === scene.target.address && event.stack[2],
  )
  return isWhole && last && pays ? [[...steps, last]] : []
}

const asCaller = (
  scene: Scene,
  via: Via | null,
  entries: readonly (AbiFunction | null)[],
): Promise<Proof | undefined> => {
  const { chain, target, base, budget } = scene
  return explore<Proof>(
    chain,
    {
      target,
      entries,
      caller: { actor: 'attacker', via },
      pool: attackerPool(scene, [chain.viaAddress(via, 'attacker')]),
      values: [0n, 1n, ether],
      suggest: (attempt) => again(scene, attempt),
      async accept(attempt) {
        const { steps, outcomes, outcome } = attempt
        if (!outcome.ok || !outcomes.some((each) => flaggedEvents(scene, each).length > 0)) return undefined
        const after = chain.loot()
        chain.restore(base)
        const start = chain.loot()
        const gain = gainOf(after, start)
        if (!gain) return undefined
        await runSteps(chain, base, withoutFlagged(scene, attempt))
        const without = chain.loot()
        chain.restore(base)
        if (gainOf(without, start)) return undefined
        return {
          steps,
          status: 'confirmed',
          effects: [],
          harm: `an outsider without any role took ${formatChange(scene, gain)} that others had put in`,
          control: {
            change: 'the same steps without the flagged call',
            result: changeWords(scene, without, start, gain.asset),
          },
          assertion: gainAssertion(scene, gain),
        }
      },
    },
    budget,
  )
}

export const unprotectedWithdrawal: Attack = {
  swc: 'SWC-105',
  tries: 'calls of an outsider that take assets out',
  run: async (scene) =>
    (await asCaller(scene, null, entriesOf(scene))) ??
    (await asCaller(scene, 'agent', entriesOf(scene))) ??
    (await asCaller(scene, null, allEntries(scene))),
}
