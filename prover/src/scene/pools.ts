/**
 * Pools that no parameter names by its type: a pair at an address that the contract computes from its factory and its tokens, and an account whose
 * ether and tokens the contract compares, which makes a price of them. Both show when the functions are called.
 */
import { hasInstruction } from '../evm/instructions.ts'
import type { Outcome } from '../evm/machine.ts'
import { calleeOf, op } from '../evm/trace.ts'
import { type Chain, ether } from './chain.ts'
import { openMarket } from './protocols.ts'
import type { DeployStep, Instance } from './step.ts'
import { balanceSlot } from './token.ts'
import { argumentLists } from './values.ts'

const maxProbes = 16
const pairFunctions = ['getReserves', 'slot0']

/** Every function called once, and nothing left of it; views first, they ask for prices and want no payment. */
const probe = async function* (chain: Chain, target: Instance): AsyncGenerator<Outcome> {
  const { functions } = target.contract
  const pool = { addresses: [chain.actors.alice], numbers: [ether] }
  const ordered = [...functions.filter(({ isView }) => isView), ...functions.filter(({ isView }) => !isView)]
  for (const fn of ordered.filter(({ inputs }) => inputs.length > 0).slice(0, maxProbes)) {
    const args = argumentLists(fn, pool, 1)[0] ?? []
    const value = fn.isPayable ? ether : 0n
    yield await chain.peek({ kind: 'call', actor: 'alice', via: null, to: target, fn, args, value })
  }
}

/** A pair is opened where the contract asks for one and nothing stands. */
export const openComputedMarket = async (chain: Chain, target: Instance): Promise<void> => {
  const declared = chain.compilation.contracts.flatMap(({ functions }) => functions)
  const selectors = declared.filter(({ name }) => pairFunctions.includes(name)).map((fn) => chain.selector(fn))
  const isKnown = chain.prologue.some((step) => step.kind === 'call' && step.to.name === 'AssayMarket')
  if (selectors.length === 0 || isKnown) return
  const place = await placeOfPair(chain, target, new Set(selectors))
  if (!place) return
  await chain.placeStandIn('AssayMarket', place)
  await openMarket(chain)
}

const placeOfPair = async (
  chain: Chain,
  target: Instance,
  selectors: ReadonlySet<string>,
): Promise<string | undefined> => {
  chain.machine.notesSelectors = true
  try {
    for await (const { trace } of probe(chain, target)) {
      const read = trace.find(
        (event) =>
          event.address === target.address &&
          selectors.has(event.selector ?? '') &&
          chain.machine.codeOf(calleeOf(event)).length === 0,
      )
      if (read) return calleeOf(read)
    }
    return undefined
  } finally {
    chain.machine.notesSelectors = false
  }
}

const balance = op.BALANCE
export interface PricedAccount {
  /** Of the constructor's parameters: those that name it. */
  readonly places: readonly number[]
  /** Its place among the tokens of the scene. */
  readonly token: number
}

/** An account that the constructor was given, and whose ether and tokens one function reads. */
export const findPricedAccount = async (
  chain: Chain,
  { instance, args }: DeployStep,
): Promise<PricedAccount | undefined> => {
  const { constructorTypes, addressTypes } = instance.contract
  // What the code makes a contract of is known.
  const isOpen = (at: number) => /^address/.test(constructorTypes[at] ?? '') && !addressTypes['']?.[at]?.length
  const accounts = args.filter((value, at): value is string => typeof value === 'string' && isOpen(at))
  if (accounts.length === 0 || !hasInstruction(chain.machine.codeOf(instance.address), new Set([balance])))
    return undefined
  for await (const { trace } of probe(chain, instance))
    for (const account of accounts) {
      const isRead = trace.some(
        (event) => event.op === balance && event.address === instance.address && event.stack[0] === BigInt(account),
      )
      const token = chain.tokens.findIndex(({ instance: { address }, slot, isUnique }) => {
        const place = balanceSlot(chain.machine, slot, account)
        return (
          !isUnique && trace.some((each) => each.op === op.SLOAD && each.address === address && each.stack[0] === place)
        )
      })
      const places = args.flatMap((value, at) => (value === account && isOpen(at) ? [at] : []))
      if (isRead && token >= 0) return { places, token }
    }
  return undefined
}
