/**
 * What an owner does before anybody can take part: opens a sale, ends a pause, grants a role, lets the contract write into another one. An honest call that
 * is refused tells which contract refused it and what that one had read; the owner makes the calls that write it and that nobody else may make.
 */
import type { AbiFunction } from '../evm/abi.ts'
import type { Outcome } from '../evm/machine.ts'
import { op } from '../evm/trace.ts'
import { branchesOf } from '../search/feedback.ts'
import { type Chain, ether } from './chain.ts'
import type { CallStep, Instance } from './step.ts'
import { argumentLists, type ValuePool } from './values.ts'

/** Calls of one scene that may go into it. */
export const openingCalls = 120
const maxFunctions = 16
const maxLists = 4
const maxOpenings = 4
const maxWords = 6
const day = 86_400n

/** How many calls are left. */
export interface Openings {
  left: number
}

/** Whether a call of an honest person gets further, after calls of the owner that stay; nothing stays where it is refused all the same. */
export const openForUse = async (chain: Chain, refused: CallStep, openings: Openings): Promise<boolean> => {
  if (openings.left <= 0) return false
  const [start, steps] = [chain.snapshot(), chain.prologue.length]
  let outcome = await look(chain, refused, openings)
  const branches = new Set(branchesIn(chain, outcome))
  for (let turn = 0; turn < maxOpenings && !outcome.ok; turn++) {
    const next = await openOnce(chain, { refused, outcome, branches, openings })
    if (!next) break
    outcome = next
    for (const branch of branchesIn(chain, next)) branches.add(branch)
  }
  if (chain.prologue.length > steps) return true
  chain.restore(start)
  return false
}

interface Refusal {
  readonly refused: CallStep
  readonly outcome: Outcome
  readonly branches: ReadonlySet<string>
  readonly openings: Openings
}

/** One call of the owner after which the refused one takes a branch that it has not taken before. */
const openOnce = async (
  chain: Chain,
  { refused, outcome, branches, openings }: Refusal,
): Promise<Outcome | undefined> => {
  const { address } = outcome.trace.find((event) => event.op === op.REVERT) ?? refused.to
  const read = new Set(outcome.trace.filter((event) => event.op === op.SLOAD && event.address === address).map(slotKey))
  for (const to of chain.instances.filter((each) => each.address === address)) {
    const pool = await poolFor(chain, refused, to, openings)
    for (const fn of to.contract.functions
      .filter(({ isView, isPayable }) => !isView && !isPayable)
      .slice(0, maxFunctions))
      for (const args of argumentLists(fn, pool, maxLists)) {
        if (openings.left <= 0) return undefined
        const step: CallStep = { kind: 'call', actor: 'owner', via: null, to, fn, args, value: 0n }
        const before = chain.snapshot()
        if (await isOpening(chain, step, read, openings)) {
          const next = await look(chain, refused, openings)
          if (next.ok || branchesIn(chain, next).some((branch) => !branches.has(branch))) {
            chain.prologue.push(step)
            return next
          }
        }
        chain.restore(before)
      }
  }
  return undefined
}

/** Writes what was read, is refused to anybody else, and leaves the owner the owner. The chain is as the call leaves it. */
const isOpening = async (
  chain: Chain,
  step: CallStep,
  read: ReadonlySet<string>,
  openings: Openings,
): Promise<boolean> => {
  const before = chain.snapshot()
  openings.left--
  const held = ownersSlots(chain, step.to)
  const { ok, trace } = await chain.perform(step)
  if (!ok || !trace.some((event) => event.op === op.SSTORE && read.has(slotKey(event)))) return false
  const kept = new Set(ownersSlots(chain, step.to))
  if (held.some((slot) => !kept.has(slot))) return false
  const here = chain.snapshot()
  chain.restore(before)
  const isOwners = !(await look(chain, { ...step, actor: 'alice' }, openings)).ok
  chain.restore(here)
  return isOwners
}

const ownersSlots = (chain: Chain, { address }: Instance): bigint[] =>
  [...chain.machine.storageOf(address)].flatMap(([slot, word]) =>
    word.toString(16).padStart(40, '0').includes(chain.actors.owner.slice(2)) ? [slot] : [],
  )

/** Who was refused, through which contract, for a while; constants of the contract name its roles. */
const poolFor = async (chain: Chain, refused: CallStep, to: Instance, openings: Openings): Promise<ValuePool> => {
  const person = chain.actors[refused.actor]
  const caller = to.address === refused.to.address ? person : refused.to.address
  return {
    addresses: [caller, person, refused.to.address],
    numbers: [day, 1n, ether, 0n],
    words: await constantsOf(chain, to, openings),
  }
}

const constantsOf = async (chain: Chain, to: Instance, openings: Openings): Promise<string[]> => {
  const isConstant = ({ isView, inputs, outputs }: AbiFunction) =>
    isView && inputs.length === 0 && outputs.length === 1 && outputs[0]?.type === 'bytes32'
  const words: string[] = []
  for (const fn of to.contract.functions.filter(isConstant).slice(0, maxWords)) {
    const step: CallStep = { kind: 'call', actor: 'owner', via: null, to, fn, args: [], value: 0n }
    const { ok, returned } = await look(chain, step, openings)
    if (ok && BigInt(returned) !== 0n) words.push(returned)
  }
  return words
}

const look = (chain: Chain, step: CallStep, openings: Openings): Promise<Outcome> => {
  openings.left--
  return chain.peek(step)
}

const slotKey = ({ address, stack }: { readonly address: string; readonly stack: readonly bigint[] }): string =>
  `${address} ${stack[0] ?? 0n}`

const branchesIn = (chain: Chain, outcome: Outcome): string[] =>
  chain.instances.flatMap(({ address }) => branchesOf(outcome, address).map((branch) => `${address} ${branch}`))
