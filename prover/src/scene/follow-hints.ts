/** What the project's own tests and scripts say about its deployment: constructor arguments, and calls that set a contract up. */
import type { HintValue } from '@assay/engine'
import type { CompiledContract } from '../compile/compilation.ts'
import type { AbiFunction, AbiValue } from '../evm/abi.ts'
import type { Chain } from './chain.ts'
import type { CallStep } from './step.ts'
import { argumentLists } from './values.ts'

const maxLists = 3
const maxCalls = 12

const fits = (type: string, value: HintValue): boolean => {
  if (typeof value === 'bigint') return /^u?int\d*$/.test(type)
  if (typeof value === 'boolean') return type === 'bool'
  return typeof value === 'string' && type === 'string'
}

/** What a hint leaves open is as it would be without it. */
const filled = ({ inputs }: AbiFunction, given: readonly HintValue[], open: readonly AbiValue[]): AbiValue[] =>
  inputs.map(({ type }, at) => {
    const value = given[at] ?? null
    return value !== null && fits(type, value) ? value : (open[at] as AbiValue)
  })

/** Arguments with which the project deploys the contract. */
export const hintedLists = (
  { hints }: Chain,
  contract: Pick<CompiledContract, 'name'>,
  constructorAbi: AbiFunction,
  open: readonly AbiValue[],
): AbiValue[][] =>
  hints
    .filter(
      ({ contract: name, function: fn, args }) =>
        name === contract.name && fn === null && args.length === constructorAbi.inputs.length,
    )
    .slice(0, maxLists)
    .map(({ args }) => filled(constructorAbi, args, open))

/** The owner makes the calls with which the project sets up what it deployed; those that fail are left out. */
export const followHints = async (chain: Chain): Promise<void> => {
  const { owner, alice } = chain.actors
  let calls = 0
  for (const { contract, function: name, args: given } of chain.hints) {
    const to = chain.instances.find((each) => each.contract.name === contract)
    const fn = to?.contract.functions.find(
      (each) => each.name === name && !each.isView && each.inputs.length === given.length,
    )
    if (!to || !fn || calls++ >= maxCalls) continue
    const open = argumentLists(fn, { addresses: [owner, alice], numbers: [1n] }, 1)[0] ?? []
    const args = filled(fn, given, open)
    const step: CallStep = { kind: 'call', actor: 'owner', via: null, to, fn, args, value: 0n }
    const before = chain.snapshot()
    if ((await chain.perform(step)).ok) chain.prologue.push(step)
    else chain.restore(before)
  }
}
