/** SWC-118: what was meant to run once, at deployment, can be called by anyone, who then holds the rights it gives. */
import { op } from '../evm/trace.ts'
import { type Change, gainOf } from '../scene/assets.ts'
import type { CallStep } from '../scene/step.ts'
import { argumentLists } from '../scene/values.ts'
import { type Attempt, explore, runSteps } from '../search/explore.ts'
import { slotsWritten } from '../search/feedback.ts'
import {
  type Attack,
  attackerPool,
  entriesOf,
  formatChange,
  gainAssertion,
  nameOfCall,
  type Proof,
  type Scene,
} from './attack.ts'

const holds = (word: bigint, address: string): boolean => word.toString(16).includes(address.slice(2))

/** A call that the attacker is refused before the takeover and granted after it; one that pays is best. */
const findRight = async (scene: Scene, takeover: Attempt): Promise<Proof | undefined> => {
  const { chain, target, base, budget } = scene
  let best: { step: CallStep; gain: Change | undefined } | undefined
  for (const fn of target.contract.functions.filter(({ isView }) => !isView)) {
    for (const args of argumentLists(fn, attackerPool(scene), 2)) {
      if (!budget.spend()) break
      const step: CallStep = { kind: 'call', actor: 'attacker', via: null, to: target, fn, args, value: 0n }
      chain.restore(base)
      if ((await chain.perform(step)).ok) break
      const { outcome } = await runSteps(chain, base, [...takeover.steps, step])
      if (!outcome.ok) continue
      const after = chain.loot()
      chain.restore(base)
      const gain = gainOf(after, chain.loot())
      if (!best || (gain?.amount ?? 0n) > (best.gain?.amount ?? 0n)) best = { step, gain }
    }
  }
  if (!best) return undefined
  const { step, gain } = best
  const taken = gain ? ` and took ${formatChange(scene, gain)}` : ''
  return {
    steps: [...takeover.steps, step],
    status: 'confirmed',
    effects: [],
    harm: `an outsider took over ${target.contract.name}: ${nameOfCall(step.fn)} now obeys the attacker${taken}`,
    control: {
      change: `${nameOfCall(step.fn)} without the takeover`,
      result: 'the contract refuses the call',
    },
    assertion: gain ? gainAssertion(scene, gain) : { kind: 'succeeds' },
  }
}

export const misnamedConstructor: Attack = {
  swc: 'SWC-118',
  tries: 'a call of the function that should be the constructor',
  run: (scene) => {
    const { chain, target, base, budget } = scene
    const { attacker } = chain.actors
    return explore<Proof>(
      chain,
      {
        target,
        entries: entriesOf(scene),
        caller: { actor: 'attacker', via: null },
        pool: attackerPool(scene),
        values: [0n],
        async accept(attempt) {
          const { outcome, steps } = attempt
          if (!outcome.ok) return undefined
          const written = outcome.trace.find(
            (event) =>
              event.op === op.SSTORE && event.address === target.address && holds(event.stack[1] ?? 0n, attacker),
          )
          // A role may be a mark beside an address instead of the address itself: then only a right that follows tells.
          if (!written) return slotsWritten(outcome, target.address).size > 0 ? findRight(scene, attempt) : undefined
          const [slot = 0n, value = 0n] = written.stack
          chain.restore(base)
          if (holds(chain.machine.storageOf(target.address).get(slot) ?? 0n, attacker)) return undefined
          const right = await findRight(scene, attempt)
          if (right) return right
          return {
            steps,
            status: 'executed',
            effects: [],
            harm: `an outsider called what should have been the constructor and stands in its place as owner`,
            control: { change: 'without the call', result: "the slot does not hold the attacker's address" },
            assertion: { kind: 'slot', slot, value },
          }
        },
      },
      budget,
    )
  },
}
