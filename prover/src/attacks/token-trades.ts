/** Calls that trade one token for another: each pair of tokens in both directions, also with a token that the attacker made. */
import type { AbiFunction, AbiValue } from '../evm/abi.ts'
import type { Chain } from '../scene/chain.ts'
import { attackerCall, type CallStep, type Instance } from '../scene/step.ts'
import { argumentLists } from '../scene/values.ts'

const maxTokens = 4
const maxFunctions = 12

/** Where a function takes two addresses and an amount. */
const placesOf = ({ inputs }: AbiFunction): [number, number, number] | undefined => {
  const at = (isWanted: (type: string) => boolean) =>
    inputs.flatMap(({ type }, place) => (isWanted(type) ? [place] : []))
  const [from, to] = at((type) => type === 'address')
  const [amount] = at((type) => /^uint(?:256|128)?$/.test(type))
  return from === undefined || to === undefined || amount === undefined ? undefined : [from, to, amount]
}

export const tokenTrades = (chain: Chain, target: Instance): CallStep[] => {
  const tokens = chain.tokens.map(({ instance }) => instance.address).filter((address) => address !== target.address)
  // It answers 1 to every call: to a balance, and to a transfer.
  const made = chain.addressOf('AssayHarmless')
  const pairs = tokens
    .slice(0, maxTokens)
    .flatMap((to) =>
      [...tokens.slice(0, maxTokens), made].filter((from) => from !== to).map((from) => [from, to] as const),
    )
  const halves = chain.tokens.map((token) => chain.tokenBalance(token, target.address) / 2n)
  const amounts = [...new Set([...halves.filter((half) => half > 0n), 1n])]
  const pool = { addresses: [chain.actors.attacker], numbers: [1n] }
  return target.contract.functions
    .filter(({ isView }) => !isView)
    .slice(0, maxFunctions)
    .flatMap((fn) => {
      const places = placesOf(fn)
      const first = argumentLists(fn, pool, 1)[0] ?? []
      if (!places) return []
      return pairs.flatMap((pair) =>
        amounts.map((amount) => attackerCall(target, fn, place(first, places, [...pair, amount]))),
      )
    })
}

const place = (args: readonly AbiValue[], places: readonly number[], values: readonly AbiValue[]): AbiValue[] =>
  args.map((value, at) => values[places.indexOf(at)] ?? value)

/** The same trade the other way round. */
export const reversedTrade = (chain: Chain, call: CallStep): CallStep[] => {
  const places = call.fn ? placesOf(call.fn) : undefined
  if (!places) return []
  const isToken = (address: AbiValue) => chain.tokens.some(({ instance }) => instance.address === address)
  const [from, to] = [call.args[places[0]] as AbiValue, call.args[places[1]] as AbiValue]
  return from !== to && isToken(from) && isToken(to)
    ? [{ ...call, args: place(call.args, places.slice(0, 2), [to, from]) }]
    : []
}
