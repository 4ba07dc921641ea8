/**
 * A contract that asks its caller the same thing twice, and takes for granted that the answer stays. The caller is a contract of the attacker's that
 * answers one thing first and another thing then. Harm is what neither answer alone leads to.
 */
import type { AbiFunction } from '../evm/abi.ts'
import type { Outcome } from '../evm/machine.ts'
import { calleeOf, comparisonOps, op } from '../evm/trace.ts'
import { attackerCall, type Instance, type Step } from '../scene/step.ts'
import { argumentLists } from '../scene/values.ts'
import { runSteps } from '../search/explore.ts'
import { calledInstances, type HuntScene } from './hunt-scene.ts'
import type { Catch, Hunter } from './hunter.ts'

type Slots = ReadonlyMap<bigint, bigint>

const maxFunctions = 24
const maxWords = 6

interface Queried {
  readonly steps: readonly Step[]
  readonly slots: Slots
  /** How often the contract queried its caller. */
  readonly times: number
  readonly outcome: Outcome
}

/** A call through the contract that answers with one word first and with another one then. */
const runQuery = async (
  scene: HuntScene,
  to: Instance,
  fn: AbiFunction,
  [first, second]: readonly [bigint, bigint],
): Promise<Queried> => {
  const { chain, base } = scene
  const caller = chain.standIn('AssayFickle')
  const args = argumentLists(fn, { addresses: [chain.actors.attacker], numbers: [1n] }, 1)[0] ?? []
  const prepare = caller.contract.functions.find(({ name }) => name === 'answer') ?? null
  const steps: Step[] = [
    attackerCall(caller, prepare, [first, second]),
    { ...attackerCall(to, fn, args), via: 'fickle' },
  ]
  const { outcome } = await runSteps(chain, base, steps)
  const times = outcome.trace.filter(
    (event) =>
      (event.op === op.CALL || event.op === op.STATICCALL) &&
      event.address === to.address &&
      calleeOf(event) === caller.address,
  ).length
  return { steps, times, outcome, slots: chain.machine.storageOf(to.address) }
}

/** Answers that an earlier one was compared with, and those beside them. */
const learned = ({ trace }: Outcome, answer: bigint): bigint[] =>
  trace.flatMap(({ op: code, stack: [a = 0n, b = 0n] }) => {
    if (!comparisonOps.has(code) || (a !== answer && b !== answer)) return []
    const other = a === answer ? b : a
    return [other, other + 1n]
  })

const changedIn = (both: Slots, one: Slots, other: Slots): readonly [bigint, bigint] | undefined =>
  [...new Set([...both.keys(), ...one.keys(), ...other.keys()])]
    .map((slot) => [slot, both.get(slot) ?? 0n] as const)
    .find(([slot, value]) => value !== (one.get(slot) ?? 0n) && value !== (other.get(slot) ?? 0n))

const search = async (scene: HuntScene, to: Instance, fn: AbiFunction): Promise<Catch | undefined> => {
  const constant = new Map<bigint, Queried>()
  const words = [0n, 1n]
  for (let at = 0; at < words.length && at < maxWords; at++) {
    const answer = words[at] as bigint
    const queried = await runQuery(scene, to, fn, [answer, answer])
    if (queried.times === 0) return undefined
    constant.set(answer, queried)
    for (const other of learned(queried.outcome, answer)) if (!words.includes(other)) words.push(other)
  }
  for (const [first, one] of constant)
    for (const [second, other] of constant) {
      if (first === second || one.times < 2) continue
      const both = await runQuery(scene, to, fn, [first, second])
      const changed = both.outcome.ok ? changedIn(both.slots, one.slots, other.slots) : undefined
      if (!changed) continue
      const [slot, value] = changed
      return {
        oracle: 'answer-changed',
        at: to,
        proof: {
          steps: both.steps,
          status: 'confirmed',
          effects: [`it answers ${first} first and ${second} then`],
          harm: `an outsider answered ${fn.name}() of ${to.contract.name} first ${first} and then ${second}, and slot ${slot} holds what neither answer alone leads to`,
          assertion: { kind: 'slot', slot, value },
          control: { change: 'the same call with one answer that stays', result: `slot ${slot} holds another value` },
        },
      }
    }
  return undefined
}

export const changedAnswers: Hunter = {
  async run(scene, onCatch) {
    await scene.chain.deployStandIn('AssayFickle')
    // Part of the scene from now on: a snapshot from before knows nothing of it.
    const within = { ...scene, base: scene.chain.snapshot() }
    for (const to of calledInstances(scene))
      for (const fn of to.contract.functions.filter(({ isView }) => !isView).slice(0, maxFunctions)) {
        const found = await search(within, to, fn)
        if (found) await onCatch({ ...found, base: within.base })
      }
    scene.chain.restore(scene.base)
  },
}
