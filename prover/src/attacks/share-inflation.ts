/**
 * The first depositor of a vault deposits the least there is, and gives the vault assets that buy no shares: the next depositor's shares are
 * rounded down to nothing, and the first one redeems everything.
 */
import type { AbiFunction, AbiValue } from '../evm/abi.ts'
import { gainOf } from '../scene/assets.ts'
import { ether } from '../scene/chain.ts'
import type { Actor, CallStep, Instance, Step } from '../scene/step.ts'
import { runSteps } from '../search/explore.ts'
import { type Attack, actorWords, changeWords, formatChange, gainAssertion, type Proof, type Scene } from './attack.ts'

const donation = 10n * ether
const maxFunctions = 6

/** The amount first, and everywhere else the account itself. */
const argumentsOf = (fn: AbiFunction, amount: bigint, account: string): AbiValue[] | undefined => {
  const isFitting = fn.inputs.every(({ type }) => type === 'uint256' || type === 'address')
  return isFitting && fn.inputs[0]?.type === 'uint256'
    ? fn.inputs.map(({ type }) => (type === 'address' ? account : amount))
    : undefined
}

const attempt = (scene: Scene, actor: Actor, fn: AbiFunction, amount: bigint): CallStep | undefined => {
  const args = argumentsOf(fn, amount, scene.chain.actors[actor])
  return args && { kind: 'call', actor, via: null, to: scene.target, fn, args, value: 0n }
}

const candidatesOf = ({ target }: Scene): AbiFunction[] =>
  target.contract.functions.filter(({ isView, isPayable, inputs }) => !isView && !isPayable && inputs.length > 0)

interface Plan {
  readonly deposit: AbiFunction
  readonly redeem: AbiFunction
  readonly token: Instance
}

const stepsOf = (scene: Scene, { deposit, redeem, token }: Plan, withDonation: boolean): Step[] | undefined => {
  const transfer = token.contract.functions.find(({ name, inputs }) => name === 'transfer' && inputs.length === 2)
  const first = attempt(scene, 'attacker', deposit, 1n)
  const victim = attempt(scene, 'alice', deposit, donation)
  const last = attempt(scene, 'attacker', redeem, 1n)
  if (!transfer || !first || !victim || !last) return undefined
  const args = [scene.target.address, donation]
  const gift: CallStep = { kind: 'call', actor: 'attacker', via: null, to: token, fn: transfer, args, value: 0n }
  return [first, ...(withDonation ? [gift] : []), victim, last]
}

const strike = async (scene: Scene, plan: Plan): Promise<Proof | undefined> => {
  const { chain, base } = scene
  const steps = stepsOf(scene, plan, true)
  const honest = stepsOf(scene, plan, false)
  if (!steps || !honest) return undefined
  const { outcome, outcomes } = await runSteps(chain, base, steps)
  const after = chain.loot()
  const control = await runSteps(chain, base, honest)
  const without = chain.loot()
  chain.restore(base)
  const start = chain.loot()
  const gain = gainOf(after, start)
  if (!outcome.ok || outcomes.length < steps.length || !gain || gainOf(without, start) || !control.outcome.ok)
    return undefined
  return {
    steps,
    status: 'confirmed',
    effects: [],
    harm: `the deposit of ${actorWords.alice} bought no shares, and the first depositor redeemed it: ${formatChange(scene, gain)} gained`,
    control: {
      change: 'the same calls without the donation',
      result: changeWords(scene, without, start, gain.asset),
    },
    assertion: gainAssertion(scene, gain),
  }
}

export const shareInflation: Attack = {
  detectors: ['vault-share-inflation'],
  tries: 'a first deposit of 1, a donation, and a deposit that is rounded down',
  isUnused: true,
  withoutForcedEther: true,
  async run(scene) {
    const candidates = candidatesOf(scene).slice(0, 2 * maxFunctions)
    for (const { instance: token } of scene.chain.tokens)
      for (const deposit of candidates)
        for (const redeem of candidates) {
          const proof =
            deposit !== redeem && scene.budget.spend() ? await strike(scene, { deposit, redeem, token }) : undefined
          if (proof) return proof
        }
    return undefined
  },
}
