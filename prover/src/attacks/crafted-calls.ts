/** Calls that no variation of one argument reaches: a chosen message to a chosen contract, an element listed twice, an amount of nothing. */
import type { AbiFunction, AbiValue } from '../evm/abi.ts'
import { comparisonOps } from '../evm/trace.ts'
import { type Chain, ether } from '../scene/chain.ts'
import { attackerCall, type Instance, type Step } from '../scene/step.ts'
import { argumentLists } from '../scene/values.ts'
import { adjust, branchesOf } from '../search/feedback.ts'
import { attackerPool, entriesOf, type Scene } from './attack.ts'

const maxCrafted = 60

export const functionOf = ({ contract }: Instance, name: string, count: number): AbiFunction | undefined =>
  contract.functions.find((fn) => fn.name === name && fn.inputs.length === count)

/** Messages to the tokens of the scene that pay the attacker when the contract sends them, or the contract when it hands on what it was paid. */
const hostileMessages = ({ chain, target }: Scene): { readonly to: Instance; readonly data: string }[] =>
  chain.tokens.flatMap((token) => {
    const { instance } = token
    const { attacker, alice } = chain.actors
    const most = (who: string): bigint => chain.tokenBalance(token, who) || ether
    const messages: [string, AbiValue[]][] = [
      ['transfer', [attacker, most(target.address)]],
      ['approve', [attacker, 1n << 200n]],
      ['transferFrom', [alice, attacker, most(alice)]],
      ['transferFrom', [target.address, attacker, most(target.address)]],
      ['transferFrom', [alice, target.address, most(alice)]],
    ]
    return messages.flatMap(([name, args]) => {
      const fn = functionOf(instance, name, args.length)
      return fn ? [{ to: instance, data: chain.encode(fn, args) }] : []
    })
  })

const maxDeadlines = 12

/** Arguments of nothing, with a moment to come where the function compares one of them with the time. */
const leastArguments = async (
  { chain, target }: Scene,
  fn: AbiFunction,
  args: readonly AbiValue[],
): Promise<readonly AbiValue[]> => {
  const step = attackerCall(target, fn, args)
  const refused = await chain.peek(step)
  const { timestamp } = chain.machine.block
  const isLate = refused.trace.findLast(({ op }) => comparisonOps.has(op))?.stack.includes(timestamp)
  if (refused.ok || !isLate) return args
  const known = new Set(branchesOf(refused, target.address))
  const later = adjust(step, refused, chain).flatMap(([only, ...rest]) =>
    only?.kind === 'call' && rest.length === 0 ? [only] : [],
  )
  for (const variant of later.slice(0, maxDeadlines)) {
    const outcome = await chain.peek({ ...variant, value: 0n })
    if (branchesOf(outcome, target.address).some((branch) => !known.has(branch))) return variant.args
  }
  return args
}

export const crafted = async (scene: Scene): Promise<Step[][]> => {
  const { chain, target } = scene
  const { attacker } = chain.actors
  const base = attackerPool(scene)
  const first = (fn: AbiFunction, numbers: readonly bigint[]): AbiValue[] =>
    argumentLists(fn, { ...base, addresses: [attacker, ...base.addresses], numbers }, 1)[0] ?? []
  const steps: Step[][] = []
  for (const fn of entriesOf(scene)) {
    if (!fn) continue
    const has = (type: string) => fn.inputs.some((input) => input.type === type)
    const isSender = has('bytes') && has('address')
    const least = isSender ? await leastArguments(scene, fn, first(fn, [0n])) : []
    const calls = isSender
      ? hostileMessages(scene).flatMap(({ to, data }) =>
          fn.inputs.flatMap(({ type }, place) => {
            if (type !== 'address') return []
            const message = least.map((value, at) => {
              if (at === place) return to.address
              return fn.inputs[at]?.type === 'bytes' ? data : value
            })
            return [message]
          }),
        )
      : []
    const lists = fn.inputs.some(({ type }) => type.endsWith('[]'))
      ? repeatable(scene).flatMap((item) => [4, 2].map((times) => withLists(fn, first(fn, [ether, 1n]), item, times)))
      : []
    const values = fn.isPayable ? [0n, ether] : [0n]
    for (const args of [...calls, ...lists])
      for (const value of values) steps.push([attackerCall(target, fn, args, value)])
  }
  return steps.slice(0, maxCrafted)
}

/** Addresses of the attacker, and numbers that the contract counts with: the next of a row is the attacker's own. */
const repeatable = ({ chain, target }: Scene): AbiValue[] => {
  return [chain.actors.attacker, ...countedNumbers(chain, target).slice(0, 8), 0n, 1n]
}

/** Around small numbers of the storage, such as the next id. */
export const countedNumbers = (chain: Chain, { address }: Instance): bigint[] => {
  const small = [...chain.machine.storageOf(address).values()].filter((value) => value < 1_000_000n)
  return [...new Set(small.flatMap((value) => [value, value + 1n, value - 1n]))].filter((value) => value >= 0n)
}

const withLists = (fn: AbiFunction, args: readonly AbiValue[], item: AbiValue, times: number): AbiValue[] =>
  args.map((value, at) => {
    const element = /^(.*)\[\]$/.exec(fn.inputs[at]?.type ?? '')?.[1]
    const fits =
      element === 'address' ? typeof item === 'string' : /^uint/.test(element ?? '') && typeof item === 'bigint'
    return element && fits ? Array.from({ length: times }, () => item) : value
  })
