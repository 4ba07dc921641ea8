/** A check that was passed with a secret of the contract: private storage can be read by everybody, from outside of the chain. */
import type { Outcome } from '../evm/machine.ts'
import { attackerCall, type CallStep, type Instance } from '../scene/step.ts'
import { argumentLists, inputWords } from '../scene/values.ts'
import { type Attempt, runSteps } from '../search/explore.ts'
import type { Harm } from './harm.ts'
import type { HuntScene } from './hunt-scene.ts'

/** Numbers that are counted or paid are shorter, and are compared for other reasons. */
const shortestSecret = 1n << 96n
const maxGetters = 24

interface Secret {
  readonly step: CallStep
  readonly slot: bigint
  /** The same call with another value. */
  readonly other: CallStep
}

const isSecretType = (type: string): boolean => Number(/^bytes(\d+)$/.exec(type)?.[1] ?? 0) >= 16

/** An argument that is a word of the contract's storage, or its beginning. */
const secretIn = ({ storage }: HuntScene, step: CallStep): Secret | undefined => {
  if (!step.fn?.inputs.every(({ type }) => isSecretType(type))) return undefined
  for (const { word, replace } of inputWords(step.fn, step.args)) {
    const found = [...(storage.get(step.to.address) ?? [])].find(
      ([, stored]) => word >= shortestSecret && (stored === word || (stored >> 128n) << 128n === word),
    )
    const args = replace(word ^ (word >> 1n))
    if (found && args) return { step, slot: found[0], other: { ...step, args } }
  }
  return undefined
}

/** Whether some function tells it. */
const isPublished = async ({ chain, base }: HuntScene, at: Instance, secret: bigint): Promise<boolean> => {
  chain.restore(base)
  const pool = { addresses: [chain.actors.alice], numbers: [0n, 1n, 2n] }
  const text = secret.toString(16).padStart(64, '0')
  for (const fn of at.contract.functions.filter(({ isView }) => isView).slice(0, maxGetters))
    for (const args of argumentLists(fn, pool, 3))
      if ((await chain.peek(attackerCall(at, fn, args))).returned.includes(text)) return true
  return false
}

/** A slot of the contract that a run changed. */
const changedSlot = ({ chain, storage }: HuntScene, { address }: Instance, outcome: Outcome): bigint | undefined => {
  const before = storage.get(address) ?? new Map<bigint, bigint>()
  const after = chain.machine.storageOf(address)
  if (!outcome.ok) return undefined
  return [...new Set([...before.keys(), ...after.keys()])].find(
    (slot) => (after.get(slot) ?? 0n) !== (before.get(slot) ?? 0n),
  )
}

export const passedBySecret = async (scene: HuntScene, attempt: Attempt): Promise<Harm | undefined> => {
  const { chain, base, storage } = scene
  const step = attempt.steps.at(-1)
  const secret = step?.kind === 'call' && step.actor === 'attacker' ? secretIn(scene, step) : undefined
  if (!secret) return undefined
  const { to, fn } = secret.step
  const changed = changedSlot(scene, to, attempt.outcome)
  const value = changed === undefined ? 0n : (chain.machine.storageOf(to.address).get(changed) ?? 0n)
  if (changed === undefined) return undefined
  const control = await runSteps(chain, base, [...attempt.steps.slice(0, -1), secret.other])
  const isRefused = changedSlot(scene, to, control.outcome) === undefined
  const isKnown = await isPublished(scene, to, storage.get(to.address)?.get(secret.slot) ?? 0n)
  if (!isRefused || isKnown) return undefined
  return {
    oracle: 'secret-read',
    harm: `an outsider passed the check of ${fn?.name}() in ${to.contract.name} with the value that is stored in slot ${secret.slot}`,
    assertion: { kind: 'slot', slot: changed, value },
    at: to,
    control: { change: 'the same call with another value', result: 'it is refused, or changes nothing' },
  }
}
