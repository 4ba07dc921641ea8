/** A second deployment of the target, set up and used by the same calls: what is signed for one may hold for the other. */
import type { AbiValue } from '../evm/abi.ts'
import type { Chain } from './chain.ts'
import type { CallStep, Instance, Step } from './step.ts'

export const deployTwin = async (chain: Chain, target: Instance): Promise<Instance | undefined> => {
  const steps = [...chain.prologue]
  const first = steps.findIndex((step) => step.kind === 'deploy' && step.instance.address === target.address)
  const deployed = steps[first]
  if (deployed?.kind !== 'deploy') return undefined
  const { step } = await chain.deploy(deployed.instance.contract, deployed.args, deployed.value)
  if (!step) return undefined
  const twin = step.instance
  chain.instances.push(twin)
  chain.prologue.push(step)
  const token = chain.tokens.find(({ instance }) => instance.address === target.address)
  if (token) chain.tokens.push({ ...token, instance: twin })
  for (const each of steps.slice(first + 1)) {
    const same = forTwin(each, target, twin)
    const before = chain.snapshot()
    if (!same) continue
    if ((await chain.perform(same)).ok) chain.prologue.push(same)
    else chain.restore(before)
  }
  return twin
}

/** The deployment beside an instance. */
export const twinOf = ({ instances }: Chain, { address, contract }: Instance): Instance | undefined =>
  instances.find((each) => each.address !== address && each.contract === contract)

/** The same call of the twin, or about it; nothing where the step concerns others. */
export const forTwin = (step: Step, { address }: Instance, twin: Instance): CallStep | undefined => {
  if (step.kind !== 'call') return undefined
  const put = (value: AbiValue): AbiValue => {
    if (Array.isArray(value)) return value.map(put)
    return value === address ? twin.address : value
  }
  const isNamed = (value: AbiValue): boolean => (Array.isArray(value) ? value.some(isNamed) : value === address)
  if (step.to.address === address) return { ...step, to: twin, args: step.args.map(put) }
  return step.args.some(isNamed) ? { ...step, args: step.args.map(put) } : undefined
}
