/** SWC-124: an index chosen by the caller leads a write to a slot that is none of the caller's business. */
import type { Outcome } from '../evm/machine.ts'
import { op } from '../evm/trace.ts'
import type { CallStep, Step } from '../scene/step.ts'
import { inputWords } from '../scene/values.ts'
import { type Attempt, explore, runSteps } from '../search/explore.ts'
import { type Attack, attackerPool, entriesOf, flaggedEvents, nameOfCall, type Proof, type Scene } from './attack.ts'

const modulus = 1n << 256n

/** Where the first state variables lie: as good as any where nothing holds the owner's address yet. */
const firstSlots = [0n, 1n, 2n]

interface Aim {
  readonly slots: readonly bigint[]
  readonly what: string
  readonly isOwners: boolean
}

/** Slots that hold the owner's address, or those of the first variables. */
const aimedSlots = ({ chain, target }: Scene): Aim => {
  const owner = chain.actors.owner.slice(2)
  const slots = [...chain.machine.storageOf(target.address)].flatMap(([slot, value]) =>
    value.toString(16).endsWith(owner) ? [slot] : [],
  )
  return slots.length > 0
    ? { slots, what: 'the slot of the owner', isOwners: true }
    : { slots: firstSlots, what: 'the slot of another variable', isOwners: false }
}

/** The last call with one input replaced so that the flagged write lands on the wanted slot. */
const aimed = function* (scene: Scene, { steps, outcome }: Attempt, wanted: bigint): Generator<Step[]> {
  const last = steps.at(-1) as CallStep
  const words = inputWords(last.fn, last.args)
  for (const { op: code, stack } of flaggedEvents(scene, outcome)) {
    if (code !== op.SSTORE) continue
    const slot = stack[0] ?? 0n
    for (const { word, replace } of words) {
      const args = replace((((wanted - slot + word) % modulus) + modulus) % modulus)
      if (args) yield [...steps.slice(0, -1), { ...last, args }]
    }
  }
}

const writesFlagged = (scene: Scene, outcome: Outcome, slot: bigint): boolean =>
  flaggedEvents(scene, outcome).some(({ op: code, stack }) => code === op.SSTORE && stack[0] === slot)

/** The control: the same calls with a small index succeed and leave the slot alone. */
const isSparedInside = async (scene: Scene, { steps }: Attempt, slot: bigint): Promise<boolean> => {
  const { chain, base } = scene
  const last = steps.at(-1) as CallStep
  for (const { replace } of inputWords(last.fn, last.args)) {
    const args = replace(0n)
    if (!args) continue
    const { outcome } = await runSteps(chain, base, [...steps.slice(0, -1), { ...last, args }])
    chain.restore(base)
    // Calls that prepare may change the slot, where it holds more than one variable.
    if (outcome.ok && !writesFlagged(scene, outcome, slot)) return true
  }
  return false
}

export const arbitraryWrite: Attack = {
  swc: 'SWC-124',
  tries: 'indexes that lead the write to the slot of the owner',
  run: (scene) => {
    const { chain, target, base, budget } = scene
    const { slots, what, isOwners } = aimedSlots(scene)
    const attacker = BigInt(chain.actors.attacker)
    return explore<Proof>(
      chain,
      {
        target,
        entries: entriesOf(scene),
        caller: { actor: 'attacker', via: null },
        pool: { ...attackerPool(scene), numbers: [3n, attacker, 1n, 0n] },
        // Tried as they are, they teach what stands between the index and the slot: a length, most often.
        suggest: (attempt) =>
          attempt.outcome.ok ? slots.flatMap((slot) => [...aimed(scene, attempt, slot)]).slice(0, 6) : [],
        async accept(attempt) {
          if (!attempt.outcome.ok) return undefined
          const after = chain.machine.storageOf(target.address)
          chain.restore(base)
          const before = chain.machine.storageOf(target.address)
          const slot = slots.find(
            (each) => after.get(each) !== before.get(each) && writesFlagged(scene, attempt.outcome, each),
          )
          if (slot === undefined || !(await isSparedInside(scene, attempt, slot))) return undefined
          const last = attempt.steps.at(-1) as CallStep
          return {
            steps: attempt.steps,
            status: isOwners ? 'confirmed' : 'executed',
            effects: [],
            harm: `an index chosen by the attacker made ${nameOfCall(last.fn)} overwrite ${what}`,
            control: { change: 'the same calls with an index inside the list', result: 'the slot stays as it is' },
            assertion: { kind: 'slot', slot, value: after.get(slot) ?? 0n },
          }
        },
      },
      budget,
    )
  },
}
