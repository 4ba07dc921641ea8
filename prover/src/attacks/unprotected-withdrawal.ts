/** SWC-105: an outsider without any role, who put less in, takes ether out. */
import type { Via } from '../scene/step.ts'
import { explore, runSteps } from '../search/explore.ts'
import { type Attack, attackerPool, entriesOf, flaggedEvents, formatEther, type Proof, type Scene } from './attack.ts'

const asCaller = (scene: Scene, via: Via | null): Promise<Proof | undefined> => {
  const { world, target, base, budget } = scene
  return explore<Proof>(
    world,
    {
      target,
      entries: entriesOf(scene),
      caller: { actor: 'attacker', via },
      pool: attackerPool(scene, [world.viaAddress(via, 'attacker')]),
      values: [0n, 1n, 10n ** 18n],
      async accept({ steps, outcome }) {
        if (!outcome.ok || flaggedEvents(scene, outcome).length === 0) return undefined
        const after = world.loot()
        world.restore(base)
        const gain = after - world.loot()
        if (gain <= 0n) return undefined
        const control = await runSteps(world, base, steps.slice(0, -1))
        const without = world.loot()
        world.restore(base)
        const due = without - world.loot()
        if (steps.length > 1 && (!control.outcome.ok || due > 0n)) return undefined
        return {
          steps,
          effects: [],
          harm: `an outsider without any role took ${formatEther(gain)} that others had put in`,
          control: {
            change: 'the same steps without the flagged call',
            result: `the attacker's ether changes by ${formatEther(due)}`,
          },
          assertion: { kind: 'gain', least: gain },
        }
      },
    },
    budget,
  )
}

export const unprotectedWithdrawal: Attack = {
  swc: 'SWC-105',
  run: async (scene) => (await asCaller(scene, null)) ?? (await asCaller(scene, 'agent')),
}
