/** Tokens of the scene: which of the deployed contracts are some, and where they keep what each account has. */
import { type AbiFunction, bytesToWord, hexToBytes } from '../evm/abi.ts'
import { op } from '../evm/trace.ts'
import type { Chain } from './chain.ts'
import type { Instance } from './step.ts'

export interface Token {
  readonly instance: Instance
  /** Of the mapping from accounts to balances. */
  readonly slot: bigint
}

const maxSlots = 64n

const isView = ({ name, inputs }: AbiFunction): boolean =>
  name === 'balanceOf' && inputs.length === 1 && inputs[0]?.type === 'address'

/** By its interface: balances, and a way to transfer them. */
export const looksLikeToken = ({ functions }: Pick<Instance['contract'], 'functions'>): boolean =>
  functions.some(isView) &&
  functions.some(
    ({ name, inputs }) =>
      name === 'transfer' && inputs.map(({ type }) => type).join() === 'address,uint256' && inputs.length === 2,
  )

/** The place of an account's balance in a mapping. */
export const balanceSlot = (chain: Chain, slot: bigint, account: string): bigint =>
  BigInt(chain.machine.keccak(`0x${account.slice(2).padStart(64, '0')}${slot.toString(16).padStart(64, '0')}`))

/**
 * Asks the contract for a balance and sees which slot it reads. Undefined: it computes balances in another way (shares, rebases), and is not counted.
 */
export const findToken = async (chain: Chain, instance: Instance): Promise<Token | undefined> => {
  const fn = instance.contract.functions.find(isView)
  if (!fn || !looksLikeToken(instance.contract)) return undefined
  const account = chain.actors.owner
  const outcome = await chain.peek({
    kind: 'call',
    actor: 'owner',
    via: null,
    to: instance,
    fn,
    args: [account],
    value: 0n,
  })
  const reads = outcome.trace.filter((event) => event.op === op.SLOAD && event.address === instance.address)
  const read = reads.at(-1)
  if (!outcome.ok || !read || read.result !== bytesToWord(hexToBytes(outcome.returned))) return undefined
  for (let slot = 0n; slot < maxSlots; slot++)
    if (balanceSlot(chain, slot, account) === read.stack[0]) return { instance, slot }
  return undefined
}
