/** SWC-115: a victim is led to call the attacker's contract, which then passes the guard in the victim's name. */
import { op } from '../evm/trace.ts'
import type { Actor } from '../scene/step.ts'
import { explore, runSteps } from '../search/explore.ts'
import { type Attack, actorWords, attackerPool, entriesOf, flaggedEvents, type Proof, type Scene } from './attack.ts'

const asVictim = (scene: Scene, victim: Actor): Promise<Proof | undefined> => {
  const { chain, target, base, budget } = scene
  return explore<Proof>(
    chain,
    {
      target,
      entries: entriesOf(scene),
      caller: { actor: victim, via: 'agent' },
      helpers: [{ actor: 'attacker', via: null }],
      pool: attackerPool(scene),
      async accept({ steps, outcome }) {
        if (!outcome.ok || !flaggedEvents(scene, outcome).some((event) => event.op === op.ORIGIN)) return undefined
        const last = steps.at(-1)
        if (last?.kind !== 'call') return undefined
        const head = steps.slice(0, -1)
        const own = await runSteps(chain, base, [...head, { ...last, actor: 'attacker' }])
        const direct = await runSteps(chain, base, [...head, { ...last, actor: 'attacker', via: null }])
        chain.restore(base)
        if (own.outcome.ok || direct.outcome.ok) return undefined
        return {
          steps,
          effects: [],
          harm: `the attacker's contract, called by ${actorWords[victim]}, passed the guard in the name of ${actorWords[victim]}`,
          control: {
            change: 'the same call begun by the attacker, with and without the contract',
            result: 'the guard refuses it',
          },
          assertion: { kind: 'succeeds' },
        }
      },
    },
    budget,
  )
}

export const originPhishing: Attack = {
  swc: 'SWC-115',
  run: async (scene) => (await asVictim(scene, 'owner')) ?? (await asVictim(scene, 'alice')),
}
