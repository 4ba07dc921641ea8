/** SWC-112: the contract runs the attacker's code in its own name. */
import { calleeOf, op } from '../evm/trace.ts'
import { gainOf } from '../scene/assets.ts'
import { partOf } from '../search/budget.ts'
import { explore, runSteps } from '../search/explore.ts'
import {
  type Attack,
  attackerPool,
  changeWords,
  entriesOf,
  flaggedEvents,
  formatChange,
  gainAssertion,
  type Proof,
} from './attack.ts'
import { replaceAddress } from './replace-address.ts'
import { searchTheft } from './theft.ts'

export const untrustedDelegatecall: Attack = {
  swc: 'SWC-112',
  tries: "the attacker's code as the target of the delegatecall, and calls that a fallback hands on",
  run: async (scene) => {
    const { chain, target, base, budget } = scene
    const payload = chain.addressOf('AssayPayload')
    const found = await explore<Proof>(
      chain,
      {
        target,
        entries: entriesOf(scene),
        caller: { actor: 'attacker', via: null },
        pool: attackerPool(scene, [payload]),
        async accept({ steps, outcome }) {
          const ran = flaggedEvents(scene, outcome).some(
            (event) => (event.op === op.DELEGATECALL || event.op === op.CALLCODE) && calleeOf(event) === payload,
          )
          if (!outcome.ok || !ran) return undefined
          const after = chain.loot()
          await runSteps(chain, base, replaceAddress(steps, payload, chain.addressOf('AssayHarmless')))
          const harmless = chain.loot()
          chain.restore(base)
          const start = chain.loot()
          const gain = gainOf(after, start)
          if (!gain || gainOf(harmless, start)) return undefined
          return {
            steps,
            status: 'confirmed',
            effects: [],
            harm: `${target.contract.name} ran the attacker's code in its own name and lost ${formatChange(scene, gain)}`,
            control: {
              change: 'the same calls naming a contract that does nothing',
              result: changeWords(scene, harmless, start, gain.asset),
            },
            assertion: gainAssertion(scene, gain),
          }
        },
      },
      partOf(budget, 2),
    )
    return found ?? searchTheft(scene, { isForwarded: true })
  },
}
