/** Tokens of the scene: which of the deployed contracts are some, and where they keep what each account has. */
import { type AbiFunction, bytesToWord, hexToBytes } from '../evm/abi.ts'
import { op } from '../evm/trace.ts'
import type { Chain } from './chain.ts'
import type { Instance } from './step.ts'
import { balanceSlot, type Token } from './token.ts'

const maxSlots = 64n

const isView = ({ name, inputs }: AbiFunction): boolean =>
  name === 'balanceOf' && inputs.length === 1 && inputs[0]?.type === 'address'

/** By its interface: balances, and a way to transfer them, also from an account that is named. */
export const looksLikeToken = ({ functions }: Pick<Instance['contract'], 'functions'>): boolean =>
  functions.some(isView) &&
  functions.some(
    ({ name, inputs }) =>
      name === 'transfer' && /^(?:address,){1,2}uint256$/.test(inputs.map(({ type }) => type).join()),
  )

/** By its interface: each of its tokens has one owner, and accounts have a number of them. */
export const looksLikeNft = ({ functions }: Pick<Instance['contract'], 'functions'>): boolean =>
  functions.some(isView) &&
  functions.some(({ name, inputs }) => name === 'ownerOf' && inputs.length === 1 && inputs[0]?.type === 'uint256') &&
  functions.some(({ name, inputs }) => name === 'transferFrom' && inputs.length === 3)

/** What people own beside ether. */
export const looksLikeAsset = (contract: Pick<Instance['contract'], 'functions'>): boolean =>
  looksLikeToken(contract) || looksLikeNft(contract)

/**
 * Asks the contract for a balance and sees which slot it reads. Undefined: it computes balances in another way (shares, rebases), and is not counted.
 */
export const findToken = async (chain: Chain, instance: Instance): Promise<Token | undefined> => {
  const fn = instance.contract.functions.find(isView)
  if (!fn || !looksLikeAsset(instance.contract)) return undefined
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
    if (balanceSlot(chain.machine, slot, account) === read.stack[0])
      return { instance, slot, isUnique: looksLikeNft(instance.contract) }
  return undefined
}
