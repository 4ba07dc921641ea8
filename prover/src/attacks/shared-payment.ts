/**
 * One payment for several: a call that checks `msg.value` for each element of a list, or each turn of a loop, is made for three at once with the
 * price of one. The control makes the three one after another: each costs the price, a lower payment is refused, and the contract ends in the
 * same state, so nothing but the payment differs.
 */
import type { AbiParameter, AbiValue } from '../evm/abi.ts'
import type { Snapshot } from '../evm/machine.ts'
import { ether } from '../scene/chain.ts'
import type { CallStep, Step } from '../scene/step.ts'
import { partOf } from '../search/budget.ts'
import { type Attempt, explore, runSteps } from '../search/explore.ts'
import {
  type Attack,
  attackerPool,
  entriesOf,
  flaggedEvents,
  formatEther,
  nameOfCall,
  type Proof,
  type Scene,
} from './attack.ts'
import { firstHarm } from './prefer-harm.ts'
import { searchTheft } from './theft.ts'

const count = 3

/** The same call for several at once, and for each of them alone. */
interface Split {
  readonly together: CallStep
  readonly apart: readonly CallStep[]
}

const withArgs = (step: CallStep, args: readonly AbiValue[]): CallStep => ({ ...step, args })

/** A number of pieces, or lists with one element: several of them, equal or each another. */
const splitsOf = ({ chain }: Pick<Scene, 'chain'>, step: CallStep): Split[] => {
  const { attacker, alice, bob } = chain.actors
  const pieces = step.args.flatMap((value, place) =>
    value === 1n
      ? [
          {
            together: withArgs(step, step.args.with(place, BigInt(count))),
            apart: Array.from({ length: count }, () => step),
          },
        ]
      : [],
  )
  const isList = (value: AbiValue): value is readonly AbiValue[] => Array.isArray(value)
  if (!step.args.some((value) => isList(value) && value.length === 1)) return pieces
  const elements = (value: AbiValue): readonly AbiValue[] => {
    if (typeof value === 'bigint') return [value, value + 1n, value + 2n]
    return typeof value === 'string' && value.length === attacker.length
      ? [attacker, alice, bob]
      : [value, value, value]
  }
  const equal = (value: AbiValue): readonly AbiValue[] => [value, value, value]
  const split = (others: (value: AbiValue) => readonly AbiValue[]): Split => ({
    together: withArgs(
      step,
      step.args.map((value) => (isList(value) && value.length === 1 ? others(value[0] as AbiValue) : value)),
    ),
    apart: Array.from({ length: count }, (_, turn) =>
      withArgs(
        step,
        step.args.map((value) =>
          isList(value) && value.length === 1 ? [others(value[0] as AbiValue)[turn] as AbiValue] : value,
        ),
      ),
    ),
  })
  return [...pieces, split(elements), split(equal)]
}

/** What each contract of the scene remembers. */
const stateOf = ({ chain }: Scene): string =>
  chain.instances
    .map(({ address }) =>
      [...chain.machine.storageOf(address)]
        .filter(([, word]) => word !== 0n)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .join(),
    )
    .join(' ')

/** Half of it is refused, so it is a price and not a gift. */
const isPrice = async ({ chain }: Scene, from: Snapshot, step: CallStep): Promise<boolean> => {
  chain.restore(from)
  return !(await chain.perform({ ...step, value: step.value / 2n })).ok
}

const paidOnce = async (scene: Scene, { steps, outcome }: Attempt): Promise<Proof | undefined> => {
  const { chain, base, target } = scene
  const [head, last] = [steps.slice(0, -1), steps.at(-1)]
  if (!outcome.ok || last?.kind !== 'call' || last.value < 2n) return undefined
  for (const { together, apart } of splitsOf(scene, last)) {
    const attack = await runSteps(chain, base, [...head, together])
    if (!attack.outcome.ok || flaggedEvents(scene, attack.outcome).length === 0) continue
    const state = stateOf(scene)
    const control = await runSteps(chain, base, [...head, ...apart])
    const isSame =
      control.outcome.ok && control.outcomes.length === steps.length - 1 + count && stateOf(scene) === state
    const wasFree = isSame && !(await isPrice(scene, await before(scene, head), last))
    chain.restore(base)
    if (!isSame || wasFree) continue
    const lost = BigInt(count - 1) * last.value
    return {
      steps: [...head, together],
      status: 'confirmed',
      effects: [],
      harm: `${nameOfCall(last.fn)} granted ${count} for the payment of one: ${target.contract.name} received ${formatEther(lost)} less than their price`,
      control: {
        change: 'the same, one after another',
        result: `each costs ${formatEther(last.value)}, and the contract ends in the same state; half of that is refused`,
      },
      assertion: { kind: 'succeeds' },
    }
  }
  return undefined
}

const before = async ({ chain, base }: Scene, head: readonly Step[]): Promise<Snapshot> => {
  chain.restore(base)
  for (const step of head) await chain.perform(step)
  return chain.snapshot()
}

/** Several for the payment of one, found by calls for one; then whatever else an outsider may take. */
export const sharedPayment: Attack = {
  detectors: ['msg-value-in-loop', 'delegatecall-in-loop'],
  tries: 'one payment for several, and calls of an outsider that take assets of others',
  run: (scene) =>
    firstHarm([
      () =>
        explore<Proof>(
          scene.chain,
          {
            target: scene.target,
            entries: entriesOf(scene).filter((fn) => fn?.isPayable && fn.inputs.some(isForSeveral)),
            caller: { actor: 'attacker', via: null },
            pool: { ...attackerPool(scene), numbers: [1n, 0n, 2n] },
            values: [ether],
            accept: (attempt) => paidOnce(scene, attempt),
          },
          partOf(scene.budget, 2),
        ),
      () => searchTheft(scene, {}),
    ]),
}

/** A number of pieces, or a list of them. */
const isForSeveral = ({ type }: AbiParameter): boolean => /^uint\d*$|\[\]$/.test(type)
