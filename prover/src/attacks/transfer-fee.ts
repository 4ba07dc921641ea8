/**
 * A contract credits the amount that it requested, and its token keeps a part of every transfer: two people deposit, the first takes out all that is credited,
 * and the second cannot. The control run is the same with a token that keeps nothing.
 */
import type { AbiFunction, AbiValue } from '../evm/abi.ts'
import { ether } from '../scene/chain.ts'
import type { CallStep } from '../scene/step.ts'
import { runSteps } from '../search/explore.ts'
import { type Attack, actorWords, entriesOf, flaggedEvents, type Proof, type Scene } from './attack.ts'

const feeToken = 'AssayFeeToken'
const maxFunctions = 8

/** The token where an address is wanted first, the depositor elsewhere, the same amount everywhere. */
const argumentsOf = ({ chain }: Scene, fn: AbiFunction, actor: 'alice' | 'bob'): AbiValue[] | undefined => {
  const isFitting = fn.inputs.every(({ type }) => type === 'address' || /^uint\d*$/.test(type))
  const token = chain.addressOf(feeToken)
  const first = fn.inputs.findIndex(({ type }) => type === 'address')
  const isTyped =
    /contract /.test(fn.inputs[first]?.internalType ?? '') || /token|asset/i.test(fn.inputs[first]?.name ?? '')
  return isFitting
    ? fn.inputs.map(({ type }, at) => {
        if (type !== 'address') return ether
        return at === first && isTyped ? token : chain.actors[actor]
      })
    : undefined
}

const stepOf = (scene: Scene, fn: AbiFunction, actor: 'alice' | 'bob'): CallStep | undefined => {
  const args = argumentsOf(scene, fn, actor)
  return args && { kind: 'call', actor, via: null, to: scene.target, fn, args, value: 0n }
}

const strike = async (scene: Scene, deposit: AbiFunction, withdraw: AbiFunction): Promise<Proof | undefined> => {
  const { chain, base } = scene
  const steps = [deposit, withdraw].flatMap((fn) =>
    (['alice', 'bob'] as const).map((actor) => stepOf(scene, fn, actor)),
  )
  const calls = steps.filter((step) => step !== undefined)
  if (calls.length < steps.length) return undefined
  const run = await runSteps(chain, base, calls)
  const isStuck = run.outcomes.length === calls.length && !run.outcome.ok
  if (!isStuck || !run.outcomes.some((outcome) => flaggedEvents(scene, outcome).length > 0)) return undefined
  chain.restore(base)
  await chain.machine.setCode(chain.addressOf(feeToken), chain.machine.codeOf(chain.addressOf('AssayToken')))
  const control = await runSteps(chain, chain.snapshot(), calls)
  chain.restore(base)
  if (!control.outcome.ok || control.outcomes.length < calls.length) return undefined
  return {
    steps: calls,
    status: 'confirmed',
    effects: [],
    harm: `the token keeps a tenth of every transfer, the contract credits all of it, and ${actorWords.bob} cannot withdraw the deposit`,
    control: {
      change: 'the same calls with a token that keeps nothing',
      result: `${actorWords.bob} withdraws the whole deposit`,
    },
    assertion: { kind: 'blocked' },
  }
}

export const transferFee: Attack = {
  detectors: ['fee-on-transfer-assumption'],
  tries: 'two deposits and two withdrawals of a token with a transfer fee',
  isUnused: true,
  withoutForcedEther: true,
  token: feeToken,
  async run(scene) {
    const isTaken = (fn: AbiFunction | null): fn is AbiFunction => fn !== null && !fn.isView && !fn.isPayable
    const deposits = entriesOf(scene).filter(isTaken)
    const withdrawals = scene.target.contract.functions.filter(isTaken).slice(0, maxFunctions)
    for (const deposit of deposits)
      for (const withdraw of withdrawals) {
        const proof = deposit === withdraw ? undefined : await strike(scene, deposit, withdraw)
        if (proof) return proof
      }
    return undefined
  },
}
