/** SWC-113: a user who refuses to be paid keeps everybody else from using the contract. */
import { calleeOf, op } from '../evm/trace.ts'
import { ether } from '../scene/chain.ts'
import type { Actor } from '../scene/step.ts'
import { explore, runSteps } from '../search/explore.ts'
import { type Attack, actorWords, attackerPool, entriesOf, flaggedEvents, type Proof, type Scene } from './attack.ts'
import { replaceAddress, replaceVia } from './replace-address.ts'

const asVictim = (scene: Scene, victim: Actor): Promise<Proof | undefined> => {
  const { chain, target, base, budget } = scene
  const [agent, refuser] = [chain.addressOf('AssayAgent'), chain.addressOf('AssayRefuser')]
  return explore<Proof>(
    chain,
    {
      target,
      entries: entriesOf(scene),
      caller: { actor: victim, via: null },
      helpers: [{ actor: 'attacker', via: 'agent' }],
      pool: attackerPool(scene, [agent]),
      values: [0n, ether, 2n * ether],
      async accept({ steps, outcome }) {
        const pays = flaggedEvents(scene, outcome).some((event) => event.op === op.CALL && calleeOf(event) === agent)
        if (!outcome.ok || !pays) return undefined
        const refusing = replaceVia(replaceAddress(steps, agent, refuser), 'agent', 'refuser')
        const attack = await runSteps(chain, base, refusing)
        chain.restore(base)
        const isRefused = flaggedEvents(scene, attack.outcome).some(
          (event) => event.op === op.CALL && calleeOf(event) === refuser && event.result === 0n,
        )
        const reachedLast = attack.outcomes.length === refusing.length
        if (!reachedLast || attack.outcome.ok || !isRefused) return undefined
        return {
          steps: refusing,
          status: 'confirmed',
          effects: [],
          harm: `a contract that accepts no ether makes the call of ${actorWords[victim]} fail`,
          control: {
            change: 'the same steps with a recipient that accepts',
            result: `the call of ${actorWords[victim]} succeeds`,
          },
          assertion: { kind: 'blocked' },
        }
      },
    },
    budget,
  )
}

export const refusedPayment: Attack = {
  swc: 'SWC-113',
  tries: 'a participant that refuses ether',
  run: async (scene) => (await asVictim(scene, 'alice')) ?? (await asVictim(scene, 'owner')),
}
