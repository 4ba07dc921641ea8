/**
 * Calldata that no compiler writes. Code that reads calldata by position trusts the standard encoding; the caller need not keep to it. Two forms are
 * tried: a word that is larger than its type, and dynamic bytes that lie elsewhere than where they are checked.
 */
import { type AbiFunction, type AbiParameter, type AbiValue, encodeArguments } from '../evm/abi.ts'
import type { Outcome } from '../evm/machine.ts'
import type { Chain } from '../scene/chain.ts'
import { attackerCall, type CallStep, type Instance } from '../scene/step.ts'
import { argumentLists, type ValuePool } from '../scene/values.ts'
import { calledInstances, type HuntScene } from './hunt-scene.ts'
import type { Catch, Hunter } from './hunter.ts'

type Slots = ReadonlyMap<bigint, bigint>

const maxFunctions = 24
const maxMessages = 10

const word = (value: bigint): string => value.toString(16).padStart(64, '0')

const poolOf = ({ chain }: HuntScene): ValuePool => ({ addresses: [chain.actors.attacker], numbers: [1n, 0n] })

const changing = ({ contract }: Instance): AbiFunction[] =>
  contract.functions.filter(({ isView }) => !isView).slice(0, maxFunctions)

/** The chain is left as the call left it. */
const runFrom = async ({ chain, base }: HuntScene, step: CallStep): Promise<{ outcome: Outcome; slots: Slots }> => {
  chain.restore(base)
  const outcome = await chain.perform(step)
  return { outcome, slots: chain.machine.storageOf(step.to.address) }
}

/** How many bits a value of the type has, at the lower end of its word; undefined: it fills the word, or is no single word. */
const bitsOf = ({ type }: AbiParameter): number | undefined => {
  if (type === 'address') return 160
  if (type === 'bool') return 1
  const bits = Number(/^uint(\d+)$/.exec(type)?.[1] ?? 256)
  return bits < 256 ? bits : undefined
}

/** A word beyond the type of its parameter that the contract stores as it is. */
const storedBeyondType = async (
  scene: HuntScene,
  to: Instance,
  fn: AbiFunction,
  place: number,
): Promise<Catch | undefined> => {
  const { chain } = scene
  const bits = bitsOf(fn.inputs[place] as AbiParameter)
  const args = argumentLists(fn, poolOf(scene), 1)[0]
  if (bits === undefined || !args) return undefined
  const large = (1n << BigInt(bits + 1)) - 1n
  const plain = attackerCall(to, fn, args)
  const body = encodeArguments(fn.inputs, args)
  const data = chain.selector(fn) + body.slice(0, 64 * place) + word(large) + body.slice(64 * (place + 1))
  const { outcome, slots } = await runFrom(scene, { ...plain, data })
  const before = scene.storage.get(to.address) ?? new Map()
  const stored = [...slots].find(([slot, value]) => value === large && before.get(slot) !== value)
  if (!outcome.ok || !stored) return undefined
  const [slot, value] = stored
  const { type } = fn.inputs[place] as AbiParameter
  return {
    oracle: 'argument-out-of-range',
    at: to,
    proof: {
      steps: [{ ...plain, data }],
      status: 'confirmed',
      effects: [],
      harm: `an outsider made ${fn.name}() of ${to.contract.name} store ${value} for a ${type}, which no ${type} can hold`,
      assertion: { kind: 'slot', slot, value },
      control: { change: `the same call as the ABI encodes it`, result: `no value beyond ${type} is stored` },
    },
  }
}

/** Where a function has one `bytes` and otherwise single words. */
const placeOfBytes = ({ inputs }: AbiFunction): number | undefined => {
  const place = inputs.findIndex(({ type }) => type === 'bytes')
  const isSimple = inputs.every(({ type }, at) => at === place || /^(?:u?int\d*|address|bool|bytes\d+)$/.test(type))
  return place >= 0 && isSimple ? place : undefined
}

/** Messages for functions of the contract itself. */
const messagesFor = (chain: Chain, { contract }: Instance, pool: ValuePool): string[] =>
  contract.functions
    .filter(({ isView }) => !isView)
    .slice(0, maxMessages)
    .map((fn) => chain.encode(fn, argumentLists(fn, pool, 1)[0] ?? []))

/** The decoy lies where the standard encoding has the bytes; their offset names the place behind it. */
const smuggled = (fn: AbiFunction, args: readonly AbiValue[], place: number, hidden: string): string => {
  const standard = encodeArguments(fn.inputs, args)
  const tail = encodeArguments([{ name: '', type: 'bytes' }], [hidden]).slice(64)
  return standard.slice(0, 64 * place) + word(BigInt(standard.length / 2)) + standard.slice(64 * (place + 1)) + tail
}

const isSame = (a: Slots, b: Slots): boolean =>
  a.size === b.size && [...a].every(([slot, value]) => b.get(slot) === value)

interface Message {
  readonly args: readonly AbiValue[]
  readonly data: string
  readonly slots: Slots
}

/** What is refused as the ABI encodes it is executed from another place of the calldata. */
const smuggle = async (scene: HuntScene, to: Instance, fn: AbiFunction, place: number): Promise<Catch | undefined> => {
  const { chain, storage } = scene
  const pool = poolOf(scene)
  const first = argumentLists(fn, { ...pool, addresses: [to.address, chain.actors.attacker] }, 1)[0] ?? []
  const granted: Message[] = []
  const refused: Message[] = []
  for (const data of messagesFor(chain, to, pool)) {
    const args = first.map((value, at) => (at === place ? data : value))
    const { outcome, slots } = await runFrom(scene, attackerCall(to, fn, args))
    ;(outcome.ok ? granted : refused).push({ args, data, slots })
  }
  const before = storage.get(to.address) ?? new Map<bigint, bigint>()
  for (const hidden of refused)
    for (const decoy of granted) {
      const data = chain.selector(fn) + smuggled(fn, decoy.args, place, hidden.data)
      const step = { ...attackerCall(to, fn, hidden.args), data }
      const { outcome, slots } = await runFrom(scene, step)
      if (!outcome.ok || isSame(slots, decoy.slots) || isSame(slots, before)) continue
      const changed = [...slots].find(([slot, value]) => decoy.slots.get(slot) !== value && before.get(slot) !== value)
      if (!changed) continue
      const [slot, value] = changed
      return {
        oracle: 'call-smuggled',
        at: to,
        proof: {
          steps: [step],
          status: 'confirmed',
          effects: [],
          harm: `an outsider made ${fn.name}() of ${to.contract.name} check one message and execute another, which it refuses`,
          assertion: { kind: 'slot', slot, value },
          control: { change: 'the same message as the ABI encodes it', result: 'the call is refused' },
        },
      }
    }
  return undefined
}

export const rawCalldata: Hunter = {
  async run(scene, onCatch) {
    for (const to of calledInstances(scene))
      for (const fn of changing(to)) {
        const place = placeOfBytes(fn)
        const found = place === undefined ? undefined : await smuggle(scene, to, fn, place)
        if (found) await onCatch(found)
        for (const at of fn.inputs.keys()) {
          const beyond = await storedBeyondType(scene, to, fn, at)
          if (beyond) await onCatch(beyond)
        }
      }
    scene.chain.restore(scene.base)
  },
}
