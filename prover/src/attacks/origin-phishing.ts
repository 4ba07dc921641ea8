/** SWC-115: a victim is led to call the attacker's contract, which then passes the guard in the victim's name. */
import { op } from '../evm/trace.ts'
import { gainOf } from '../scene/assets.ts'
import type { Actor } from '../scene/step.ts'
import { runSteps } from '../search/explore.ts'
import {
  type Attack,
  actorWords,
  attackerPool,
  entriesOf,
  flaggedEvents,
  formatChange,
  gainAssertion,
  type Proof,
  type Scene,
} from './attack.ts'
import { exploreForHarm, firstHarm } from './prefer-harm.ts'
import { takenRole } from './taken-role.ts'

const asVictim = (scene: Scene, victim: Actor): Promise<Proof | undefined> => {
  const { chain, target, base, budget } = scene
  return exploreForHarm(
    chain,
    {
      target,
      entries: entriesOf(scene),
      caller: { actor: victim, via: 'agent' },
      helpers: [{ actor: 'attacker', via: null }],
      pool: attackerPool(scene),
      async accept({ steps, outcome }) {
        const after = { loot: chain.loot(), storage: chain.machine.storageOf(target.address) }
        if (!outcome.ok || !flaggedEvents(scene, outcome).some((event) => event.op === op.ORIGIN)) return undefined
        const last = steps.at(-1)
        if (last?.kind !== 'call') return undefined
        const head = steps.slice(0, -1)
        const own = await runSteps(chain, base, [...head, { ...last, actor: 'attacker' }])
        const direct = await runSteps(chain, base, [...head, { ...last, actor: 'attacker', via: null }])
        chain.restore(base)
        if (own.outcome.ok || direct.outcome.ok) return undefined
        const gain = gainOf(after.loot, chain.loot())
        const role = takenRole(scene, after.storage)
        const name = actorWords[victim]
        const taken = gain ? ` and took ${formatChange(scene, gain)}` : role ? ' and made the attacker its owner' : ''
        return {
          steps,
          status: gain || role ? 'confirmed' : 'executed',
          effects: [],
          harm: `the attacker's contract, called by ${name}, passed the guard in the name of ${name}${taken}`,
          control: {
            change: 'the same call begun by the attacker, with and without the contract',
            result: 'the guard refuses it',
          },
          assertion: gain ? gainAssertion(scene, gain) : (role ?? { kind: 'succeeds' }),
        }
      },
    },
    budget,
  )
}

export const originPhishing: Attack = {
  swc: 'SWC-115',
  tries: "a victim that calls the attacker's contract",
  run: (scene) => firstHarm([() => asVictim(scene, 'owner'), () => asVictim(scene, 'alice')]),
}
