/** People own tokens that each are one of a kind (ERC-721), let the contract move them, and offer or deposit some where it takes any. */
import type { AbiFunction, AbiParameter, AbiValue } from '../evm/abi.ts'
import { calleeOf, callOps } from '../evm/trace.ts'
import { adjust } from '../search/feedback.ts'
import { type Chain, ether } from './chain.ts'
import type { Actor, CallStep, Instance } from './step.ts'
import type { Token } from './token.ts'
import { argumentLists } from './values.ts'

const receivers = ['alice', 'bob', 'attacker'] as const
/** Numbers that tokens of a scene have: those that were created first. */
const firstIds: readonly bigint[] = [0n, 1n, 2n, 3n, 4n, 5n]
const mintName = /^_?(?:safe)?mint(?:To)?$/i
const maxOfferFunctions = 6
const maxOfferTries = 6

/** The owner creates one for each, or gives away those that the owner has; the contract may move them. */
export const handOutNfts = async (chain: Chain, { instance }: Token, target: Instance): Promise<void> => {
  for (const [at, who] of receivers.entries()) await mint(chain, instance, chain.actors[who], BigInt(at + 1))
  for (const who of receivers.slice(0, 2)) {
    const [own] = await idsOf(chain, instance, who)
    const [spare] = own === undefined ? await idsOf(chain, instance, 'owner') : []
    const args = [chain.actors.owner, chain.actors[who], spare ?? 0n]
    if (spare !== undefined) await play(chain, instance, 'owner', 'transferFrom', args)
  }
  if (instance.address === target.address) return
  for (const who of receivers) await play(chain, instance, who, 'setApprovalForAll', [target.address, true])
}

const mint = async (chain: Chain, nft: Instance, to: string, id: bigint): Promise<void> => {
  for (const fn of nft.contract.functions.filter(({ name }) => mintName.test(name))) {
    const types = fn.inputs.map(({ type }) => type).join()
    const args = types === 'address' ? [to] : types === 'address,uint256' ? [to, id] : undefined
    if (args && (await keep(chain, { kind: 'call', actor: 'owner', via: null, to: nft, fn, args, value: 0n }))) return
  }
}

const idsOf = async (chain: Chain, nft: Instance, who: Actor): Promise<bigint[]> => {
  const fn = nft.contract.functions.find(({ name, inputs }) => name === 'ownerOf' && inputs.length === 1)
  const ids: bigint[] = []
  for (const id of fn ? firstIds : []) {
    const step: CallStep = { kind: 'call', actor: who, via: null, to: nft, fn: fn ?? null, args: [id], value: 0n }
    const { ok, returned } = await chain.peek(step)
    if (ok && returned.length === 66 && BigInt(returned) === BigInt(chain.actors[who])) ids.push(id)
  }
  return ids
}

/** Alice and Bob hand their tokens to whatever asks the token about them; answers how many calls were accepted. */
export const offerNfts = async (chain: Chain, target: Instance): Promise<number> => {
  let offered = 0
  for (const { instance, isUnique } of chain.tokens) {
    if (!isUnique || instance.address === target.address) continue
    for (const who of ['alice', 'bob'] as const)
      for (const fn of offerCandidates(target)) {
        const [id] = await idsOf(chain, instance, who)
        if (id !== undefined && (await offer(chain, offerSteps(chain, target, fn, { who, id }), instance))) offered++
      }
  }
  return offered
}

const isNumber = ({ type }: AbiParameter): boolean => /^uint\d*(?:\[\])?$/.test(type)

const offerCandidates = ({ contract }: Instance): AbiFunction[] =>
  contract.functions
    .filter(({ isView, isPayable, inputs }) => !isView && !isPayable && inputs.some(isNumber))
    .slice(0, maxOfferFunctions)

/** One number is that of the token, the others are a price or an amount. */
const offerSteps = (
  chain: Chain,
  target: Instance,
  fn: AbiFunction,
  { who, id }: { readonly who: Actor; readonly id: bigint },
): CallStep[] => {
  const first = argumentLists(fn, { addresses: [chain.actors[who]], numbers: [ether] }, 1)[0] ?? []
  const put = (value: AbiValue): AbiValue => (Array.isArray(value) ? [id] : id)
  return fn.inputs.flatMap((input, place) => {
    if (!isNumber(input)) return []
    const args = first.map((value, at) => (at === place ? put(value) : value))
    return [{ kind: 'call' as const, actor: who, via: null, to: target, fn, args, value: 0n }]
  })
}

/** Kept when the contract called the token and wrote something down. */
const offer = async (chain: Chain, steps: readonly CallStep[], nft: Instance): Promise<boolean> => {
  const queue = [...steps]
  for (let tries = 0; tries < maxOfferTries; tries++) {
    const step = queue.shift()
    if (!step) return false
    const [before, written] = [chain.snapshot(), chain.machine.storageOf(step.to.address)]
    const outcome = await chain.perform(step)
    const isUsed = outcome.trace.some(
      (event) => event.address === step.to.address && callOps.has(event.op) && calleeOf(event) === nft.address,
    )
    const now = chain.machine.storageOf(step.to.address)
    if (
      outcome.ok &&
      isUsed &&
      (now.size > written.size || [...now].some(([slot, word]) => written.get(slot) !== word))
    ) {
      chain.prologue.push(step)
      return true
    }
    chain.restore(before)
    const learned = isUsed && !outcome.ok ? adjust(step, outcome, chain).slice(0, 2) : []
    for (const [call, ...rest] of learned) if (call?.kind === 'call' && rest.length === 0) queue.push(call)
  }
  return false
}

const play = (chain: Chain, to: Instance, actor: Actor, name: string, args: readonly AbiValue[]): Promise<boolean> => {
  const fn = to.contract.functions.find((each) => each.name === name && each.inputs.length === args.length)
  return fn ? keep(chain, { kind: 'call', actor, via: null, to, fn, args, value: 0n }) : Promise.resolve(false)
}

const keep = async (chain: Chain, step: CallStep): Promise<boolean> => {
  const before = chain.snapshot()
  const { ok } = await chain.perform(step)
  if (ok) chain.prologue.push(step)
  else chain.restore(before)
  return ok
}
