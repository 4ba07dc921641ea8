/** Two honest people pay in by every way that takes ether or tokens, so that there is something to steal. */
import type { AbiFunction } from '../evm/abi.ts'
import type { Outcome, Snapshot } from '../evm/machine.ts'
import { calleeOf, op } from '../evm/trace.ts'
import { adjust } from '../search/feedback.ts'
import { type Chain, ether } from './chain.ts'
import { approveFor, depositTokens, fundTokens } from './fund-tokens.ts'
import { offerNfts } from './nfts.ts'
import { type Openings, openForUse } from './open-for-use.ts'
import { initialize } from './owner-calls.ts'
import { mark, rewind } from './rewind.ts'
import type { Actor, CallStep, Instance, Step } from './step.ts'
import { looksLikeAsset } from './tokens.ts'
import { argumentLists } from './values.ts'

export interface Use {
  readonly use: number
  /** Of tokens. */
  readonly deposits: number
}

const enough = 100n * ether
/** A contract that holds an ether or more beats one with a few more slots written: there is something to gain. */
const worthStealing = 4
const maxDepositFunctions = 6

/** Two people pay in by every way that takes ether, or tokens; answers how much came of it: ways that took any, and what was written down. */
export const useHonestly = async (
  chain: Chain,
  target: Instance,
  openings: Openings | null,
): Promise<Use & { isLively: boolean }> => {
  await fundTokens(chain, target)
  if (!openings) return { use: chain.machine.storageOf(target.address).size, deposits: 0, isLively: true }
  return payIntoAll(chain, target, openings)
}

/** The contracts that the target was made to know are used honestly too. */
export const usePartners = async (chain: Chain, target: Instance): Promise<void> => {
  for (const partner of chain.instances) {
    if (partner.address === target.address || looksLikeAsset(partner.contract)) continue
    // Behind a proxy it is the proxy's state that is set up and used, not the implementation's.
    if (await isImplementation(chain, target, partner)) continue
    await initialize(chain, partner)
    await approveFor(chain, partner)
    await payIntoAll(chain, partner, { left: 0 })
  }
}

/** Calls that a contract does not know go to another one by delegatecall. */
const isImplementation = async (chain: Chain, target: Instance, { address, contract }: Instance): Promise<boolean> => {
  const fn = contract.functions.find(({ isView, inputs }) => isView && inputs.length === 0) ?? contract.functions[0]
  if (!target.contract.hasFallback || !fn) return false
  const args = argumentLists(fn, { addresses: [chain.actors.owner], numbers: [1n] }, 1)[0] ?? []
  const { trace } = await chain.peek({ kind: 'call', actor: 'alice', via: null, to: target, fn, args, value: 0n })
  return trace.some(
    (event) => event.address === target.address && event.op === op.DELEGATECALL && calleeOf(event) === address,
  )
}

const payIntoAll = async (chain: Chain, target: Instance, openings: Openings): Promise<Use & { isLively: boolean }> => {
  const { contract } = target
  const paid = new Set<AbiFunction | null>()
  const held = (): bigint => chain.machine.balanceOf(target.address)
  const entries = [...(contract.acceptsEther ? [null] : []), ...contract.functions.filter(({ isPayable }) => isPayable)]
  for (const actor of ['alice', 'bob', 'alice', 'bob'] as const) {
    for (const fn of entries.slice(0, maxDepositFunctions))
      if (held() < enough && (await payAny(chain, target, actor, fn, openings))) paid.add(fn)
  }
  const deposits = (await depositTokens(chain, target, openings)) + (await offerNfts(chain, target))
  return {
    deposits,
    use: paid.size + deposits + chain.machine.storageOf(target.address).size + (held() >= ether ? worthStealing : 0),
    isLively: entries.length === 0 || paid.size + deposits > 0,
  }
}

/** What nothing accepts arrives by force, as it can on any chain. */
export const forceEther = async (chain: Chain, { address, contract }: Instance): Promise<void> => {
  if (chain.machine.balanceOf(address) > 0n) return
  const step = { kind: 'force', actor: 'alice', to: { address, label: contract.name }, value: enough } as const
  if ((await chain.perform(step)).ok) chain.prologue.push(step)
}

const payAny = async (
  chain: Chain,
  target: Instance,
  actor: Actor,
  fn: AbiFunction | null,
  openings: Openings,
): Promise<boolean> => {
  const { alice, bob } = chain.actors
  const pool = { addresses: [chain.actors[actor], alice, bob], numbers: [1n, 2n, 0n, ether] }
  const args = argumentLists(fn, pool, 1)[0] ?? []
  const pay = async (): Promise<boolean> => {
    for (const value of [30n * ether, ether])
      if (await payIn(chain, { kind: 'call', actor, via: null, to: target, fn, args, value })) return true
    return false
  }
  if (await pay()) return true
  const start = mark(chain)
  const refused: CallStep = { kind: 'call', actor, via: null, to: target, fn, args, value: ether }
  if (!(await openForUse(chain, refused, openings))) return false
  if (await pay()) return true
  rewind(chain, start)
  return false
}

const tryToPay = async (
  chain: Chain,
  steps: readonly Step[],
): Promise<{ outcome: Outcome; before: Snapshot; held: bigint }> => {
  const before = chain.snapshot()
  const step = steps.at(-1) as CallStep
  const held = chain.machine.balanceOf(step.to.address)
  for (const each of steps.slice(0, -1)) await chain.perform(each)
  return { outcome: await chain.perform(step), before, held }
}

/** Kept only when the contract holds more than before: honest people do not take what is not theirs. */
const payIn = async (chain: Chain, first: CallStep): Promise<boolean> => {
  const queue: Step[][] = [[first]]
  for (let tries = 0; tries < 4 && queue.length > 0; tries++) {
    // Perhaps after a while: a sale may open tomorrow.
    const steps = queue.shift() as Step[]
    const step = steps.at(-1) as CallStep
    const { outcome, before, held } = await tryToPay(chain, steps)
    if (outcome.ok && chain.machine.balanceOf(step.to.address) > held) {
      chain.prologue.push(...steps)
      return true
    }
    chain.restore(before)
    queue.push(...adjust(step, outcome, chain).slice(0, 2))
  }
  return false
}
