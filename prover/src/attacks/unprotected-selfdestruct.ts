/** SWC-106: an outsider destroys the contract. */
import { op } from '../evm/trace.ts'
import { explore } from '../search/explore.ts'
import { type Attack, attackerPool, entriesOf, flaggedEvents, formatEther, type Proof } from './attack.ts'

export const unprotectedSelfdestruct: Attack = {
  swc: 'SWC-106',
  tries: 'calls of an outsider that destroy the contract',
  run: (scene) => {
    const { chain, target, base, budget } = scene
    return explore<Proof>(
      chain,
      {
        target,
        entries: entriesOf(scene),
        caller: { actor: 'attacker', via: null },
        pool: attackerPool(scene),
        async accept({ steps, outcome }) {
          const destroyed = flaggedEvents(scene, outcome).some((event) => event.op === op.SELFDESTRUCT)
          const left = chain.machine.balanceOf(target.address)
          if (!outcome.ok || !destroyed || left > 0n) return undefined
          chain.restore(base)
          for (const step of steps.slice(0, -1)) await chain.perform(step)
          const held = chain.machine.balanceOf(target.address)
          if (held === 0n) return undefined
          return {
            steps,
            status: 'confirmed',
            effects: [],
            harm: `an outsider destroyed ${target.contract.name}, and its ${formatEther(held)} left it`,
            control: {
              change: 'the same steps without the flagged call',
              result: `${target.contract.name} keeps its code and ${formatEther(held)}`,
            },
            assertion: { kind: 'drained' },
          }
        },
      },
      budget,
    )
  },
}
